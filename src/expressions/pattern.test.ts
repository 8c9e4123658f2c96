// RE2's patterns, and that none of them hangs.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../test/builders/cpu-time.ts'
import { fc } from '../../test/builders/properties.ts'
import { matchesPattern } from './pattern.ts'

function matches(text: string, pattern: string): boolean | string {
  try {
    return matchesPattern(text, pattern, () => undefined)
  } catch (error) {
    return error instanceof SyntaxError ? error.message : 'another error'
  }
}

describe('matchesPattern', () => {
  test.each([
    ['', '', true],
    ['abc', 'b', true],
    ['abc', '^b', false],
    ['abc', 'c$', true],
    ['abc', '^abc$', true],
    ['a\nb', 'a.b', false],
    ['a\nb', '(?s)a.b', true],
    ['a\nb', '^b', false],
    ['a\nb', '(?m)^b', true],
    ['a\nb', '(?m)a$', true],
    ['ABC', '(?i)abc', true],
    ['ABC', 'a(?i:b)c', false],
    ['aBc', 'a(?i:b)c', true],
    ['aBC', 'a(?i)b(?-i)c', false],
    ['É', '(?i)é', true],
    ['x-1', '^[a-z]-\\d$', true],
    [']', '^[]]$', true],
    ['-', '^[a-]$', true],
    ['b', '^[^a]$', true],
    ['é', '^\\p{L}$', true],
    ['é', '^\\pL$', true],
    ['é', '^\\P{L}$', false],
    ['α', '^\\p{Greek}$', true],
    ['1', '^\\p{^L}$', true],
    ['a1', '^[\\w]+$', true],
    ['a 1', '^[^\\s]+$', false],
    ['f', '^[[:xdigit:]]$', true],
    ['g', '^[[:^xdigit:]]$', true],
    ['A', '^\\x41$', true],
    ['😀', '^\\x{1F600}$', true],
    ['😀', '^.$', true],
    ['\t', '^\\t$', true],
    ['a.b', '^a\\.b$', true],
    ['aaa', '^a{3}$', true],
    ['aa', '^a{3}$', false],
    ['aaaa', '^a{2,}$', true],
    ['aaaa', '^a{1,3}$', false],
    ['', '^a{0}$', true],
    ['a{1', '^a{1$', true],
    ['ab', '^(a|ab)$', true],
    ['abab', '^(?:ab)+?$', true],
    ['ab', '^(?P<x>a)(?<y>b)$', true],
    ['c', 'a||c$', true],
    ['a.b*', '^\\Qa.b*\\E$', true],
    ['axb*', '^\\Qa.b*\\E$', false],
    ['a((', '^\\Qa(\\E+$', true],
    ['a(a(', '^\\Qa(\\E+$', false],
    ['(A', '(?i)^\\Q(a', true],
    ['a', '^\\Q\\Ea$', true],
    ['S', '^\\123$', true],
    ['\u0007', '^\\07$', true],
    ['\0a', '^\\0a$', true],
    ['S8', '^[\\123]8$', true],
    ['\u{10ffff}', '^\\x{10FFFF}$', true],
    ['a b', '\\bb', true],
    ['ab', '\\bb', false],
    ['ab', 'a\\Bb', true],
    ['ab', '\\Aab\\z', true],
    ['(', '(', 'the pattern lacks a closing parenthesis'],
    [')', ')', 'the pattern has a closing parenthesis too many'],
    ['a', '[a', 'the pattern lacks a closing bracket'],
    ['a', '[z-a]', 'the pattern has a range out of order'],
    ['a', '*', 'the pattern repeats nothing'],
    ['a', 'a**', 'the pattern repeats a repetition'],
    ['aaa{2}', '^a*{2}$', 'the pattern repeats a repetition'],
    ['a', 'a{2}{3}', 'the pattern repeats a repetition'],
    ['a', 'a{2}*', 'the pattern repeats a repetition'],
    ['a', 'a+?{1,}', 'the pattern repeats a repetition'],
    ['a', 'a{2}??', 'the pattern repeats a repetition'],
    ['{2}', '{2}', 'the pattern repeats nothing'],
    ['{2}', 'a|{2}', 'the pattern repeats nothing'],
    ['a', 'a(?i){2}', 'the pattern repeats nothing'],
    ['aa{,2}', '^a*{,2}$', true],
    ['a{', '^a*{$', true],
    ['aa', '^(?:a{2}?)?$', true],
    ['a{01}', '^a{01}$', true],
    ['a', 'a{12345678}', 'the pattern has a repetition beyond 1000 or out of order'],
    ['a', 'a{1001}', 'the pattern has a repetition beyond 1000 or out of order'],
    ['a', '(a{1000}){1000}', 'the pattern is too large'],
    ['a', `${'('.repeat(60)}${'){1000}'.repeat(60)}`, true],
    ['a', `^${'('.repeat(60)}a{0}(?i)${'){1000}'.repeat(60)}A$`, false],
    ['a', '(a)\\1', 'the pattern holds \\1, which RE2 does not know'],
    ['a', '\\8', 'the pattern holds \\8, which RE2 does not know'],
    ['a', '\\x{110000}', 'the pattern has a \\x beyond the last character, \\x{10FFFF}'],
    ['a', '(?P<x>a)|(?<x>b)', 'the pattern gives two groups one name'],
    ['a', '(?!a)', 'the pattern holds a group that RE2 does not know (there is no look-around)'],
    ['a', '\\', 'the pattern ends too early'],
    ['a', '\\p{Nothing}', 'the pattern names a property that Unicode does not know'],
    ['a', '[[:nothing:]]', 'the pattern names a class that RE2 does not know'],
    ['a', '('.repeat(200), 'the pattern is nested too deeply'],
    ['a', 'a'.repeat(10_001), 'the pattern is too long'],
  ])('%j with %j', (text, pattern, expected) => {
    expect(matches(text, pattern)).toBe(expected)
  })

  test('agrees with the regular expressions of the language where both know a pattern', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\d',
      '\\b',
      '^',
      '$',
      '(a|b)',
      '(?:ab)*',
      'a*',
      'b+',
      'a?',
      '(a*)*',
      '(a|)+',
      'b{2}',
      '|',
      '(^a|b$)',
    )
    const pattern = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        expect(matches(subject, source)).toBe(new RegExp(source, 'u').test(subject))
      }),
      { numRuns: 3000 },
    )
  })

  test('tells of work in proportion to the text, whatever the pattern', () => {
    const work = (length: number): number => {
      let steps = 0
      matchesPattern('a'.repeat(length), '(a|a)*(a+)+(a*)*b', (more) => (steps += more))
      return steps
    }
    expect(work(4000)).toBeLessThan(work(1000) * 4.5)
  })

  test('asks a class of thousands of characters little more than a small one', () => {
    const many = Array.from({ length: 3000 }, (_, index) => String.fromCodePoint(0x4e00 + 2 * index)).join('')
    const { result, spentMs } = cpuTime(() => matches('a'.repeat(200_000), `[${many}]`))
    expect(result).toBe(false)
    expect(spentMs).toBeLessThan(500)
  }, 60_000)

  test('never throws anything but a SyntaxError', () => {
    const pattern = fc.string({ unit: fc.constantFrom(...Array.from('ab()[]{}|*+?\\^$.-,:123pLPxQdsu<>i')), maxLength: 12 })
    fc.assert(
      fc.property(pattern, (source) => matches('ab1', source) !== 'another error'),
      { numRuns: 5000 },
    )
  })
})
