// Values that are not known yet, but surely of a type: what no value of the type gets through is refused, and nothing else.
import { expect, test } from 'vitest'
import type { Rendered, Scope } from './evaluate.ts'
import { renderTemplate } from './evaluate.ts'
import { parseTemplate } from './template.ts'
import { holdsSensitive, list, scalar, unknown, valueOf } from './value.ts'
import type { SureType, Value } from './value.ts'

const types: readonly SureType[] = ['string', 'int', 'bool', 'list', 'map']

/** What a value of a type can turn out to be, absent included. */
const values: Readonly<Record<SureType, readonly Value[]>> = {
  string: ['', 'a', '1', '10.0.0.0/24', 'true', '2026-01-01T00:00:00Z', '1s', '%s', 'üñ😀'].map((text) => scalar(text)),
  int: [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 1.5, 1e300].map((number) => scalar(number)),
  bool: [true, false].map((one) => scalar(one)),
  list: [[], ['a'], ['', '1'], [1n, 2n]].map((items) => list(items.map((one) => scalar(one)))),
  map: [{}, { a: 'b' }, { a: 'c', 11: '10.0.0.2' }].map((members) => valueOf(members)),
}
const nothing = scalar(null)

function scopeOf(variable: (name: string) => Value): Scope {
  const none = () => ({ kind: 'error' as const, message: 'there is none' })
  return { each: undefined, variable, keysOf: () => undefined, resource: none, lookup: none, file: none }
}

const secret = scalar('s', true)

const given = (name: string): Value => {
  if (name === 'secret') return secret
  const type = types.find((one) => name.startsWith(one))
  return unknown([`Vpc/new.${name}`], false, false, type)
}

const bare = (name: string): Value => (name === 'secret' ? secret : unknown([`Vpc/new.${name}`]))

function render(text: string, variable: (name: string) => Value): Rendered {
  const parsed = parseTemplate(text)
  if (!parsed.ok) throw new Error(`${text} does not parse`)
  return renderTemplate(parsed.parts, scopeOf(variable))
}

function told(text: string, variable = given): string {
  const found = render(text, variable)
  if (!found.ok) return found.mistakes.map((one) => one.message).join('; ')
  return found.value.kind === 'unknown' ? `unknown ${found.value.type ?? 'dyn'}` : found.value.kind === 'scalar' ? String(found.value.scalar) : found.value.kind
}

test.each([
  ["${vars.int + 'a'}", '`+` does not fit int and string; string(x) makes text'],
  ['${string(vars.list)}', 'string(list) does not exist; json(x) gives its text'],
  ["${'a' in vars.string}", '`in` needs a list or a map, not string'],
  ['${vars.string[0]}', 'string cannot be indexed'],
  ["${cidr_host('10.0.0.0/24', vars.string)}", 'cidr_host needs string, int, not string, string'],
  ['${vars.string ? 1 : 2}', '?: needs a bool, not string'],
  ['${!vars.string}', '`!` does not fit string'],
  ['${-vars.bool}', '`-` does not fit bool'],
  ['${vars.int < vars.string}', '`<` does not fit int and string'],
  ['${int(vars.bool)}', 'int(bool) does not exist'],
  ['${size(vars.int)}', 'size(int) does not exist'],
  ['${base64(vars.map)}', 'base64(map) does not exist; json(x) gives the text of a value'],
  ["${vars.int.startsWith('a')}", 'x.startsWith(string) on int does not exist'],
  ["${vars.int.matches('a')}", 'matches(int, string) does not exist'],
  ["${vars.list.split(',')}", 'x.split(string) on list does not exist'],
  ["${vars.string.join(',')}", 'x.join(string) on string does not exist'],
  ["${vars.int.format(['a'])}", 'x.format(list) on int does not exist'],
  ['${vars.string.map(x, x)}', 'a macro runs over a list or a map, not string'],
  ['${[1].filter(x, vars.int)}', 'filter needs a bool, not int'],
  ['${vars.string && true}', '`&&` needs a bool, not string'],
  ['${[vars.int].map(x, x.field)}', "int has no field 'field'"],
  ['${[1][vars.string]}', 'the index of a list is an int, not string'],
  ['the ${vars.list}', 'a list cannot stand in text; write json(…)'],
])('%s is refused in the words of a value that is known', (text, message) => {
  expect(told(text)).toBe(message)
  const type = types.find((one) => text.includes(`vars.${one}`)) ?? 'int'
  if (!text.includes('vars.int < ')) expect(told(text, () => values[type][1] ?? nothing)).toBe(message)
})

