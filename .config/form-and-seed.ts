// Decides what this run of the tests draws, and says how to draw the same again.

/** Before the first test. A seed that is no natural number below 2^31 is refused. */
export function setup(): void {
  const { TEST_SEED: given, TEST_FORM: form = 'short', TEST_CAMPAIGNS: campaigns = 'whole' } = process.env
  if (given !== undefined && !/^\d{1,9}$/.test(given)) throw new Error(`TEST_SEED is a number of at most nine digits, not ${given}`)
  if (form !== 'short' && form !== 'long') throw new Error(`TEST_FORM is short or long, not ${form}`)
  if (campaigns !== 'whole' && campaigns !== 'parts') throw new Error(`TEST_CAMPAIGNS is whole or parts, not ${campaigns}`)
  process.env['TEST_SEED'] = given ?? String(Math.floor(Math.random() * 1e9))
  console.log(`the ${form} form of the tests, drawn by seed ${process.env['TEST_SEED']} (again: TEST_SEED=${process.env['TEST_SEED']})`)
}
