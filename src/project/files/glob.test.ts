// Patterns of manifests.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../test/builders/cpu-time.ts'
import { matchesBelow, matchesGlob, patternProblem } from './glob.ts'

describe('patterns', () => {
  test.each([
    ['**/*.yaml', 'a.yaml', true],
    ['**/*.yaml', 'a/b/c.yaml', true],
    ['**/*.yaml', 'a.yml', false],
    ['infra/**/*.yaml', 'infra/a.yaml', true],
    ['infra/**/*.yaml', 'other/a.yaml', false],
    ['infra/**', 'infra/a/b', true],
    ['*.yaml', 'a/b.yaml', false],
    ['./a?.yaml', 'ab.yaml', true],
    ['a?.yaml', 'a.yaml', false],
    ['a*b*c', 'aXbYbZc', true],
    ['a*b*c', 'aXbYbZ', false],
    ['**/x/**/y', 'a/x/b/x/c/y', true],
    ['**/x/**/y', 'a/b/y', false],
    ['a**b', 'axxb', true],
    ['a.b', 'axb', false],
    ['[ab]', 'a', false],
  ])('%s and %s', (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected)
  })

  test.each([
    ['infra/**/*.yaml', 'infra', true],
    ['infra/**/*.yaml', 'infra/a/b', true],
    ['infra/**/*.yaml', 'other', false],
    ['*.yaml', 'a', false],
    ['a/*/c.yaml', 'a/b', true],
    ['a/*/c.yaml', 'a/b/c', false],
  ])('below %s is %s', (pattern, folder, expected) => {
    expect(matchesBelow(pattern, folder)).toBe(expected)
  })

  test('take linear time', () => {
    // The small ones first: a search that tries every way fails there, and would never end with the others.
    for (const [pattern, path] of [
      [`${'*a'.repeat(5)}b`, 'a'.repeat(100)],
      [`${'**/a/'.repeat(5)}b`, 'a/'.repeat(100)],
      [`${'*a'.repeat(200)}b`, 'a'.repeat(20_000)],
      [`${'**/a/'.repeat(50)}b`, 'a/'.repeat(1000)],
    ] as const) {
      const { result, spentMs } = cpuTime(() => matchesGlob(pattern, path))
      expect(result).toBe(false)
      expect(spentMs).toBeLessThan(200)
    }
  }, 60_000)

  test('stay inside', () => {
    expect(['/a', '../a', 'a/../b', 'C:/x', 'a\\b', '', 'a/**'].map((pattern) => patternProblem(pattern) === undefined)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ])
  })
})
