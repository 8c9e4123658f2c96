// Flags of V8 that a run alters: what was compiled before is still known to whoever compiles under the flags of the start.
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { createFlags, takesBudget } from './v8-flags.ts'

const startsLate = takesBudget(process.version)
let count = 100

/** Another text of the same length, since V8 remembers those that it compiled, and tells two apart by their length. */
function nextText(): string {
  count += 1
  return `(function () { return ${count} })`
}

test('code that was compiled at the start is known however the flags were altered, where they are as at the start', () => {
  const flags = createFlags(startsLate)
  onTestFinished(() => {
    setFlagsFromString('--heap-growing-percent=0')
    if (startsLate) setFlagsFromString('--interrupt-budget=67584')
  })
  flags.optimise('late')
  const cachedData = new Script(nextText()).createCachedData()
  const isKnown = (): boolean => new Script(nextText(), { cachedData }).cachedDataRejected === false
  const isKnownAsStarted = (): boolean => flags.asStarted(isKnown)
  expect([isKnown(), isKnownAsStarted()]).toEqual([true, true])
  flags.optimise('early')
  expect([isKnown(), isKnownAsStarted()]).toEqual([!startsLate, true])
  flags.keepHeapSmall()
  expect([isKnown(), isKnownAsStarted()]).toEqual([false, true])
  flags.optimise('late')
  // As they were altered, also after something was compiled.
  expect([isKnown(), isKnownAsStarted(), isKnown()]).toEqual([false, true, false])
})

test('they are as they were altered although compiling failed', () => {
  const flags = createFlags(false)
  onTestFinished(() => setFlagsFromString('--heap-growing-percent=0'))
  const cachedData = new Script(nextText()).createCachedData()
  flags.keepHeapSmall()
  expect(() =>
    flags.asStarted(() => {
      throw new SyntaxError('no program')
    }),
  ).toThrow('no program')
  expect(new Script(nextText(), { cachedData }).cachedDataRejected).toBe(true)
})
