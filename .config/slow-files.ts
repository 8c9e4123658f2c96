// Which of the slow files of tests a run takes: few of all there are, and most of the time.
import { randomOf } from '../test/builders/random-of.ts'
import measured from './slow-files.json' with { type: 'json' }

/** What each computes for, in seconds. */
export type SlowFiles = Readonly<Record<string, number>>

/** One of so many is drawn. */
export const ONE_OF = 8

/** What `npm run slow-files` measured. */
export const slowFiles: SlowFiles = measured

/** Whether slow files are drawn: as TEST_SLOW says, or else where neither files, nor tests, nor the long form are given. */
export function drawsSlow(words: readonly string[], { TEST_SLOW: slow, TEST_FORM: form }: NodeJS.ProcessEnv): boolean {
  if (slow !== undefined && slow !== 'all' && slow !== 'drawn') throw new Error(`TEST_SLOW is all or drawn, not ${slow}`)
  const isPart = words.some((one) => !one.startsWith('-') || /^(?:-t|--testNamePattern|--tags-?[fF]ilter)/.test(one))
  return slow === undefined ? !isPart && form !== 'long' : slow === 'drawn'
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
