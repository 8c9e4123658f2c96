// What is said of functions is true: every one is there, takes what its signature says, and gives what its examples show.
import { describe, expect, test } from 'vitest'
import type { Scope } from './evaluate.ts'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { exampleVariables, functionGroups } from './function-texts.ts'
import { argumentCounts, functionNames } from './functions.ts'
import { macroNames } from './tree.ts'
import { holdsSensitive, valueAt, valueOf } from './value.ts'

const variables = valueOf(exampleVariables)
const scope: Scope = {
  each: undefined,
  variable: (name) => valueAt(variables, [name]),
  keysOf: () => undefined,
  resource: () => ({ kind: 'error', message: 'no resource' }),
  lookup: (kind, name) => valueOf({ kind, name, cpu: 4 }),
  file: (path) => (path === 'motd.txt' ? valueOf('hello\n') : { kind: 'error', message: 'no file' }),
}
const all = functionGroups.flatMap((group) => group.functions)

function valueOfSource(source: string) {
  const parsed = parseExpression(source)
  if (!parsed.ok) throw new Error(`${source} does not parse: ${parsed.message}`)
  const evaluated = evaluate(parsed.parsed, scope)
  if (!evaluated.ok) throw new Error(`${source}: ${evaluated.message}`)
  return evaluated.value
}

/** Least and most arguments of a signature, and whether it is a method. */
function countsOf(signature: string): { readonly isMethod: boolean; readonly counts: readonly [number, number] } {
  const [, given = ''] = /^[^(]+\(([^)]*)\): /.exec(signature) ?? []
  const names = given === '' ? [] : given.split(', ')
  return { isMethod: signature.startsWith('x.'), counts: [names.filter((one) => !one.includes('?')).length, names.length] }
}

test('every function, method and macro is described, and nothing else', () => {
  const known = [...functionNames(false), ...functionNames(true), 'cel.bind']
  expect(all.map((one) => one.name).toSorted()).toEqual([...new Set(known)].toSorted())
})

describe.each(all)('$name', ({ name, signatures, about, examples }) => {
  test('takes what its signatures say', () => {
    expect(about).toMatch(/^[^\n]+\.$/)
    for (const signature of signatures) {
      expect(signature.replace(/^x\./, '').startsWith(`${name}(`)).toBe(true)
      const { isMethod, counts } = countsOf(signature)
      // Macros and what reads files and objects are no functions with arguments to be counted.
      const isSpecial = [...macroNames, 'cel.bind', 'file', 'lookup', 'has'].some((one) => one === name)
      expect(isSpecial ? counts : argumentCounts(name, isMethod)).toEqual(counts)
    }
    for (const isMethod of [true, false]) {
      const isThere = argumentCounts(name, isMethod) !== undefined
      if (isThere) expect(signatures.some((one) => countsOf(one).isMethod === isMethod)).toBe(true)
    }
  })

  test('gives what its examples show', () => {
    expect(examples.length).toBeGreaterThan(0)
    for (const { source, gives } of examples) {
      if (gives === '(sensitive value)') expect(holdsSensitive(valueOfSource(source))).toBe(true)
      else expect([source, valueOfSource(source)]).toEqual([source, valueOfSource(gives)])
    }
  })
})
