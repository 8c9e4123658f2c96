// Laws of evaluation: what becomes known never contradicts what was said before, and no secret shows in what is not sensitive.
import { describe, expect, test } from 'vitest'
import { longForm } from '../../test/builders/long-form.ts'
import { fc } from '../../test/builders/properties.ts'
import type { Result, Scope } from './evaluate.ts'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import type { Value } from './value.ts'
import { list, map, mark, scalar, unknown } from './value.ts'

interface Inputs {
  readonly int: bigint
  readonly bool: boolean
  readonly text: string
  readonly items: readonly bigint[]
}

const inputs = fc.record<Inputs>({
  int: fc.bigInt({ min: -3n, max: 3n }),
  bool: fc.boolean(),
  text: fc.constantFrom('', 'a', 'ab', '1'),
  items: fc.array(fc.bigInt({ min: 0n, max: 2n }), { maxLength: 3 }),
})

type Parts = readonly (string | fc.Arbitrary<string>)[]

/** What fails for some inputs where a bool is expected, beside a side of `&&` or `||` that makes it good or does not. */
function failing(of: (...parts: Parts) => fc.Arbitrary<string>, ...[bool, text, items]: readonly [fc.Arbitrary<string>, ...fc.Arbitrary<string>[]]) {
  const absorbed = fc.constantFrom(' || true', ' && false', ' || vars.kBool', ' && vars.vBool', '')
  const wrong = fc.constantFrom('[][0]', '1', '"a".matches("(")', '(1 / 0 == 1)', '{}.a')
  return [
    of('((', bool, ' ? ', wrong, ' : ', bool, ')', absorbed, ')'),
    of('((', bool, ' ? ', bool, ' : ', wrong, ')', absorbed, ')'),
    of('(', items ?? '[]', fc.constantFrom('.exists(x, ', '.all(x, '), bool, ')', absorbed, ')'),
    of('(', text ?? '""', '.matches(', text ?? '""', ' + ', fc.constantFrom('"("', '""'), ')', absorbed, ')'),
    of('(bool(', text ?? '""', ')', absorbed, ')'),
    of('(cel.bind(y, ', bool, ', y && ', bool, ' || ', wrong, ')', absorbed, ')'),
  ]
}

/** What computes a value that comes to nothing, good or wrong, beside a side of `&&` or `||`. */
function dropping(of: (...parts: Parts) => fc.Arbitrary<string>, bool: fc.Arbitrary<string>, any: fc.Arbitrary<string>) {
  const absorbed = fc.constantFrom(' || true', ' && false', ' || vars.kBool', ' && vars.kBool', '')
  return [
    of('([', any, ', ', bool, '][1]', absorbed, ')'),
    of('({"a": ', any, ', "b": ', bool, '}.b', absorbed, ')'),
    of('([', any, '].exists(x, ', bool, ')', absorbed, ')'),
    of('(size([', any, ']) == 1', absorbed, ')'),
    of('[1, 2].', fc.constantFrom('exists', 'all'), '(x, [', any, ', x == 2][1])'),
    of('(cel.bind(y, ', any, ', ', bool, ')', absorbed, ')'),
  ]
}

