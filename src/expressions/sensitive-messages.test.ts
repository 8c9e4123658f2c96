// No message of any function, operator or macro holds anything of a sensitive value.
import { describe, expect, test } from 'vitest'
import { campaign } from '../../test/builders/long-form.ts'
import { fc } from '../../test/builders/properties.ts'
import type { Scope } from './evaluate.ts'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { argumentCounts, functionNames } from './functions.ts'
import { macroNames } from './tree.ts'
import { mark, scalar, valueOf } from './value.ts'
import type { Value } from './value.ts'

/** Sensitive values with what of them would be seen in a message. */
const canaries: readonly (readonly [Value, string])[] = [
  ...['ж', 'ж%s', '(ж', '[ж-', 'ж{9999}', '\\ж', '10.0.0.0/ж', '2024-01-01T00:00:00ж', '10sж'].map((text) => [scalar(text), 'ж'] as const),
  ...['%Q', '%s%Q', '%X%Q'].map((text) => [scalar(text), 'Q'] as const),
  [scalar('\u0001'), 'U+0001'],
  [scalar(777_777n), '777777'],
  [scalar(-777_777.5), '777777'],
  [valueOf(['ж', 'ж']), 'ж'],
  [valueOf({ ж: 'ж', constructor: 'ж' }), 'ж'],
]
const plain: Readonly<Record<string, Value>> = {
  text: scalar('a'),
  pattern: scalar('%s %d'),
  range: scalar('10.0.0.0/8'),
  int: scalar(2n),
  large: scalar(9223372036854775807n),
  double: scalar(1.5),
  none: scalar(null),
  list: valueOf(['a', 1, null]),
  map: valueOf({ a: 1 }),
}

const operand = fc.constantFrom(
  'vars.secret',
  'vars.secret',
  'vars.secret',
  'dyn([vars.secret])',
  '{"a": vars.secret}',
  ...Object.keys(plain).map((name) => `vars.${name}`),
  'timestamp("2024-01-01T00:00:00Z")',
  'bytes("a")',
)
const calls = [
  ...functionNames(false).flatMap((name) => countsOf(name, false).map((count) => ({ name, count, isMethod: false }))),
  ...functionNames(true).flatMap((name) => countsOf(name, true).map((count) => ({ name, count, isMethod: true }))),
]
const operators = ['+', '-', '*', '/', '%', '<', '==', 'in', '&&', '||']

/** Every number of arguments that a function takes; none for a macro. */
function countsOf(name: string, isMethod: boolean): readonly number[] {
  const [least = 0, most = -1] = argumentCounts(name, isMethod) ?? []
  return Array.from({ length: most - least + 1 }, (_, at) => least + at)
}

const called = fc.tuple(fc.constantFrom(...calls), fc.array(operand, { minLength: 4, maxLength: 4 })).map(([{ name, count, isMethod }, [on = '', ...args]]) => {
  const list = args.slice(0, count).join(', ')
  return isMethod ? `${on}.${name}(${list})` : `${name}(${list})`
})
const combined = fc.tuple(operand, fc.constantFrom(...operators), operand).map(([a, operator, b]) => `(${a} ${operator} ${b})`)
const looped = fc.tuple(operand, fc.constantFrom(...macroNames), operand).map(([a, macro, b]) => `${a}.${macro}(x, x == ${b})`)
const taken = fc.tuple(operand, operand).map(([a, b]) => `${a}[${b}]`)
const others = fc
  .tuple(operand, fc.constantFrom('X.key', '-X', '!X', 'X ? 1 : 2', '{X: 1, X: 2}', 'Vpc[X].id', 'Vpc["m"][X].id', 'file(X)', 'lookup("Plan", X)'))
  .map(([a, shape]) => shape.replaceAll('X', () => a))
const inner = fc.oneof(called, combined, looped, taken, others)
const nested = fc
  .tuple(inner, fc.constantFrom('X', 'X', 'string(X)', 'json(X)', 'X + "a"', 'int(X)', '[X].join(",")', '"%d".format([X])', '"a".matches(X)'))
  .map(([source, shape]) => shape.replace('X', () => source))

function scopeOf(secret: Value): Scope {
  const refused = { kind: 'error', message: 'not there' } as const
  return {
    each: undefined,
    variable: (name) => (name === 'secret' ? mark(secret, true) : (plain[name] ?? refused)),
    keysOf: () => new Set(['a']),
    resource: (_, name) => ({ kind: 'error', message: `no ${name}` }),
    lookup: (_, name) => ({ kind: 'error', message: `no ${name}` }),
    file: (path) => ({ kind: 'error', message: `no ${path}` }),
  }
}

function expectNothingOf([secret, needle]: (typeof canaries)[number], source: string): void {
  const parsed = parseExpression(source)
  const found = parsed.ok ? evaluate(parsed.parsed, scopeOf(secret)) : undefined
  if (found?.ok === false) expect(found.message, source).not.toContain(needle)
}

describe('a message holds nothing of a sensitive value', () => {
  test.each(calls)('as an argument of $name', ({ name, count, isMethod }) => {
    const places = isMethod ? count + 1 : count
    for (let at = 0; at < places; at += 1)
      for (const others of ['vars.text', 'vars.int', 'vars.list', 'vars.secret', 'vars.range']) {
        const [on = '', ...args] = Array.from({ length: places }, (_, index) => (index === at ? 'vars.secret' : others))
        const source = isMethod ? `${on}.${name}(${args.join(', ')})` : `${name}(${[on, ...args].join(', ')})`
        for (const canary of canaries) expectNothingOf(canary, source)
      }
  })
  test('whatever is done with it', { tags: ['longer'] }, () => {
    fc.assert(
      fc.property(nested, fc.constantFrom(...canaries), (source, canary) => expectNothingOf(canary, source)),
      { numRuns: campaign(200_000, 40_000, 8000) },
    )
  })
})

test('what is written itself is told, beside something sensitive too', () => {
  const parsed = parseExpression('"%d".format([vars.secret])')
  expect(parsed.ok && evaluate(parsed.parsed, scopeOf(scalar('a')))).toMatchObject({ ok: false, message: '%d does not fit its argument' })
})
