// Decides what this run of the tests draws, and says how to draw the same again.
import { drawsSlow, ONE_OF } from './slow-files.ts'

/** The seed of this run, given or drawn, and kept for its processes; one that is no natural number below 2^31 is refused. */
export function seedOfRun(): number {
  const { TEST_SEED: given = String(Math.floor(Math.random() * 1e9)) } = process.env
  if (!/^\d{1,9}$/.test(given)) throw new Error(`TEST_SEED is a number of at most nine digits, not ${given}`)
  process.env['TEST_SEED'] = given
  return Number(given)
}

/** Before the first test. */
export function setup(): void {
  const { TEST_FORM: form = 'short', TEST_CAMPAIGNS: campaigns = 'whole' } = process.env
  if (form !== 'short' && form !== 'long') throw new Error(`TEST_FORM is short or long, not ${form}`)
  if (campaigns !== 'whole' && campaigns !== 'parts') throw new Error(`TEST_CAMPAIGNS is whole or parts, not ${campaigns}`)
  const seed = seedOfRun()
  const slow = drawsSlow(process.argv.slice(2), process.env) ? `, with one in ${ONE_OF} of the slow files` : ''
  console.log(`the ${form} form of the tests${slow}, drawn by seed ${seed} (again: TEST_SEED=${seed})`)
}