/** Expressions over inputs `vars.v*` and constants; most of them fit their types. */
const { bool: expression } = fc.letrec<{ bool: string; int: string; text: string; items: string; any: string }>((tie) => {
  const [bool, int, text, items] = [tie('bool'), tie('int'), tie('text'), tie('items')]
  const of = (...parts: Parts) => fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''))
  const operator = (...names: string[]) => fc.constantFrom(...names)
  return {
    any: fc.oneof({ maxDepth: 4, depthIdentifier: 'e' }, int, bool, text, items),
    bool: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'e', withCrossShrink: true },
      fc.constantFrom('vars.vBool', 'true', 'false', 'vars.kBool', 'vars.kOpen'),
      of('(', bool, operator(' && ', ' || '), bool, ')'),
      of('(', int, operator(' < ', ' == ', ' != '), int, ')'),
      of('(', tie('any'), ' == ', tie('any'), ')'),
      of('(', int, ' in ', items, ')'),
      of(items, operator('.all(x, ', '.exists(x, ', '.exists_one(x, '), operator('x == ', 'x < '), int, ')'),
      of('!', bool),
      of(text, '.startsWith(', text, ')'),
      of('(', bool, ' ? ', bool, ' : ', bool, ')'),
      of('has({"a": ', tie('any'), '}.a)'),
      ...failing(of, bool, text, items),
      ...dropping(of, bool, tie('any')),
    ),
    int: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'e' },
      fc.constantFrom('vars.vInt', '0', '1', 'vars.kInt'),
      of('(', int, operator(' + ', ' - ', ' * ', ' / '), int, ')'),
      of('size(', fc.oneof(text, items), ')'),
      of('(', bool, ' ? ', int, ' : ', int, ')'),
      of(items, '[', int, ']'),
      of('int(', text, ')'),
      of('{"a": ', int, ', ', text, ': 1}["a"]'),
    ),
    text: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'e' },
      fc.constantFrom('vars.vText', '"a"', '"b"', 'vars.kText'),
      of('(', text, ' + ', text, ')'),
      of('string(', int, ')'),
      of('json(', tie('any'), ')'),
      of('(', bool, ' ? ', text, ' : ', text, ')'),
      of(text, '.replace("a", ', text, ')'),
      of('"%s".format([', tie('any'), '])'),
    ),
    items: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'e' },
      fc.constantFrom('vars.vItems', '[1, 2]', '[]', 'vars.kItems'),
      of('[', int, ', ', int, ']'),
      of('(', items, ' + ', items, ')'),
      of(items, '.map(x, ', operator('x + ', 'x - '), int, ')'),
      of(items, '.filter(x, ', bool, ')'),
      of(items, '.filter(x, x < ', int, ')'),
      of('(', bool, ' ? ', items, ' : ', items, ')'),
    ),
  }
})

const anyExpression = fc
  .tuple(expression, fc.constantFrom('@', '[@, vars.vInt, vars.kInt]', '{"a": @, "b": vars.vItems}', '(@ ? vars.vItems : [vars.vInt])'))
  .map(([inner, frame]) => frame.replace('@', () => inner))
const fixed: Inputs = { int: 1n, bool: true, text: 'a', items: [0n, 1n] }

function valuesOf(prefix: string, from: Inputs): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    [`${prefix}Int`, scalar(from.int)],
    [`${prefix}Bool`, scalar(from.bool)],
    [`${prefix}Text`, scalar(from.text)],
    [`${prefix}Open`, unknown(['Vpc/open.id'])],
    [`${prefix}Users`, list([])],
    [`${prefix}Items`, list(from.items.map((item) => scalar(item)))],
  ])
}

function result(source: string, change: (name: string, value: Value) => Value, from: Inputs, open?: Value): Result {
  const variables = new Map([...valuesOf('v', from), ...valuesOf('k', fixed), ...(open ? [['kOpen', open] as const] : [])])
  const scope: Scope = {
    each: undefined,
    variable: (name) => {
      const value = variables.get(name)
      if (!value) return { kind: 'error', message: `no variable ${name}` }
      return name.startsWith('v') ? change(name, value) : value
    },
    keysOf: () => undefined,
    resource: () => ({ kind: 'error', message: 'no resource' }),
    lookup: () => ({ kind: 'error', message: 'no lookup' }),
    file: () => ({ kind: 'error', message: 'no file' }),
  }
  const parsed = parseExpression(source)
  if (!parsed.ok) throw new Error(`${source}: ${parsed.message}`)
  return evaluate(parsed.parsed, scope)
}

/** Whether a later value agrees with an earlier one: all that was known is the same. */
function refines(early: Value, late: Value): boolean {
  if (early.kind === 'unknown') return true
  if (early.kind === 'scalar') return late.kind === 'scalar' && Object.is(early.scalar, late.scalar)
  if (early.kind === 'list')
    return late.kind === 'list' && early.items.length === late.items.length && early.items.every((item, index) => agrees(item, late.items[index]))
  return late.kind === 'map' && early.entries.size === late.entries.size && [...early.entries].every(([key, member]) => agrees(member, late.entries.get(key)))
}

