// A run that found nothing to change, as it is kept in the user's cache folder: what it was made from by digests, and what it printed.
import { createHmac, hash } from 'node:crypto'
import { join } from 'node:path'
import { readOwnFile, removeOlderFiles, replaceOwnFile } from '../../base/files/own-files.ts'
import { userCacheFolder } from '../../base/files/user-cache.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Context } from '../context/context.ts'
import type { Question } from './seen-answers.ts'
import type { Look } from './seen-files.ts'
import type { SeenVariables } from './seen-variables.ts'

/** A text, and where it was printed. */
export type Printed = readonly [to: 'stdout' | 'stderr', text: string]

/** A run that looked at nothing but files. What was seen stands there as digests by a key, by which alone they can be guessed at; without one nothing secret was seen. */
export interface KeptRun {
  /** When it was kept, by this machine's clock, in ms since 1970. */
  readonly keptAt: number
  /** Everything that was known before anything was looked at. */
  readonly about: string
  readonly variables: SeenVariables
  readonly looks: readonly Look[]
  readonly files: string
  readonly printed: readonly Printed[]
}

/** A run that read a state and asked the service, too. */
export interface KeptAsking extends KeptRun {
  readonly state: StateSettings
  readonly stamp: string
  readonly questions: readonly Question[]
  readonly answers: string
}

/** A digest by the key of one kept run. */
export type Seal = (text: string) => string

/** A run that was kept, and what its digests were made by. */
export interface Sealed<Run extends KeptRun> {
  readonly run: Run
  readonly seal: Seal
}

/** Where a run is kept: one file for each project, command and environment. */
export interface KeptPlace<Run extends KeptRun> {
  /** Undefined where nothing is kept, or by another build, by another key, or altered. */
  read(): Sealed<Run> | undefined
  /** Never fails: nothing is lost with it. What nobody has used for a day goes. */
  write(run: (seal: Seal) => Run): void
}

const FORMAT = 'iac-unchanged/v2'
const LARGEST_BYTES = 64 * 1024 * 1024
/** For so long at most: once a day everything is computed anew. */
const LONGEST_MS = 24 * 3_600_000

/** The place for runs of a command, whose digests are made by the caller's token, if there is one; undefined where nothing can be kept, or nothing tells which build of the program this is. */
export function keptPlace<Run extends KeptRun>({ folder: project, name, globals, surroundings }: Context, token: string): KeptPlace<Run> | undefined {
  const { build, version, userId, randomBytes, clock } = surroundings
  const folder = build === undefined ? undefined : userCacheFolder(surroundings, 'unchanged')
  if (folder === undefined) return undefined
  const path = join(folder, `${hash('sha256', JSON.stringify([project, name, globals.text('env')]))}.txt`)
  const headOf = (salt: string, body: string): string => `${FORMAT} ${version} ${build} ${salt} ${sealBy(token, salt)(body)}`
  return {
    read() {
      try {
        const content = readOwnFile(path, userId, LARGEST_BYTES) ?? ''
        const end = content.indexOf('\n')
        const [head, body] = [content.slice(0, Math.max(0, end)), content.slice(end + 1)]
        const salt = head.split(' ')[3] ?? ''
        if (head !== headOf(salt, body)) return undefined
        // By this very build.
        const run: Run = JSON.parse(body)
        const ageMs = clock.wall() - run.keptAt
        return ageMs >= 0 && ageMs < LONGEST_MS ? { run, seal: sealBy(token, salt) } : undefined
      } catch {
        return undefined
      }
    },
    write(run) {
      const salt = Buffer.from(randomBytes(16)).toString('hex')
      const body = JSON.stringify(run(sealBy(token, salt)))
      if (body.length > LARGEST_BYTES) return
      try {
        replaceOwnFile(path, `${headOf(salt, body)}\n${body}`, { durable: false })
        // Projects and checkouts come and go.
        removeOlderFiles(path, LONGEST_MS)
      } catch {
        // The next run computes again.
      }
    },
  }
}

function sealBy(token: string, salt: string): Seal {
  return (text) => createHmac('sha256', `${salt} ${token}`).update(text).digest('hex')
}
