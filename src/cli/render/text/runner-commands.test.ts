// Commands of runners: broken wherever they stand and however they are written, and nothing else is.
import { describe, expect, test } from 'vitest'
import { cpuTime } from '../../../../test/builders/cpu-time.ts'
import { fc } from '../../../../test/builders/properties.ts'
import { parseAddress } from '../../../base/address.ts'
import { parseJson } from '../../../base/json.ts'
import { breakCommands, createBreaker, escapeCommands, holdsCommand } from './runner-commands.ts'

const commands = /##[a-z]{0,16}\[|^\s*::|(?<![\w:.-])::[g-z]|section_(?:start|end):/im

const nasty = [
  '::error file=a::b',
  '  ::add-mask::x',
  'fine\n\t::stop-commands::x',
  'a\r::warning::x',
  'a\u000b::warning::x',
  'in the middle ::set-output name=x::y',
  '"::set-env name=x::y"',
  '##[section]x',
  'a ##[group]x',
  '##vso[task.setvariable variable=x]y',
  "a ##teamcity[setParameter name='x']",
  '##octopus[x]',
  '##VSO[x]',
  '##v\u034fso[x]',
  '#\ufe0f#[x]',
  '###[x]',
  'section_start:1:a',
  'a section_end:1:a',
]

describe('a command', () => {
  test.each(nasty)('%j is broken', (text) => {
    const broken = breakCommands(text)
    expect(commands.test(text.replaceAll(/\p{DI}/gu, ''))).toBe(true)
    expect(broken.replaceAll(/\p{DI}/gu, '')).not.toMatch(commands)
    expect(breakCommands(broken)).toBe(broken)
    expect(broken.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
  })
  test.each(nasty)('%j is broken however it is cut in pieces', (text) => {
    for (let at = 0; at <= text.length; at += 1) {
      for (let to = at; to <= text.length; to += 1) {
        const broken = createBreaker()
        const out = [text.slice(0, at), text.slice(at, to), '', text.slice(to)].map(broken).join('')
        expect(out.replaceAll(/\p{DI}/gu, '')).not.toMatch(commands)
        expect(out.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }
    }
  })
  test.each(nasty)('%j means the same in JSON', (text) => {
    const json = escapeCommands(JSON.stringify({ [text]: [text] }))
    expect(parseJson(json)).toEqual({ [text]: [text] })
    expect(json.replaceAll(/\p{DI}/gu, '')).not.toMatch(commands)
  })
  test('is broken behind any number of spaces, and any number of writes', () => {
    const spaces = ' '.repeat(100)
    const out = (...texts: string[]): string => texts.map(createBreaker()).join('').replaceAll(/ +/g, ' ')
    expect(out('x', spaces, ':', '', ':', 'error::y', '\n', spaces, ':', ':e')).toBe('x : :error: :y\n : :e')
    expect(out('a ::', 'error::y', ' ##', '', '[', 'x ##vs', 'o[')).toBe('a :: error: :y ## [x ##vso [')
  })
  test('never comes through, whatever is written one after another', () => {
    const unit = fc.oneof(
      fc.constantFrom(':', '#', '[', '\n', '\r', ' ', 'a', 'x', '::', '##', 'vso', 'section_start', '##[', '::x::'),
      fc.string({ maxLength: 2 }),
    )
    fc.assert(
      fc.property(fc.array(fc.string({ unit, maxLength: 6 })), (texts) => {
        const out = texts.map(createBreaker()).join('')
        expect(out.replaceAll(/\p{DI}/gu, '')).not.toMatch(commands)
        expect(out.replaceAll(' ', '')).toBe(texts.join('').replaceAll(' ', ''))
      }),
    )
  })
})

test.each([
  'fd00::a',
  'at fe80::abcd, ::ffff:10.0.0.1 and 2001:db8::/32',
  '"fd00::a-fd00::f"',
  '[2001:db8::c]:443',
  'to fd00::a.',
  'arn:aws:iam::123:role',
  'https://a/b#c[d]',
  '# Vpc/main["a"] will be created',
  'a:b #[x] section_starts',
  '',
])('%j stays as it is', (text) => {
  expect(breakCommands(text)).toBe(text)
  expect(createBreaker()(text)).toBe(text)
})

test('an address of what has such a key is the same address still', () => {
  const key = 'a ::error::b "##teamcity[x]'
  const address = `Vpc/main[${JSON.stringify(key)}]`
  const line = breakCommands(`  # ${address} will be created`)
  expect(line).not.toMatch(commands)
  expect(parseAddress(line.slice('  # '.length, -' will be created'.length))).toEqual({ kind: 'Vpc', name: 'main', key })
})

test('what a runner carries out is told from what only looks like it', () => {
  expect(['::error::x', 'a\n  ::add-mask::x', 'a ##[group]', '##vso[x]', '##teamcity[x]'].map(holdsCommand)).not.toContain(false)
  expect(['::1', 'std::vector', 'echo "::group::x"', 'fd00::a\n::/0', '#!/bin/sh\n## [x]'].map(holdsCommand)).not.toContain(true)
})

/** Whether a text so many times over takes less than twenty times the work of a hundred texts that are as much together: with the square of the length it takes a hundred times. */
function isInProportion(text: string, times: number): boolean {
  const whole = [`${text.repeat(times)}::x`]
  const parts = Array.from({ length: 100 }, () => `${text.repeat(times / 100)}::x`)
  const spentMs = (texts: readonly string[]): number => cpuTime(() => texts.map(breakCommands)).spentMs
  // Once is enough: what else runs in between adds to either.
  return [1, 2, 3].some(() => spentMs(whole) < 20 * Math.max(spentMs(parts), 1))
}

test.each(['::a', '#\ufe0f', ':\ufe0f', ' ', '::a::-', 'section_start:', 'A/b["', '##vs'])('many of %j take time in proportion', (text) => {
  expect([4000, 20_000, 200_000].find((times) => !isInProportion(text, times))).toBeUndefined()
})
