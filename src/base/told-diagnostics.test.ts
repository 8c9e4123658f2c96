// Diagnostics without number or end: a thousand of each sort are told, in texts that can be read.
import { expect, test } from 'vitest'
import { diagnostic } from './diagnostic.ts'
import { told } from './told-diagnostics.ts'

const many = (count: number) => [
  ...Array.from({ length: count }, (_, at) => diagnostic('advice', `warning ${at}`)),
  ...Array.from({ length: count }, (_, at) => diagnostic('operation_failed', `error ${at}`)),
]

test('of many the first of each sort are told, and the others counted', () => {
  const some = told(many(100_000))
  expect(some.map((one) => one.summary)).toEqual([
    ...many(1000).map((one) => one.summary),
    '99000 more warnings are left out',
    '99000 more errors are left out',
  ])
})

test('what counts others is always told', () => {
  const all = [...many(1000), diagnostic('more_errors', '7 more mistakes are left out')]
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
  const once = told([...many(3000), diagnostic('usage', 'x '.repeat(100_000)), diagnostic('usage', 'x'.repeat(100_000))])
  expect(told(once)).toEqual(once)
})