/** Whether a later result keeps to what an earlier one said; a mistake may turn up late, and one that was told stays one. */
function staysTrue(early: Result, late: Result): boolean {
  if (!early.ok) return !late.ok
  return !late.ok || refines(early.value, late.value)
}

function agrees(early: Value, late: Value | undefined): boolean {
  return late !== undefined && refines(early, late)
}

/** Whether what is known of both is the same. */
function isOpenTo(one: Value, other: Value): boolean {
  if (one.kind === 'unknown' || other.kind === 'unknown') return true
  if (one.kind === 'scalar') return other.kind === 'scalar' && Object.is(one.scalar, other.scalar)
  if (one.kind === 'list')
    return other.kind === 'list' && one.items.length === other.items.length && one.items.every((item, index) => isOpenTo(item, other.items[index] ?? item))
  return (
    other.kind === 'map' &&
    one.entries.size === other.entries.size &&
    [...one.entries].every(([key, member]) => other.entries.has(key) && isOpenTo(member, other.entries.get(key) ?? member))
  )
}

/** Whether two results differ at most in what is sensitive in both: that one of them is hidden tells, too. */
function sameToEyes(one: Value, other: Value): boolean {
  if (one.sensitive !== other.sensitive) return false
  if (one.sensitive) return true
  if (one.kind === 'unknown') return other.kind === 'unknown' && one.origins.join() === other.origins.join()
  if (one.kind === 'list' && other.kind === 'list')
    return one.items.length === other.items.length && one.items.every((item, index) => alike(item, other.items[index]))
  if (one.kind === 'map' && other.kind === 'map')
    return one.entries.size === other.entries.size && [...one.entries].every(([key, member]) => alike(member, other.entries.get(key)))
  return one.kind === 'scalar' && other.kind === 'scalar' && Object.is(one.scalar, other.scalar)
}

function alike(one: Value, other: Value | undefined): boolean {
  return other !== undefined && sameToEyes(one, other)
}

describe('laws', { tags: ['longer'] }, () => {
  const runs = { numRuns: longForm(3000, 1000) }
  const names = ['vInt', 'vBool', 'vText', 'vItems']
  const some = fc.subarray(names, { minLength: 1 })

  test('knowing more never contradicts what was known', () => {
    fc.assert(
      fc.property(anyExpression, inputs, some, (source, values, hidden) => {
        const early = result(source, (name, value) => (hidden.includes(name) ? unknown([name]) : value), values)
        const late = result(source, (_, value) => value, values)
        if (staysTrue(early, late)) return true
        // A mistake that turns up beside what is still open leaves the whole open: what was said is so at every end.
        const ends = [true, false].map((open) => result(source, (_, value) => value, values, scalar(open)))
        return late.ok && (!early.ok || isOpenTo(early.value, late.value)) && ends.every((end) => staysTrue(early, end))
      }),
      runs,
    )
  })

  test('two secrets give the same to whoever does not see sensitive values', () => {
    fc.assert(
      fc.property(anyExpression, inputs, inputs, fc.subarray(names), (source, values, others, open) => {
        const hide = (name: string, value: Value) => (open.includes(name) ? unknown([name]) : mark(value, true))
        const one = result(source, hide, values)
        const other = result(source, hide, others)
        return !one.ok || !other.ok || sameToEyes(one.value, other.value)
      }),
      runs,
    )
  })

  test('being sensitive changes no value, and being unknown loses no sensitivity', () => {
    fc.assert(
      fc.property(anyExpression, inputs, (source, values) => {
        const plain = result(source, (_, value) => value, values)
        const marked = result(source, (_, value) => mark(value, true), values)
        expect(marked.ok).toBe(plain.ok)
        if (plain.ok && marked.ok) expect(refines(plain.value, marked.value)).toBe(true)
        const open = result(source, (name) => unknown([name], true), values)
        if (open.ok && open.value.kind === 'unknown' && !source.includes('kOpen')) expect(open.value.sensitive).toBe(true)
      }),
      runs,
    )
  })
})

