// Diagnostics without number or end: so many of each sort are told that the rest is for nobody, in texts that can be read.
import { expect, test } from 'vitest'
import { diagnostic } from './diagnostic.ts'
import { told } from './told-diagnostics.ts'

const many = (count: number) => [
  ...Array.from({ length: count }, (_, at) => diagnostic('advice', `warning ${at}`)),
  ...Array.from({ length: count }, (_, at) => diagnostic('operation_failed', `error ${at}`)),
]

test('of many the first of each sort are told, and the others counted', () => {
  const some = told(many(100_007))
  expect(some.map((one) => one.summary)).toEqual([...many(100_000).map((one) => one.summary), '7 more warnings are left out', '7 more errors are left out'])
})

test('of long ones as many are told as one text can hold', () => {
  const long = `${'x'.repeat(400)} `.repeat(9)
  const all = Array.from({ length: 4000 }, (_, at) => diagnostic('operation_failed', `${at} ${long}`, { detail: long, hint: long }))
  const some = told([...all, diagnostic('operation_failed', 'short')])
  expect(some.at(-1)).toMatchObject({ code: 'more_errors', summary: `${all.length + 2 - some.length} more errors are left out` })
  expect(JSON.stringify(some).length).toBeLessThan(40 * 1024 * 1024)
  expect(JSON.stringify(some).length).toBeGreaterThan(30 * 1024 * 1024)
})

test('what counts others is always told', () => {
  const all = [...many(10), diagnostic('more_errors', '7 more mistakes are left out')]
  expect(told(all)).toEqual(all)
})

test.each([
  ['one word', `unknown option '--${'x'.repeat(100_000)}'`, 450],
  ['words', 'x '.repeat(100_000), 4000],
  ['pairs of surrogates', '\u{1f600}'.repeat(50_000), 401],
])('%s of great length are cut', (_, text, most) => {
  const [one] = told([diagnostic('usage', text, { detail: text, hint: text })])
  for (const shown of [one?.summary, one?.detail, one?.hint]) {
    expect(shown?.length).toBeLessThanOrEqual(most)
    expect(shown).toMatch(/…'?$/)
    expect(shown).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  }
})

test('told again, they stay as they are', () => {
  const once = told([...many(100_001), diagnostic('usage', 'x '.repeat(100_000)), diagnostic('usage', 'x'.repeat(100_000))])
  expect(told(once)).toEqual(once)
})
