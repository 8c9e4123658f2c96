// The two forms of the tests, and what the short one draws of a large matrix: TEST_FORM, TEST_CAMPAIGNS and TEST_SEED alone decide.
import { randomOf } from './random-of.ts'

/** Whether everything was asked for: `npm run test:long`, or TEST_FORM=long. */
export const isLongForm = process.env['TEST_FORM'] === 'long'

/** Whether the long form takes a part of each campaign alone, as in .ci/run: TEST_CAMPAIGNS=parts. */
const inParts = process.env['TEST_CAMPAIGNS'] === 'parts'

/** Decides all that this run draws; printed where a run begins, and the same again with TEST_SEED. A natural number. */
export const runSeed = Number(process.env['TEST_SEED'] ?? 1)

/** One value for each form. */
export function longForm<T>(long: T, short: T): T {
  return isLongForm ? long : short
}

/** The size of a campaign, whose every further turn may find something, and takes its time: in the long form, in parts, and in the short form. */
export function campaign<T>(whole: T, part: T, short: T): T {
  return longForm(inParts ? part : whole, short)
}

/**
 * All rows in the long form, or `part` of them where campaigns are taken in parts, and `count` of them in the short one: drawn by the run's seed and
 * `what` they are, in their order.
 */
export function drawn<T>(rows: readonly T[], count: number, what: string, part = rows.length): readonly T[] {
  return sample(rows, campaign(rows.length, part, count), randomOf(seedFor(what)))
}

/** A seed of its own for each thing that draws. */
export function seedFor(what: string): number {
  let seed = runSeed >>> 0
  for (const letter of what) seed = (Math.imul(seed, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return seed
}

/** Which of `of` turns falls to this thing, from 0: another one with another seed. */
export function turnOf(what: string, of: number): number {
  return Math.floor(randomOf(seedFor(what))() * of)
}

/** `count` of the rows, in their order. */
export function sample<T>(rows: readonly T[], count: number, random: () => number): readonly T[] {
  const places = rows.map((_, place) => ({ place, drawn: random() }))
  const chosen = new Set(
    places
      .toSorted((one, other) => one.drawn - other.drawn)
      .slice(0, count)
      .map((one) => one.place),
  )
  return rows.filter((_, place) => chosen.has(place))
}
