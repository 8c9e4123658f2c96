// Marks of comments: read back as written, by those who begin with one alone.
import { expect, test } from 'vitest'
import { keyDigits, marked, readMark } from './comment-mark.ts'

const mark = { key: 'a'.repeat(32), run: 'b'.repeat(32), planMs: 1_767_323_045_000, isHidden: false }

test.each([false, true])('a mark comes back with its text (hidden: %o)', (isHidden) => {
  expect(readMark(marked({ ...mark, isHidden }, 'a\n\nb\n'))).toEqual({ mark: { ...mark, isHidden }, text: 'a\n\nb\n' })
})

test.each([false, true])('so does the name of a project, and whether it is the only one of it: %o', (isOnly) => {
  const named = { ...mark, name: 'c'.repeat(32), isOnly }
  expect(readMark(marked(named, 'x\n'))).toEqual({ mark: named, text: 'x\n' })
})

test('a key tells project, environment and tag apart, and holds none of their letters', () => {
  const keys = [
    { project: 'a', environment: 'b', tag: 'c' },
    { project: 'a', environment: null, tag: 'c' },
    { project: 'a', environment: 'null', tag: 'c' },
    { project: 'a","b', environment: 'c', tag: '' },
    { project: '--> @everyone', environment: 'b', tag: 'c' },
    { project: 'a', environment: 'b', tag: 'c', folder: 'x' },
    { project: 'a', environment: 'b', tag: 'c', folder: 'y' },
  ].map((one) => keyDigits({ folder: '', ...one }))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.every((one) => /^[0-9a-f]{32}$/.test(one))).toBe(true)
})

test.each(['', 'text', ` ${marked(mark, 'x')}`, `x\n${marked(mark, 'x')}`, marked(mark, 'x').replace('v1', 'v2'), marked(mark, 'x').replace('-->', '--> x')])(
  '%j bears no mark',
  (body) => {
    expect(readMark(body)).toBeUndefined()
  },
)
