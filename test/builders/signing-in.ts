// A service on loopback and the folders of one user who signs in to it.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { VirtualClock } from '../../src/base/clock.ts'
import { virtualClock } from '../../src/base/clock.ts'
import { runCommand } from '../../src/cli/program.ts'
import { totpOf } from '../../src/sandbox/people/totp.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import type { MailRow } from '../../src/sandbox/store/people-rows.ts'
import { patientClock, runCli, surroundingsFor } from '../cli/run-cli.ts'
import type { Ran } from '../cli/run-cli.ts'
import { knownCodes } from './sandbox-bench.ts'

export const OWNER = 'owner@sandbox.test'

const storedSchema = z.object({ profiles: z.record(z.string(), z.looseObject({ token: z.string(), expires: z.string() })) })

interface Given {
  /** Lines that are typed at a terminal. */
  readonly typed?: readonly string[]
  /** Standard input as a pipe. */
  readonly stdin?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly token?: string
}

/** The service, its clock, and a user at a terminal beside it. */
export interface SigningIn {
  readonly url: string
  readonly sandbox: Sandbox
  readonly clock: VirtualClock
  readonly folder: string
  readonly profilesPath: string
  run(line: string, given?: Given): Promise<Ran>
  /** The same at a terminal whose user types what follows from what was printed so far. */
  answering(line: string, answer: (printed: string) => string): Promise<Ran>
  /** Signs the owner in, in a profile. */
  login(profile?: string): Promise<Ran>
  profiles(): z.output<typeof storedSchema>['profiles']
  /** Changes members of a stored profile. */
  store(profile: string, members: Readonly<Record<string, string | undefined>>): void
  /** The code of the newest mail of a kind. */
  mailed(kind: MailRow['kind'], to?: string): string
  /** What an authenticator shows now for a secret. */
  authenticator(secret: string): string
  close(): Promise<void>
}

/** Serves a sandbox with known codes, whose clock moves by `advance` alone, until it is closed. */
export async function signingIn(): Promise<SigningIn> {
  const clock = virtualClock(Date.now(), false)
  const sandbox = createSandbox({ clock, profile: 'instant', ...knownCodes })
  const server = await serveSandbox({ sandbox })
  const folder = mkdtempSync(join(tmpdir(), 'iac-sign-in-'))
  const profilesPath = join(folder, 'home/.config/iac/profiles.json')
  const profiles = (): z.output<typeof storedSchema>['profiles'] =>
    existsSync(profilesPath) ? storedSchema.parse(JSON.parse(readFileSync(profilesPath, 'utf8'))).profiles : {}
  const run: SigningIn['run'] = (line, { typed, stdin, environment, token } = {}) =>
    runCli(line.split(' '), {
      folder,
      clock: patientClock,
      environment: { ...environment },
      ...(token === undefined ? {} : { token }),
      ...(typed === undefined ? {} : { types: true, stdin: typed.map((one) => `${one}\n`).join('') }),
      ...(stdin === undefined ? {} : { stdin }),
    })
  return {
    url: server.url,
    sandbox,
    clock,
    folder,
    profilesPath,
    run,
    async answering(line, answer) {
      const printed = { stdout: '', stderr: '' }
      const surroundings = surroundingsFor({ folder, clock: patientClock, types: true }, printed)
      const readSecret = async (): Promise<string> => answer(printed.stdout)
      const code = await runCommand(line.split(' '), { ...surroundings, stdin: { ...surroundings.stdin, readSecret } })
      return { code, ...printed }
    },
    profiles,
    login: (profile = 'default') => run(`login --url ${server.url} --email ${OWNER} --profile ${profile}`, { typed: [knownCodes.password] }),
    store(profile, members) {
      const all = profiles()
      const text = JSON.stringify({ format: 'iac-profiles/v1', profiles: { ...all, [profile]: { ...all[profile], ...members } } })
      writeFileSync(profilesPath, text, { mode: 0o600 })
    },
    mailed(kind, to) {
      const mail = sandbox.world.tables.mails
        .all()
        .toReversed()
        .find((one) => one.kind === kind && (to === undefined || one.to === to))
      if (!mail) throw new Error(`no mail ${kind}`)
      return mail.code
    },
    authenticator: (secret) => totpOf(secret, clock.wall()),
    close: () => server.close(),
  }
}
