// fast-check, whose properties draw by the run's seed: TEST_SEED makes them draw the same again.
import fc from 'fast-check'
import { seedFor } from './long-form.ts'

fc.configureGlobal({ seed: seedFor('properties') })

export { fc }
