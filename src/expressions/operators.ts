// CEL's operators on known scalars, done by the CEL library, and equality over whole values.
import { Environment, EvaluationError, TypeError as CelTypeError } from '@marcbachmann/cel-js'
import type { ParseResult } from '@marcbachmann/cel-js'
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { nanosOf, ofTimes } from './duration.ts'
import { TextError } from './text.ts'
import { isWithinYears } from './time.ts'
import { ExpressionError } from './tree.ts'
import { holdsSensitive, holdsUnknown, isInt, list, mark, scalar, unknown, unknownsOf } from './value.ts'
import type { Scalar, SureType, Term, TermMap } from './value.ts'

/** Where in the source something is evaluated, and the account of work that it is charged to. */
export interface Site {
  readonly at: number
  /** Throws an ExpressionError when the expression has done too much. */
  spend(steps: number): void
  /** Told what is made on the way, in bytes. */
  make(bytes: number): void
}

/** The longest text that an expression may make, in UTF-16 units. */
export const maxTextLength = 16 * 1024 * 1024
const unitsPerStep = 4096
const stepsPerMistake = 100
const stepsPerLibraryCall = 4
const environment = new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false })
const compiled = new Map<string, ParseResult>()
const operandNames = ['a', 'b', 'c']
/** Values of each type, as far as the library takes any: which overload is chosen rests on types alone. */
const samples: Readonly<Record<string, readonly Scalar[]>> = { string: ['1'], int: [1n, 1.5], bool: [true] }
/** By source and types, of which there are few: whether no overload takes them. */
const misfits = new Map<string, boolean>()

/** A mistake at this place; one that another side of `||` makes good costs as much as it takes to throw it. */
export function fail(site: Site, message: string): never {
  site.spend(stepsPerMistake)
  throw new ExpressionError(site.at, message)
}

/** CEL's name of the type of a value, for messages and `type()`. */
export function typeName(term: Term): string {
  if (term.kind === 'unknown') return term.type ?? 'dyn'
  return term.kind === 'scalar' ? scalarTypeName(term.scalar) : term.kind
}

function scalarTypeName(value: Scalar): string {
  if (value === null) return 'null_type'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return 'double'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof UnsignedInt) return 'uint'
  if (value instanceof Date) return 'google.protobuf.Timestamp'
  return value instanceof Duration ? 'google.protobuf.Duration' : 'type'
}

const scalarTypes: readonly SureType[] = ['string', 'int', 'bool']

/** Whether something is not known yet, but surely of one of these types, if it is anything. */
export function isSurely(term: Term, types: readonly SureType[] = scalarTypes): boolean {
  return term.kind === 'unknown' && term.type !== undefined && types.includes(term.type)
}

/** Whether what is not known yet may be of this type: then nothing can be said against it. */
export function maybeA(term: Term, type: string | undefined): boolean {
  return term.kind === 'unknown' && (term.type === undefined || term.type === type)
}

/** The unknown that any strict operation on these gives, or undefined when all of them are known throughout. */
export function unknownAmong(terms: readonly Term[]): Term | undefined {
  if (!terms.some(holdsUnknown)) return undefined
  return unknown(
    terms.flatMap((term) => unknownsOf(term)),
    terms.some(holdsSensitive),
  )
}

/** An operator that associates to the left, on two values; not for `&&`, `||`, `in`. */
export function binary(operator: string, left: Term, right: Term, site: Site): Term {
  if (operator === '==' || operator === '!=') return equality(operator === '==', left, right, site)
  if (operator === '+' && maybeList(left) && maybeList(right) && (left.kind === 'unknown' || right.kind === 'unknown'))
    return unknown([...unknownsOf(left), ...unknownsOf(right)], holdsSensitive(left) || holdsSensitive(right))
  if (operator === '+' && left.kind === 'list' && right.kind === 'list') {
    site.spend(left.items.length + right.items.length)
    const items = [...left.items.map((item) => mark(item, left.sensitive)), ...right.items.map((item) => mark(item, right.sensitive))]
    return list(items, left.sensitive || right.sensitive)
  }
  return (
    withTimes(operator, left, right, site) ??
    withTexts(operator, left, right, site) ??
    viaLibrary(`a ${operator} b`, [left, right], site, () => misfit(operator, left, right))
  )
}

function maybeList(term: Term): boolean {
  return term.kind === 'list' || maybeA(term, 'list')
}

/** The library keeps seconds and nanoseconds apart, with signs that differ: sums and comparisons of durations are ours. */
function withTimes(operator: string, left: Term, right: Term, site: Site): Term | undefined {
  if (left.kind !== 'scalar' || right.kind !== 'scalar') return undefined
  try {
    const value = ofTimes(operator, left.scalar, right.scalar)
    if (value === undefined) return undefined
    site.spend(stepsPerLibraryCall)
    return scalar(checked(value, site), left.sensitive || right.sensitive)
  } catch (error) {
    if (error instanceof TextError) return fail(site, error.message)
    throw error
  }
}

