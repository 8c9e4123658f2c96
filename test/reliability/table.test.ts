// The table of faults: complete, every named test there, and the page that shows it up to date.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { reliabilityPage } from './page.ts'
import { rows } from './rows.ts'

const root = resolve(import.meta.dirname, '../..')
const numbers = (letter: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)

describe('the table of faults', () => {
  test('has every row once', () => {
    expect(rows.map((one) => one.id)).toEqual([...numbers('P', 21), ...numbers('N', 19), ...numbers('Q', 34), ...numbers('S', 32)])
  })

  test('gives each a test', () => {
    expect(rows.filter((one) => one.tests.length === 0).map((one) => one.id)).toEqual([])
  })

  test.each(rows.flatMap((one) => one.tests.map((named) => [one.id, named] as const)))('%s is shown by %s', (_, named) => {
    const [file = '', words = ''] = named.split(' › ')
    expect(readFileSync(resolve(root, file), 'utf8')).toContain(words)
  })

  test('is the page under schemas/reference', () => {
    expect(readFileSync(resolve(root, 'schemas/reference/reliability.md'), 'utf8')).toBe(reliabilityPage())
  })
})