test.each([
  ['${vars.string}', 'unknown string'],
  ['${sensitive(vars.int)}', 'unknown int'],
  ['${size(vars.string)}', 'unknown dyn'],
  ['${type(vars.string)}', 'unknown dyn'],
  ["${[vars.map].map(x, x.field)[0] + 'a'}", 'unknown dyn'],
  ['${vars.list[0] + 1}', 'unknown dyn'],
  ['${base64(vars.string) + sha256(vars.string)}', 'unknown dyn'],
  ['${vars.int + vars.int}', 'unknown dyn'],
  ['${vars.int * 2.0}', 'unknown dyn'],
  ['${vars.int + vars.open}', 'unknown dyn'],
  ['${vars.int == vars.string}', 'unknown dyn'],
  ['${vars.string in [1]}', 'unknown dyn'],
  ['${vars.list + [1]}', 'unknown dyn'],
  ["${'%d and %s'.format([vars.int, vars.list])}", 'unknown dyn'],
  ['${timestamp(vars.int) < timestamp(vars.string)}', 'unknown dyn'],
  ["${vars.string + 1 == 'a' || true}", 'true'],
  ["${vars.open ? vars.int + 'a' : 'b'}", 'unknown dyn'],
  ['the ${vars.int}', 'unknown dyn'],
])('%s is %s: nothing can be said against it', (text, expected) => {
  expect(told(text)).toBe(expected)
})

/** Numbers from 0 to below 1 that a seed gives. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const leaves = [
  ...types.flatMap((one) => [`vars.${one}`, `vars.${one}`]),
  'vars.open',
  'vars.secret',
  'null',
  '1',
  '-2',
  '1.5',
  'uint(1)',
  'true',
  "'a'",
  "'1'",
  "b'x'",
]
const more = ["['a']", '[1, 2]', "{'a': 'b'}", "timestamp('2026-01-01T00:00:00Z')", "duration('1s')", 'type(1)', "'10.0.0.0/24'", '[]']
const operators = ['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', '&&', '||', 'in']
const unaries = ['!(A)', '-(A)', ...['size', 'dyn', 'type', 'string', 'int', 'uint', 'double', 'bool', 'bytes', 'timestamp'].map((name) => `${name}(A)`)]
const others = [
  'duration(A)',
  'json(A)',
  'base64(A)',
  'sha256(A)',
  'sensitive(A)',
  '[A]',
  "{'a': A}",
  '[A, B]',
  'strings.quote(A)',
  '(A).field',
  '(A).a',
  "(A)['a']",
]
const macros = ['all', 'exists', 'exists_one', 'map', 'filter'].flatMap((name) => [`(A).${name}(x, B)`, `[1, 2].${name}(x, A)`, `(A).${name}(x, x == B)`])
const calls = [
  '(A)[B]',
  '(A) ? (B) : (C)',
  '(A) ? (B) : (C)',
  'cidr_host(A, B)',
  'cidr_subnet(A, B, C)',
  'matches(A, B)',
  "'%s %s'.format([A, B])",
  '(A).format(B)',
]
const methods = ['startsWith(B)', 'endsWith(B)', 'contains(B)', 'trim()', 'charAt(B)', 'indexOf(B)', 'indexOf(B, C)', 'lastIndexOf(B)', 'substring(B)']
const longer = ['substring(B, C)', 'replace(B, C)', 'lowerAscii()', 'reverse()', 'split(B)', 'split(B, C)', 'join()', 'join(B)', 'size()', 'matches(B)']
const timed = ['getFullYear()', 'getHours()', 'getHours(B)', 'getSeconds()']
const shapes = [
  ...operators.flatMap((one) => Array.from({ length: 6 }, () => `(A) ${one} (B)`)),
  ...unaries.concat(others, macros, calls),
  ...methods.concat(longer, timed).map((one) => `(A).${one}`),
]

function expressionFrom(random: () => number, depth: number): string {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? 'null'
  if (depth === 0 || random() < 0.15) return pick(random() < 0.7 ? leaves : more)
  return pick(shapes).replace(/\b[ABC]\b/g, () => expressionFrom(random, depth - 1))
}

/** Each variable one value of its type, or what an untyped one may be; in each round other ones. */
function chosen(random: () => number): (name: string) => Value {
  const of = (from: readonly Value[]) => from[Math.floor(random() * from.length)] ?? nothing
  const all = types.flatMap((type) => values[type])
  const picked = new Map<string, Value>(types.map((type) => [type, random() < 0.15 ? nothing : of(values[type])]))
  const open = of([...all, nothing])
  return (name) => (name === 'secret' ? secret : (picked.get(name) ?? open))
}

