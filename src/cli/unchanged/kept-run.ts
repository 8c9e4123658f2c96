// A run that found nothing to change, as it is kept in the user's cache folder: what it was made from by digests, and what it printed.
import { createHmac, hash } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readOwnFile, replaceOwnFile } from '../../base/own-files.ts'
import { userCacheFolder } from '../../base/user-cache.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import type { Question } from './seen-answers.ts'
import type { Look } from './seen-files.ts'
import type { SeenVariables } from './seen-variables.ts'

/** A text, and where it was printed. */
export type Printed = readonly [to: 'stdout' | 'stderr', text: string]

/** What was seen stands there as digests that nobody can guess at who does not have the caller's token. */
export interface KeptRun {
  /** When it was kept, by this machine's clock, in ms since 1970. */
  readonly keptAt: number
  /** Everything that was known before anything was looked at. */
  readonly about: string
  readonly variables: SeenVariables
  readonly looks: readonly Look[]
  readonly files: string
  readonly state: StateSettings
  readonly stamp: string
  readonly questions: readonly Question[]
  readonly answers: string
  readonly printed: readonly Printed[]
}

/** A digest by the key of one kept run. */
export type Seal = (text: string) => string

/** Where a run is kept: one file for each project, command and environment. */
export interface KeptPlace {
  /** Undefined where nothing is kept, or by another build, for another caller, or altered. */
  read(): { readonly run: KeptRun; readonly seal: Seal } | undefined
  /** Never fails: nothing is lost with it. What nobody has used for a day goes. */
  write(run: (seal: Seal) => KeptRun): void
}

const FORMAT = 'iac-unchanged/v1'
const LARGEST_BYTES = 64 * 1024 * 1024
/** For so long at most: once a day everything is computed anew. */
const LONGEST_MS = 24 * 3_600_000

/** The place for what `names` names, as a caller's; undefined where nothing can be kept, or nothing tells which build of the program this is. */
export function keptPlace(names: readonly (string | undefined)[], token: string, surroundings: Surroundings): KeptPlace | undefined {
  const { build, version, userId, randomBytes, clock } = surroundings
  const folder = build === undefined ? undefined : userCacheFolder(surroundings, 'unchanged')
  if (folder === undefined) return undefined
  const path = join(folder, `${hash('sha256', JSON.stringify(names))}.txt`)
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
        const run: KeptRun = JSON.parse(body)
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
        removeOld(folder, clock.wall())
      } catch {
        // The next run computes again.
      }
    },
  }
}

function sealBy(token: string, salt: string): Seal {
  return (text) => createHmac('sha256', `${salt} ${token}`).update(text).digest('hex')
}

/** Projects and checkouts come and go. */
function removeOld(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isFile() && nowMs - found.mtimeMs > LONGEST_MS) rmSync(path, { force: true })
  }
}
