// A run that found nothing to change, as it is kept in the user's cache folder: what it was made from by digests, and what it printed.
import { hash } from 'node:crypto'
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

export interface KeptRun {
  /** When it was kept, by this machine's clock, in ms since 1970. */
  readonly keptAt: number
  /** Of `about`, which is made from secrets, too. */
  readonly salt: string
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

/** Where a run is kept: one file for each project, command and environment. */
export interface KeptPlace {
  read(): KeptRun | undefined
  /** Never fails: nothing is lost with it. */
  write(run: KeptRun): void
}

const FORMAT = 'iac-unchanged/v1'
const LARGEST_BYTES = 64 * 1024 * 1024

/** The place for what `names` names; undefined where nothing can be kept, or nothing tells which build of the program this is. */
export function keptPlace(names: readonly (string | undefined)[], surroundings: Surroundings): KeptPlace | undefined {
  const { build, version, userId } = surroundings
  const folder = build === undefined ? undefined : userCacheFolder(surroundings, 'unchanged')
  if (folder === undefined) return undefined
  const path = join(folder, `${hash('sha256', JSON.stringify(names))}.txt`)
  const headOf = (body: string): string => `${FORMAT} ${version} ${build} ${hash('sha256', body)}`
  return {
    read() {
      try {
        const content = readOwnFile(path, userId, LARGEST_BYTES) ?? ''
        const end = content.indexOf('\n')
        const body = content.slice(end + 1)
        if (end < 0 || content.slice(0, end) !== headOf(body)) return undefined
        const run: KeptRun = JSON.parse(body)
        return run
      } catch {
        return undefined
      }
    },
    write(run) {
      const body = JSON.stringify(run)
      if (body.length > LARGEST_BYTES) return
      try {
        replaceOwnFile(path, `${headOf(body)}\n${body}`, { durable: false })
      } catch {
        // The next run computes again.
      }
    },
  }
}
