// A desk for the story of an area: a folder, a service on loopback whose time stands, and two people who call it by the words that they type.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import * as z from 'zod'
import type { Ran } from '../cli/run-cli.ts'
import { newFolder, runCli } from '../cli/run-cli.ts'
import type { Address } from '../cli/serve-sandbox.ts'
import { serving } from '../cli/serve-sandbox.ts'
import type { Counts } from './notes.ts'
import { emptyNotes } from './notes.ts'

const coverage = z.object({ body: z.object({ routes: z.array(z.object({ name: z.string(), section: z.string(), accepted: z.number() })) }) })

type Asked = Parameters<Parameters<typeof serving>[2]>[0]

/** `iac` with these words, which stand between spaces; a command that has to succeed gives what it printed. */
type Types = (line: string, ...more: string[]) => Promise<string>

export interface Desk {
  readonly user: Types
  /** Somebody of the service's staff. */
  readonly staff: Types
  /** The user, at a command that may end in any way. */
  tries(line: string, ...more: string[]): Promise<Ran>
  /** Somebody who has no token, but what `iac login` stores, and types lines. */
  atHome(line: string, ...typed: string[]): Promise<string>
  /** What the manifests say from now on. */
  write(...manifests: readonly string[]): void
  /** What the project's file says, below its first lines. */
  project(text: string): void
  /** The only object of a kind, or the one of a name. */
  find(kind: string, name?: string): Promise<{ readonly id: string }>
  /** What only the service's own control does: moving its time, breaking it. */
  readonly control: Asked['control']
  readonly address: Address
}

/** Tells the story of a section of the API's document, with which each call of it is made. */
export async function afternoon(section: string, tell: (desk: Desk) => Promise<void>, flags: readonly string[] = []): Promise<void> {
  await serving(newFolder(), ['--clock', 'frozen', '--profile', 'instant', ...flags], async ({ address, control }) => {
    const folder = newFolder()
    const notes = emptyNotes()
    const read = async (): Promise<Counts> => coverage.parse(await control('GET', '/coverage')).body.routes
    const run = async (line: string, more: readonly string[], given: { readonly token?: string; readonly stdin?: string }): Promise<Ran> => {
      const words = [...line.split(' '), ...more]
      return await notes.during(words, read, () => runCli(words, { folder, environment: { IAC_BASE_URL: address.url }, ...given }))
    }
    const { token, operator_token: operatorToken } = address
    const user: Types = (line, ...more) => succeeding(line, run(line, more, { token }))
    await tell({
      user,
      staff: (line, ...more) => succeeding(line, run(line, more, { token: operatorToken })),
      tries: (line, ...more) => run(line, more, { token }),
      atHome: (line, ...typed) => succeeding(line, run(line, [], { stdin: typed.map((one) => `${one}\n`).join('') })),
      write: (...manifests) => writeFileSync(join(folder, 'main.yaml'), manifests.join('')),
      project: (text) => writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: afternoon\n${text}\n`),
      async find(kind, name) {
        const all = z.array(z.looseObject({ id: z.string() })).parse(JSON.parse(await user(`get ${kind} --json`)))
        const found = all.filter((one) => name === undefined || one['name'] === name)
        expect([kind, name, found.length]).toEqual([kind, name, 1])
        return z.object({ id: z.string() }).parse(found[0])
      },
      control,
      address,
    })
    expect(await notes.hold([section])).toEqual([])
  })
}

async function succeeding(line: string, ran: Promise<Ran>): Promise<string> {
  const { code, stdout, stderr } = await ran
  expect([line, code, stderr]).toEqual([line, 0, expect.any(String)])
  return stdout
}
