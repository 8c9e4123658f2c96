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
  'Vpc[vars.names.one["x"]].id',
  'Vpc[each["key"]].id + vars.long',
]
const piece = fc.oneof(
  fc.constantFrom('a', '$', '{', '}', '$${', '"', "'", '\\', '$$${', ' vars.int '),
  fc.constantFrom(...expressions).map((source) => `\${${source}}`),
)

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

test('a text gives the same with its inputs written out', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (pieces) => {
      const before = parseTemplate(pieces.join(''))
      fc.pre(before.ok)
      const after = parseTemplate(fillInputs(before, input), { filled: true })
      expect(after.ok).toBe(true)
      const [expected, found] = [renderTemplate(before.parts, known), renderTemplate(after.parts, later)]
      expect(found.ok && found.value).toEqual(expected.ok && expected.value)
    }),
    { numRuns: 500 },
  )
})
