// What is put into a text before it is evaluated changes nothing of what it gives.
import { expect, test } from 'vitest'
import { fc } from '../../../test/builders/properties.ts'
import type { Scope } from '../../expressions/evaluate.ts'
import { evaluate, renderTemplate } from '../../expressions/evaluate.ts'
import type { Named, Reference } from '../../expressions/expression.ts'
import { parseTemplate } from '../../expressions/template.ts'
import { list, map, scalar, valueOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import { fillInputs, literalOf } from './filled.ts'

const values: ReadonlyMap<string, Value> = new Map([
  ['text', scalar('a${b}$${c}"\'\\}')],
  ['int', scalar(-5n)],
  ['least', scalar(-(2n ** 63n))],
  ['float', scalar(1e21)],
  ['secret', scalar('s', true)],
  ['list', list([scalar(1n), scalar('x', true), scalar(null)])],
  ['map', valueOf({ 'a b': true, c: ['${'] })],
  ['hidden', valueOf({ a: { b: 1.5 } }, { sensitive: true, whole: 'double' })],
  ['names', valueOf({ one: { x: 'main' } })],
  ['long', scalar('x'.repeat(20_000))],
  ['deep', valueOf(JSON.parse('['.repeat(99) + ']'.repeat(99)))],
  ['partly', map(new Map([['a', scalar('s', true)]]))],
  ['vars_of_vars', scalar('v')],
  ['keyed', map(new Map([['in', map(new Map([['k', scalar(1n)]]), true, true)]]))],
])
const known: Scope = {
  each: { key: scalar('a'), value: scalar('}', true) },
  variable: (name) => values.get(name) ?? { kind: 'error', message: `no ${name}` },
  keysOf: () => undefined,
  resource: (_, name) => scalar(`${name} late`),
  lookup: () => scalar('late'),
  file: (path) => scalar(`of ${path}: \u0007\${}"`),
}
/** Where variables, each and files are gone. */
const later: Scope = { ...known, each: undefined, variable: () => gone, file: () => gone }
const gone = { kind: 'error', message: 'gone' } as const

const expressions = [
  "Vpc['main'].id",
  'vars.text',
  'vars["text"]',
  'vars . secret + vars.text',
  'each.key + each . value',
  '2 - vars.int',
  '2-vars.int * -vars.int',
  'vars.least < 0',
  'vars.float',
  'json(vars.deep) + json(vars.map) + json(vars.list) + json(vars.partly)',
  'has(vars.map.c) && has(vars.text) && has(each.key)',
  'vars.map["a b"]',
  'vars.hidden.a.b',
  'vars.partly',
  "'${' + vars.text // }\n",
  '{"vars.int": vars.int}["vars.int"]',
  'vars.list.exists(x, x == vars.secret)',
  'file(\'a)\' + vars.text) + file( "b" )',
  'file("a" + string(7 / 2) + (")"))',
  '{each.value: vars.keyed}',
  'Vpc[vars.names.one["x"]].id',
  'Vpc[each["key"]].id + vars.long',
]
const piece = fc.oneof(
  fc.constantFrom('a', '$', '{', '}', '$${', '"', "'", '\\', '$$${', ' vars.int '),
  fc.constantFrom(...expressions).map((source) => `\${${source}}`),
)

const space = fc.constantFrom('', ' ', '\n', ' // ) "it" (\n', "\t// '\n ")
const wrapped = fc
  .tuple(fc.nat({ max: 2 }), space, space)
  .map(([depth, before, after]) => [`${'('.repeat(depth)}${before}`, `${after}${')'.repeat(depth)}`] as const)
const key = (name: string) =>
  fc.constantFrom(`"${name}"`, `'${name}'`, `r'${name}'`, `"""${name}"""`, `"\\x${name.charCodeAt(0).toString(16)}${name.slice(1)}"`)
const access = (name: string) =>
  fc.oneof(
    fc.tuple(space, space).map(([before, after]) => `${before}.${after}${name}`),
    fc.tuple(space, wrapped, key(name)).map(([before, [open, close], text]) => `${before}[${open}${text}${close}]`),
  )
const spelled = (word: string, name: string) =>
  fc.tuple(wrapped, wrapped, access(name)).map(([[open, close], [before, after], rest]) => `${before}${open}${word}${close}${rest}${after}`)
const read = fc.tuple(wrapped, space, fc.constantFrom('b', 'a)', '//')).map(([[open, close], before, path]) => `file${before}(${open}'${path}'${close})`)
/** Inputs in any spelling; all of them are texts. */
const inputs = fc.oneof(
  ...['text', 'vars_of_vars', 'secret', 'long'].map((name) => spelled('vars', name)),
  spelled('each', 'key'),
  spelled('each', 'value'),
  read,
)
const spelling = fc.array(inputs, { minLength: 1, maxLength: 3 }).map((sources) => `\${Vpc['main'].id + ${sources.join(' + ')}\n}`)

const input = (reference: Reference) => {
  if (reference.kind === 'vars') return literalOf(values.get(reference.name) ?? scalar(null))
  if (reference.kind === 'each') return literalOf(reference.part === 'key' ? scalar('a') : scalar('}', true))
  const path = reference.kind === 'file' ? evaluated(reference.path) : undefined
  return path === undefined ? undefined : literalOf(scalar(`of ${path}: \u0007\${}"`))
}
const evaluated = (path: Named) => {
  if (typeof path === 'string') return path
  const result = evaluate(path, known)
  return result.ok && result.value.kind === 'scalar' ? String(result.value.scalar) : undefined
}

/** What a text gives, and what it gives with its inputs written out, without them. */
function both(text: string) {
  const before = parseTemplate(text)
  fc.pre(before.ok)
  const after = parseTemplate(fillInputs(before, input), { filled: true })
  expect(after.ok).toBe(true)
  const [expected, found] = [renderTemplate(before.parts, known), renderTemplate(after.parts, later)]
  return { expected: expected.ok && expected.value, found: found.ok && found.value }
}

test('a text gives the same with its inputs written out', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
      const { expected, found } = both(pieces.join(''))
      expect(found).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('however its inputs are spelled', () => {
  fc.assert(
    fc.property(spelling, (text) => {
      const { expected, found } = both(text)
      expect(expected).not.toBe(false)
      expect(found).toEqual(expected)
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ["${Vpc['main'].id + (each).key}", `\${Vpc['main'].id + ("a")}`],
  ["${Vpc['main'].id + each // the key\n  .key}", `\${Vpc['main'].id + "a"}`],
  ['${vars.vars_of_vars}', '${"v"}'],
  ['${((vars // )\n ) [ ("\\x74ext") ])}', '${(("a${b}$${c}\\"\'\\\\}"))}'],
  ['${has((each).key)}', '${has(({"it": "a"}.it))}'],
  ["${file( // )\n 'b')}", '${"of b: \\u0007${}\\""}'],
  ["${file('c/' + vars.gone) + vars.vars_of_vars}", `\${file('c/' + vars.gone) + "v"}`],
])('%s becomes %s', (text, expected) => {
  const { parts } = parseTemplate(text)
  expect(fillInputs({ parts }, (one) => (one.kind === 'vars' && one.name === 'gone' ? undefined : input(one)))).toBe(expected)
})
