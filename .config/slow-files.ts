// Which of the slow files of tests a run takes. They are few of all files, and take most of the time.
import { randomOf } from '../test/builders/random-of.ts'
import measured from './slow-files.json' with { type: 'json' }

/** What each computes for, in seconds. */
export type SlowFiles = Readonly<Record<string, number>>

/** One of so many is drawn. */
export const ONE_OF = 8

/** What `npm run slow-files` measured. */
export const slowFiles: SlowFiles = measured

/** Flags that choose files or tests, write what they expect, or look on: whoever gives one means those files. */
const choosing = /^(?:-[tuw]|--(?:changed|dir|project|shard|tags-?filter|test-?name-?pattern|update|watch))/i

/**
 * Whether slow files are drawn: as TEST_SLOW says, or else in `vitest run` in the short form where nothing is chosen. `words` stand behind `vitest`; one behind a
 * flag and a space counts as a file, which is why `npm test` has `--config=…`.
 */
export function drawsSlow([command, ...words]: readonly string[], { TEST_SLOW: slow, TEST_FORM: form }: NodeJS.ProcessEnv): boolean {
  if (slow !== undefined && slow !== 'all' && slow !== 'drawn') throw new Error(`TEST_SLOW is all or drawn, not ${slow}`)
  if (slow !== undefined) return slow === 'drawn'
  return command === 'run' && form !== 'long' && words.every((one) => one.startsWith('-') && !choosing.test(one))
}

/** The slow files that a seed does not draw. Of neighbours by what they take one is drawn, so that each draw takes about as long. */
export function filesLeft(seed: number, files: SlowFiles = slowFiles): readonly string[] {
  const names = Object.entries(files)
    .toSorted(([a, more], [b, less]) => less - more || (a < b ? -1 : 1))
    .map(([name]) => name)
  const random = randomOf(seed)
  const drawn = new Set<string | undefined>()
  for (let at = 0; at < names.length; at += ONE_OF) drawn.add(names[at + Math.floor(random() * ONE_OF)])
  return names.filter((one) => !drawn.has(one))
}