describe('an error that is passed over is as sensitive as what brought it about', () => {
  const sources = [
    "(vars.vText.substring(0, 1) == 'a' ? [][0] : false) || true",
    "(vars.vText.substring(0, 1) == 'a' ? [][0] : true) && false",
    '(int(vars.vText) > 0) || true',
    "vars.vText.matches('(') || true",
    "(vars.vText == 'a' ? 1 : false) || true",
    "(vars.vText == 'a' || [][0]) || true",
    "(vars.vText == '1' && [][0]) || true",
    "[1].exists(x, vars.vText == 'a' ? [][0] : false) || true",
    "[1, 2].exists(x, x == 2 || (vars.vText == 'a' ? [][0] : false))",
    "[1, 2].all(x, x == 1 && (vars.vText == 'a' ? [][0] : true))",
    "cel.bind(y, vars.vText, y == 'a' ? [][0] : false) || true",
    "(vars.vText == 'a' ? [][0] : false) || vars.kOpen",
    "vars.kOpen ? (vars.vText == 'a' ? [][0] : false) : false",
    "[1].filter(x, vars.kOpen).map(x, vars.vText == 'a' ? [][0] : false)",
    "[1].map(x, vars.kOpen, vars.vText == 'a' ? [][0] : false)",
    "vars.kOpen.map(x, vars.vText == 'a' ? [][0] : false)",
    "[1].map(x, [0][vars.vText.substring(0, 1) == 'a' ? 0 : 5]).exists(x, true) || true",
    "[1, 2].exists(x, [[0][vars.vText == 'a' || x == 2 ? 0 : 5], x == 2][1])",
    "[1, 2].all(x, [vars.vText == 'a' ? 0 : [][0], x == 2][1]) || true",
    "[int(vars.vText == 'a' ? 'a' : '1'), true][1] || true",
    "vars.kOpen ? [int(vars.vText == 'a' ? 'a' : '1'), true][1] : false",
    "{vars.vText: 1, 'a': 2}.size() == 2 || true",
    "size([{'b': 1}[vars.vText == 'a' ? 'a' : 'b']]) == 1 || true",
    "size([{'t': vars.vText}.map(k, k == 't' ? -{'a': 'b', '1': 1}[vars.vText] : 1)]) == 1 || true",
  ]
  test.each(sources)('%s', (source) => {
    for (const text of ['a', '1']) {
      const found = result(source, (_, value) => mark(value, true), { ...fixed, text })
      expect(found.ok && found.value.sensitive, text).toBe(true)
    }
  })
  const shown = [
    'vars.vUsers.exists(u, u.admin)',
    'vars.vUsers.exists(u, u.admin) || [][0]',
    'vars.vUsers.all(u, has(u.password) && u.admin) || true',
    'vars.vUsers.exists(u, u.guest) || true',
    "vars.vUsers.map(u, {'known': u.password != '', 'admin': u.admin}).exists(u, u.admin) || false",
    '(vars.vUsers + vars.vUsers).exists(u, u.admin) || false',
    'size(vars.vUsers) == 1 || false',
    '[vars.vUsers[0].password, true][1] || false',
  ]
  test.each(shown)('%s rests on nothing sensitive', (source) => {
    const user = map(
      new Map<string, Value>([
        ['admin', scalar(true)],
        ['password', scalar('a', true)],
      ]),
    )
    const found = result(source, (name, value) => (name === 'vUsers' ? list([user]) : value), fixed)
    expect(found).toMatchObject({ ok: true, value: { scalar: true, sensitive: false } })
  })
  test('and what has nothing sensitive in it is not', () => {
    const found = result("((vars.vText == 'b') == vars.kBool) == true && ([][0] || true)", (_, value) => value, fixed)
    expect(found).toMatchObject({ ok: true, value: { scalar: false, sensitive: false } })
    const beside = result('[vars.vText, [1].exists(x, [][0]) || true]', (_, value) => mark(value, true), fixed)
    expect(beside).toMatchObject({ ok: true, value: { items: [{ sensitive: true }, { scalar: true, sensitive: false }] } })
  })
})
