// Words of other tools: none is a command here, and what is named in their place is one.
import { expect, test } from 'vitest'
import { commandTable } from '../command-table.ts'
import { globalFlags } from './flags.ts'
import { otherFlags, otherWords } from './other-words.ts'

test.each([...otherFlags])('%s: %s', (flag, hint) => {
  const named = Array.from(hint.matchAll(/`iac ([a-z]+)(?: ([a-z]+))?/g), ([, name = '', second = '']) => [name, `${name} ${second}`])
  for (const either of named) expect(either.some((one) => Object.hasOwn(commandTable, one))).toBe(true)
  expect(Object.keys(globalFlags).map((name) => `--${name}`)).not.toContain(flag)
})

test.each([...otherWords])('%s: %s', (word, hint) => {
  const first = new Set(Object.keys(commandTable).map((name) => name.split(' ')[0]))
  expect(first.has(word)).toBe(false)
  for (const [, name = '', second = ''] of hint.matchAll(/`iac ([a-z]+)(?: ([a-z]+))?/g))
    expect([name, `${name} ${second}`].some((one) => Object.hasOwn(commandTable, one))).toBe(true)
})
