// Diagnostics: severity and exit code follow the catalogue, a failure carries all it was given.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Code } from './catalogue.ts'
import { catalogue } from './catalogue.ts'
import { Failure, diagnostic, failure } from './diagnostic.ts'

test('a diagnostic has the severity of its code, and what else it was given', () => {
  expect(diagnostic('cycle', 'a needs a', { address: 'Vpc/a', hint: 'cut it' })).toEqual({
    code: 'cycle',
    severity: 'error',
    summary: 'a needs a',
    address: 'Vpc/a',
    hint: 'cut it',
  })
  expect(diagnostic('no_resources', 'nothing').severity).toBe('warning')
  expect(diagnostic('note', 'by the way').severity).toBe('note')
})

describe('a failure', () => {
  test.each<[Code, number]>([
    ['usage', 3],
    ['unauthorized', 4],
    ['guard_quota', 5],
    ['plan_stale', 6],
    ['locked', 7],
    ['operation_failed', 8],
    ['state_damaged', 9],
    ['internal', 1],
  ])('by %s leads to exit code %d', (code, exitCode) => {
    expect(failure(code, 'x').exitCode).toBe(exitCode)
  })

  test('says all its summaries', () => {
    const both = new Failure(3, [diagnostic('cycle', 'one'), diagnostic('usage', 'two')])
    expect(both).toBeInstanceOf(Error)
    expect(both.message).toBe('one; two')
    expect(both.name).toBe('Failure')
  })
})

describe('the catalogue', () => {
  const entries = Object.entries(catalogue)

  test('has words as codes, and a sentence for each', () => {
    expect(entries.filter(([code]) => !/^[a-z]+(?:_[a-z]+)*$/.test(code))).toEqual([])
    expect(entries.filter(([, { explanation }]) => !/^[A-Z`-].*[.?)]$/.test(explanation))).toEqual([])
  })

  test('has codes that are raised', () => {
    const src = join(import.meta.dirname, '..')
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test|catalogue)\.ts$/.test(path))
    const text = files.map((path) => readFileSync(join(src, path), 'utf8')).join('\n')
    const unraised = entries.filter(([code]) => !text.includes(`'${code}'`)).map(([code]) => code)
    expect(unraised, 'raise each with diagnostic(code, …), or take it out of catalogue.ts').toEqual([])
  })

  test('only what is an error fails', () => {
    expect(entries.filter(([, { severity, exit }]) => (severity === 'error') !== (exit !== 0))).toEqual([])
  })
})
