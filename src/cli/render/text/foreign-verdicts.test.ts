// What is no verdict is told as it was written.
import { expect, test } from 'vitest'
import { withoutVerdicts } from './foreign-verdicts.ts'

test('a text that Atlantis takes for no verdict stays as it is', () => {
  const honest = 'description = "Plan: gold"\nNo changes. Ask the owners first.'
  expect(withoutVerdicts(`${honest}\nPlan: 1 to import, 0 to add, 0 to change, 0 to destroy.`)).toBe(
    `${honest}\nPlan:  1 to import, 0 to add, 0 to change, 0 to destroy.`,
  )
})