test('whatever is refused for types alone is refused with every value of them', () => {
  const random = numbersFrom(20_261)
  let refusals = 0
  const wrong: string[] = []
  for (let count = 0; count < 6000; count += 1) {
    const source = `\${${expressionFrom(random, 1 + Math.floor(random() * 3))}}`
    const text = random() < 0.1 ? `x ${source}` : source
    const planned = parseTemplate(text).ok ? render(text, given) : undefined
    if (!planned || planned.ok || !render(text, bare).ok) continue
    refusals += 1
    const rounds = Array.from({ length: 40 }, () => chosen(random))
    if (rounds.some((one) => render(text, one).ok)) wrong.push(`${text}: ${told(text)}`)
  }
  expect(wrong).toEqual([])
  expect(refusals).toBeGreaterThan(300)
})

test('what is known of a plan as it is refined stays as it was: no value is another one with types than without', () => {
  const random = numbersFrom(7)
  const wrong: string[] = []
  for (let count = 0; count < 3000; count += 1) {
    const text = `\${${expressionFrom(random, 2)}}`
    if (!parseTemplate(text).ok) continue
    const [typed, untyped] = [render(text, given), render(text, bare)]
    if (!typed.ok || !untyped.ok) continue
    const shown = [typed, untyped].map(({ value }) =>
      value.kind === 'unknown' ? 'unknown' : JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one)),
    )
    const isNarrower = shown[0] !== shown[1] && shown[1] !== 'unknown' && !shown[1]?.includes('"unknown"')
    if (isNarrower) wrong.push(`${text}: ${shown.join(' ')}`)
  }
  expect(wrong).toEqual([])
})

test('what is sensitive with any value is sensitive with a type alone, as it is without', () => {
  const random = numbersFrom(31)
  const forked = [
    '(A) ? vars.secret : (B)',
    '(A) || vars.secret == (B)',
    'vars.list.map(x, A)',
    'vars.list.map(x, string(x) == (A) ? vars.secret : (B))',
    'vars.list.filter(x, A)',
  ]
  const wrong: string[] = []
  for (let count = 0; count < 2000; count += 1) {
    const shape = forked[count % forked.length] ?? ''
    const text = `\${${shape.replaceAll(/\b[AB]\b/g, () => expressionFrom(random, Math.floor(random() * 3)))}}`
    if (!parseTemplate(text).ok) continue
    const [typed, untyped] = [render(text, given), render(text, bare)]
    if (!typed.ok || !untyped.ok || holdsSensitive(typed.value) || !holdsSensitive(untyped.value)) continue
    for (let round = 0; round < 30; round += 1) {
      const found = render(text, chosen(random))
      if (found.ok && holdsSensitive(found.value)) wrong.push(text)
    }
  }
  expect(wrong).toEqual([])
  const chosenBySecret = "${vars.list.map(x, string(x) == '1' ? vars.secret : 'b')}"
  expect(render(chosenBySecret, given)).toMatchObject({ ok: true, value: { kind: 'unknown', sensitive: true } })
})

test('a type, where a value has one, is that of every value that it can turn out to be', () => {
  const random = numbersFrom(99)
  const nameOf: Readonly<Record<string, SureType>> = { string: 'string', bigint: 'int', number: 'int', boolean: 'bool' }
  const wrong: string[] = []
  for (let count = 0; count < 4000; count += 1) {
    const text = `\${${expressionFrom(random, 1 + Math.floor(random() * 2))}}`
    const planned = parseTemplate(text).ok ? render(text, given) : undefined
    if (!planned?.ok || planned.value.kind !== 'unknown' || planned.value.type === undefined) continue
    for (let round = 0; round < 10; round += 1) {
      const found = render(text, chosen(random))
      if (!found.ok || (found.value.kind === 'scalar' && found.value.scalar === null)) continue
      const type = found.value.kind === 'scalar' ? nameOf[typeof found.value.scalar] : found.value.kind
      if (type !== planned.value.type) wrong.push(`${text}: ${type} is no ${planned.value.type}`)
    }
  }
  expect(wrong).toEqual([])
})
