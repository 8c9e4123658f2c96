// One crash at every point of every phase, for every kind.
import { expect, test } from 'vitest'
import { campaign, turnOf } from '../builders/long-form.ts'
import { simulate } from './program.ts'
import { blocks } from './scenario.ts'

/** One point of so many is tried, another one with another seed; `npm run simulate -- --crashes` tries them all. */
const every = campaign(8, 32, 240)

test('a crash before and after every effect and every sync is survived', { timeout: 600_000, tags: ['longer'] }, async () => {
  const told = await simulate('--crashes', '--every', String(every), '--turn', String(turnOf('crash points', every)))
  console.log(`${told.effects} effects, ${told.points} crash points, ${told.trials} runs, ${told.cpuSeconds.toFixed(0)} s of processor`)
  expect(told.violations).toEqual([])
  expect(told.blocks).toBe(blocks.length)
  expect(told.effects).toBeGreaterThan(60)
  expect(told.trials).toBeGreaterThan(told.points / every)
})