/** The library orders texts by UTF-16 units: comparisons of texts, which go by code points, are ours. */
function withTexts(operator: string, left: Term, right: Term, site: Site): Term | undefined {
  if (left.kind !== 'scalar' || right.kind !== 'scalar' || typeof left.scalar !== 'string' || typeof right.scalar !== 'string') return undefined
  const order = /^[<>]/.test(operator) ? codePointOrder(left.scalar, right.scalar) : undefined
  if (order === undefined) return undefined
  site.spend(stepsPerLibraryCall)
  for (const value of [left.scalar, right.scalar]) spendOnText(value, site)
  const holds = operator.startsWith('<') ? order < 0 : order > 0
  return scalar(holds || (operator.endsWith('=') && order === 0), left.sensitive || right.sensitive)
}

/** Below, at or above 0. */
function codePointOrder(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  let at = 0
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  return at === length ? left.length - right.length : rankOf(left.charCodeAt(at)) - rankOf(right.charCodeAt(at))
}

/** Halves of characters beyond the first 65,536 come after all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

function misfit(operator: string, left: Term, right: Term): string {
  const types = [typeName(left), typeName(right)]
  const hint = operator === '+' && types.includes('string') ? '; string(x) makes text' : ''
  return `\`${operator}\` does not fit ${types.join(' and ')}${hint}`
}

/** `!x` and `-x`. */
export function unary(operator: '!' | '-', operand: Term, site: Site): Term {
  if (operator === '-' && operand.kind === 'scalar' && typeof operand.scalar === 'bigint') return binary('-', scalar(0n), operand, site)
  return viaLibrary(`${operator}a`, [operand], site, () => `\`${operator}\` does not fit ${typeName(operand)}`)
}

/**
 * Lets the CEL library evaluate `source` over scalars named a, b and c; unknown and sensitive are carried.
 * `misfitMessage` says what is wrong when no overload takes these types.
 */
export function viaLibrary(source: string, operands: readonly Term[], site: Site, misfitMessage: () => string): Term {
  const sensitive = operands.some(holdsSensitive)
  const open = unknownAmong(operands)
  if (open) return isMisfit(source, operands) ? fail(site, misfitMessage()) : open
  site.spend(stepsPerLibraryCall)
  for (const term of operands) if (term.kind === 'scalar') spendOnText(term.scalar, site)
  const scalars = operands.map((term) => libraryScalar(term) ?? fail(site, misfitMessage()))
  try {
    const context = Object.fromEntries(scalars.map((one, index) => [operandNames[index] ?? '', one.value]))
    return scalar(checked(compile(source)(context), site), sensitive)
  } catch (error) {
    if (error instanceof ExpressionError) throw error
    if (!(error instanceof EvaluationError || error instanceof CelTypeError || error instanceof RangeError)) throw error
    const code = error instanceof RangeError ? 'range' : error.code
    if (code === 'no_such_overload' || code === 'no_matching_overload') return fail(site, misfitMessage())
    return fail(site, sensitive || error instanceof RangeError ? 'this cannot be computed from these values' : error.summary.slice(0, 200))
  }
}

/** Whether the library has no overload of `source` for these, whatever those will be whose type alone is known; what has none takes no null, either. */
function isMisfit(source: string, operands: readonly Term[]): boolean {
  if (!operands.some((one) => one.kind === 'unknown' && one.type !== undefined)) return false
  if (operands.some((one) => one.kind === 'unknown' && one.type === undefined)) return false
  const key = [source, ...operands.map(typeName)].join(' | ')
  const known = misfits.get(key)
  if (known !== undefined) return known
  const found = !hasOverload(source, operands)
  misfits.set(key, found)
  return found
}

function hasOverload(source: string, operands: readonly Term[]): boolean {
  const values = operands.map((one) =>
    one.kind === 'unknown' ? (samples[one.type ?? ''] ?? []) : [libraryScalar(one)?.value].filter((value) => value !== undefined),
  )
  const [first = [], ...others] = values
  const combined = others.reduce<readonly (readonly Scalar[])[]>(
    (all, more) => all.flatMap((some) => more.map((one) => [...some, one])),
    first.map((one) => [one]),
  )
  return combined.some((some) => takes(source, some))
}

function takes(source: string, values: readonly Scalar[]): boolean {
  try {
    compile(source)(Object.fromEntries(values.map((one, index) => [operandNames[index] ?? '', one])))
    return true
  } catch (error) {
    const code = error instanceof EvaluationError || error instanceof CelTypeError ? error.code : ''
    return code !== 'no_such_overload' && code !== 'no_matching_overload'
  }
}

/** Long text and bytes cost what reading them costs. */
function spendOnText(value: Scalar, site: Site): void {
  if (typeof value === 'string' || value instanceof Uint8Array) site.spend(value.length / unitsPerStep)
}

/** Types are ours alone; everything else scalar is the library's own representation. */
function libraryScalar(term: Term): { readonly value: Scalar } | undefined {
  if (term.kind !== 'scalar' || scalarTypeName(term.scalar) === 'type') return undefined
  return { value: term.scalar }
}

