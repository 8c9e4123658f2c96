// From a value inside of an expression to one that a manifest can hold.
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { tokenMarkIn } from '../base/token.ts'
import { fail, typeName } from './operators.ts'
import type { Site } from './operators.ts'
import { isInt, list, map, mark, scalar } from './value.ts'
import type { MapKey, Plain, Scalar, Term, Value } from './value.ts'

/** What a value takes beside its texts. */
export const bytesPerValue = 64
const reservedKeys: ReadonlySet<MapKey> = new Set(['__proto__', 'constructor', 'prototype'])

/** The same value without CEL's own types, sensitive down to its leaves; throws an ExpressionError for what no manifest can hold. */
export function settle(term: Term, site: Site): Value {
  site.spend(1)
  site.make(bytesPerValue)
  if (term.kind === 'unknown') return term
  if (term.kind === 'scalar') return scalar(plain(term.scalar, term.sensitive, site), term.sensitive)
  if (term.kind === 'list') {
    const items = term.items.map((item) => settle(mark(item, term.sensitive), site))
    return list(items, term.sensitive)
  }
  const entries = new Map<string, Value>()
  for (const [key, member] of term.entries) {
    if (typeof key !== 'string') fail(site, 'the keys of a map in a manifest are strings')
    checkMarks(key, term.sensitive, site)
    if (reservedKeys.has(key)) fail(site, 'the keys __proto__, constructor and prototype are not allowed')
    entries.set(key, settle(mark(member, term.sensitive), site))
  }
  return map(entries, term.sensitive, term.sensitiveKeys)
}

function checkMarks(text: string, sensitive: boolean, site: Site): void {
  const mark = tokenMarkIn(text)
  if (mark !== undefined) fail(site, `the control character ${sensitive ? '(sensitive value)' : mark} is not allowed in a text`)
}

function plain(value: Scalar, sensitive: boolean, site: Site): Plain {
  if (value instanceof UnsignedInt) return isInt(value.value) ? value.value : fail(site, 'the integer does not fit 64 bits with a sign')
  if (typeof value === 'number' && !Number.isFinite(value)) fail(site, 'infinity and NaN are no values of a manifest')
  if (typeof value === 'string') checkMarks(value, sensitive, site)
  if (value === null || typeof value !== 'object') return value
  const hint = value instanceof Uint8Array || value instanceof Date || value instanceof Duration ? '; string(x) makes text' : ''
  return fail(site, `a value of type ${typeName(scalar(value))} cannot stand in a manifest${hint}`)
}