function compile(source: string): ParseResult {
  const known = compiled.get(source)
  if (known) return known
  const fresh = environment.parse(source)
  compiled.set(source, fresh)
  return fresh
}

/** What was computed, as a scalar; what is out of its type's range or too long is refused. */
export function checked(value: unknown, site: Site): Scalar {
  if (typeof value === 'bigint') return isInt(value) ? value : fail(site, 'the integer does not fit 64 bits')
  if (typeof value === 'string') return text(value, site)
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value
  if (value instanceof Date && !isWithinYears(value)) fail(site, 'the time is out of range')
  if (value instanceof Uint8Array && value.length > maxTextLength) fail(site, 'the bytes are longer than 16 MiB')
  if (value instanceof Uint8Array) site.make(value.length)
  if (value instanceof Uint8Array || value instanceof UnsignedInt || value instanceof Date || value instanceof Duration) return value
  throw new Error(`the CEL library gave a ${typeof value}`)
}

/** A text that was made: more than 16 Mi characters are refused. */
export function text(value: string, site: Site): string {
  if (value.length > maxTextLength) fail(site, 'the text is longer than 16 MiB')
  site.make(value.length)
  return value
}

/** `==` and `!=`: different types differ, an int equals a double of the same value; undecided only by what is unknown. */
function equality(positive: boolean, left: Term, right: Term, site: Site): Term {
  const sensitive = holdsSensitive(left) || holdsSensitive(right)
  const same = compare(left, right, site)
  return same === undefined ? unknown([...unknownsOf(left), ...unknownsOf(right)], sensitive) : scalar(same === positive, sensitive)
}

/** Whether two values are equal; undefined when what is unknown in them decides. */
function compare(left: Term, right: Term, site: Site): boolean | undefined {
  site.spend(1)
  if (left.kind === 'unknown' || right.kind === 'unknown') return undefined
  if (left.kind === 'scalar') spendOnText(left.scalar, site)
  if (left.kind === 'scalar') return right.kind === 'scalar' && equalScalars(left.scalar, right.scalar)
  if (left.kind === 'list') {
    if (right.kind !== 'list' || left.items.length !== right.items.length) return false
    return allOf(
      left.items.map((item, index) => [item, right.items[index]]),
      site,
    )
  }
  if (right.kind !== 'map' || left.entries.size !== right.entries.size) return false
  return allOf(
    [...left.entries].map(([key, member]) => [member, right.entries.get(key)]),
    site,
  )
}

function allOf(pairs: readonly (readonly [Term, Term | undefined])[], site: Site): boolean | undefined {
  let result: boolean | undefined = true
  for (const [left, right] of pairs) {
    const same = right === undefined ? false : compare(left, right, site)
    if (same === false) return false
    if (same === undefined) result = undefined
  }
  return result
}

function equalScalars(left: Scalar, right: Scalar): boolean {
  if (left instanceof Uint8Array) return right instanceof Uint8Array && Buffer.compare(left, right) === 0
  if (left instanceof Date) return right instanceof Date && left.getTime() === right.getTime()
  if (left instanceof Duration) return right instanceof Duration && nanosOf(left) === nanosOf(right)
  const [a, b] = [numberOf(left), numberOf(right)]
  return a !== undefined && b !== undefined ? a === b : left === right
}

/** A number such that equal ones are identical: whole doubles as bigint. */
function numberOf(value: Scalar): bigint | number | undefined {
  if (value instanceof UnsignedInt) return value.value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  return typeof value === 'bigint' ? value : undefined
}

/** `x in list` and `key in map`. */
export function isIn(element: Term, container: Term, site: Site): Term {
  if (container.kind === 'map') return isKey(element, container, site)
  if (container.kind === 'unknown' && !isSurely(container))
    return unknown([...container.origins, ...unknownsOf(element)], container.sensitive || holdsSensitive(element))
  if (container.kind !== 'list') fail(site, `\`in\` needs a list or a map, not ${typeName(container)}`)
  const sensitive = holdsSensitive(container) || holdsSensitive(element)
  let result: boolean | undefined = false
  for (const item of container.items) {
    const same = compare(element, item, site)
    if (same) return scalar(true, sensitive)
    if (same === undefined) result = undefined
  }
  return result === undefined ? unknown([...container.unknowns, ...unknownsOf(element)], sensitive) : scalar(result, sensitive)
}

function isKey(element: Term, container: TermMap, site: Site): Term {
  const sensitive = container.sensitive || holdsSensitive(element)
  if (element.kind === 'unknown') return unknown(element.origins, sensitive)
  const key = element.kind === 'scalar' ? element.scalar : fail(site, `a ${element.kind} is no key of a map`)
  const plain = key instanceof UnsignedInt ? key.value : key
  if (typeof plain !== 'string' && typeof plain !== 'bigint' && typeof plain !== 'boolean') return scalar(false, sensitive)
  return scalar(container.entries.has(plain), sensitive)
}
