// The functions that expressions may call: CEL's standard library, its strings extension, and our own.
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { createHash } from 'node:crypto'
import { cidrHost, cidrSubnet } from '../base/cidr.ts'
import { canonicalJson } from '../base/json.ts'
import { durationGetters, durationText, readDuration } from './duration.ts'
import { checked, fail, isSurely, maxTextLength, maybeA, text, typeName, unknownAmong, viaLibrary } from './operators.ts'
import type { Site } from './operators.ts'
import { matchesPattern } from './pattern.ts'
import { find } from './search.ts'
import { settle } from './settle.ts'
import {
  charAt,
  countCharacters,
  format,
  hasPairs,
  indexOf,
  lastIndexOf,
  lowerAscii,
  quote,
  replace,
  reverse,
  split,
  substring,
  TextError,
  upperAscii,
} from './text.ts'
import type { FormatArgument } from './text.ts'
import { inZone, readTimestamp, timeGetters } from './time.ts'
import { celType, macroNames } from './tree.ts'
import { holdsSensitive, jsonOf, list, mark, scalar, untyped, weightOf } from './value.ts'
import type { Plain, Scalar, Term } from './value.ts'

type Run = (args: readonly Term[], site: Site) => Term

/** One function: how many arguments it takes, a method's receiver not counted, and what it does (the receiver comes first). */
interface Entry {
  readonly counts: readonly [number, number]
  readonly run: Run
}

type ArgumentType = 'string' | 'int' | 'list'

const charactersPerStep = 64
const pairsPerStep = 8
const unitsPerStep = 8
const longestQuick = 64
const searching: ReadonlySet<string> = new Set(['contains', 'indexOf', 'lastIndexOf', 'split', 'replace'])
const stepsPerRange = 100
const stepsPerTime = 4
// Longer than any number, time or duration is written; the library takes quadratic time for their digits.
const maxConvertible = 400
const splitTypes: readonly ArgumentType[] = ['string', 'string', 'int']
const conversions = ['int', 'uint', 'double', 'bool', 'bytes', 'timestamp', 'duration']

/** Texts that the CEL library would read with more freedom: hexadecimal, or empty. */
const wellFormed: ReadonlyMap<string, RegExp> = new Map([
  ['int', /^[+-]?\d+$/],
  ['uint', /^\+?\d+$/],
  ['double', /^[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf|infinity|nan)$/i],
  ['bool', /^(?:1|t|true|TRUE|True|0|f|false|FALSE|False)$/],
])

/** Texts that the CEL library would take for another time, or for one that does not exist. */
const readers: ReadonlyMap<string, (text: string) => Date | Duration> = new Map<string, (text: string) => Date | Duration>([
  ['timestamp', readTimestamp],
  ['duration', readDuration],
])

const globals: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['size', { counts: [1, 1], run: size }],
  ['dyn', { counts: [1, 1], run: ([value], site) => value ?? fail(site, 'dyn takes a value') }],
  ['type', { counts: [1, 1], run: typeOf }],
  ['string', { counts: [1, 1], run: stringOf }],
  ...conversions.map((name): [string, Entry] => [name, { counts: [1, 1], run: (args, site) => convert(name, args, site) }]),
  ['sensitive', { counts: [1, 1], run: ([value], site) => mark(value ?? fail(site, 'sensitive takes a value'), true) }],
  ['json', { counts: [1, 1], run: json }],
  ['base64', { counts: [1, 1], run: ofBytes('base64', (bytes) => bytes.toString('base64')) }],
  ['sha256', { counts: [1, 1], run: ofBytes('sha256', (bytes) => createHash('sha256').update(bytes).digest('hex')) }],
  ['cidr_subnet', strict('cidr_subnet', ['string', 'int', 'int'], 3, ([range, newbits, number]) => cidrSubnet(asText(range), asInt(newbits), asInt(number)))],
  ['cidr_host', strict('cidr_host', ['string', 'int'], 2, ([range, number]) => cidrHost(asText(range), asInt(number)))],
  ['strings.quote', strict('strings.quote', ['string'], 1, ([value]) => quote(asText(value)))],
  ['matches', { counts: [2, 2], run: matches }],
])

const methods: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['size', { counts: [0, 0], run: size }],
  ['matches', { counts: [1, 1], run: matches }],
  ...[...timeGetters.keys()].map((name): [string, Entry] => [name, { counts: [0, 1], run: (args, site) => timePart(name, args, site) }]),
  ['contains', { counts: [1, 1], run: contains }],
  ...['startsWith', 'endsWith', 'trim'].map((name): [string, Entry] => {
    const count = name === 'trim' ? 0 : 1
    return [name, { counts: [count, count], run: (args, site) => viaLibraryMethod(name, args, site) }]
  }),
  ['charAt', method('charAt', ['int'], 1, ([value, index]) => charAt(asText(value), asInt(index)))],
  ['indexOf', method('indexOf', ['string', 'int'], 1, ([value, part, from]) => indexOf(asText(value), asText(part), optionalInt(from)))],
  ['lastIndexOf', method('lastIndexOf', ['string', 'int'], 1, ([value, part, from]) => lastIndexOf(asText(value), asText(part), optionalInt(from)))],
  ['substring', method('substring', ['int', 'int'], 1, ([value, start, end]) => substring(asText(value), asInt(start), optionalInt(end)))],
  ['replace', method('replace', ['string', 'string', 'int'], 2, replaced)],
  ['lowerAscii', method('lowerAscii', [], 0, ([value]) => lowerAscii(asText(value)))],
  ['upperAscii', method('upperAscii', [], 0, ([value]) => upperAscii(asText(value)))],
  ['reverse', method('reverse', [], 0, ([value]) => reverse(asText(value)))],
  ['split', { counts: [1, 2], run: splitText }],
  ['join', { counts: [0, 1], run: join }],
  ['format', { counts: [1, 1], run: formatText }],
])

/** The least and most arguments of a function or method (its receiver not counted); undefined when there is none of this name. */
export function argumentCounts(name: string, isMethod: boolean): readonly [number, number] | undefined {
  return (isMethod ? methods : globals).get(name)?.counts
}

/** The names of all functions, or of all methods and macros. */
export function functionNames(isMethod: boolean): readonly string[] {
  return isMethod ? [...methods.keys(), ...macroNames] : [...globals.keys(), 'file', 'lookup', 'has']
}

/** Calls a function, or a method with its receiver as the first of `args`; throws an ExpressionError for what does not fit. */
export function callFunction(name: string, isMethod: boolean, args: readonly Term[], site: Site): Term {
  const entry = (isMethod ? methods : globals).get(name)
  const count = args.length - (isMethod ? 1 : 0)
  if (!entry || count < entry.counts[0] || count > entry.counts[1]) fail(site, `no function ${name} takes ${count} arguments`)
  for (const arg of args) site.spend(readingSteps(arg))
  site.spend(ownSteps(name, args))
  return entry.run(args, site)
}

/** What a function costs beyond reading: searching for a long text, turning one around, exact arithmetic of addresses. */
function ownSteps(name: string, [first, second]: readonly Term[]): number {
  if (name === 'cidr_subnet' || name === 'cidr_host') return stepsPerRange
  const isSlow = name === 'reverse' || (searching.has(name) && unitsOf(second) > longestQuick)
  return isSlow ? unitsOf(first) / unitsPerStep : 0
}

function unitsOf(term: Term | undefined): number {
  return term?.kind === 'scalar' && typeof term.scalar === 'string' ? term.scalar.length : 0
}

/** What reading a text or bytes costs: counted in characters of two units it is slower. */
function readingSteps(arg: Term): number {
  const value = arg.kind === 'scalar' ? arg.scalar : null
  if (value instanceof Uint8Array) return value.length / charactersPerStep
  if (typeof value !== 'string') return 0
  return value.length / (value.length > charactersPerStep && hasPairs(value) ? pairsPerStep : charactersPerStep)
}

/** A method on text: all arguments must have their types, unknown and sensitive are carried. */
function method(name: string, types: readonly ArgumentType[], least: number, run: (args: readonly Scalar[]) => Plain): Entry {
  const entry = strict(name, ['string', ...types], least + 1, run)
  return { counts: [least, types.length], run: entry.run }
}

function strict(name: string, types: readonly ArgumentType[], least: number, run: (args: readonly Scalar[]) => Plain): Entry {
  return {
    counts: [least, types.length],
    run: (args, site) => {
      // What the known ones get wrong is wrong whatever the others turn out to be: a plan says so, before anything is made.
      const scalars = args.map((arg, index) => {
        if (maybeA(arg, types[index])) return null
        if (arg.kind !== 'scalar' || typeName(arg) !== types[index]) fail(site, `${name} needs ${types.join(', ')}, not ${args.map(typeName).join(', ')}`)
        return arg.scalar
      })
      const open = unknownAmong(args)
      if (open) return open
      return scalar(
        guarded(site, args, () => run(scalars)),
        args.some(holdsSensitive),
      )
    },
  }
}

/** Runs what may refuse its arguments; the reason is told only if nothing sensitive could be in it. */
function guarded<T extends Scalar | readonly string[]>(site: Site, args: readonly Term[], run: () => T): T {
  try {
    const result = run()
    if (typeof result === 'string') text(result, site)
    return result
  } catch (error) {
    if (error instanceof TextError) return fail(site, error.message)
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
    return fail(site, args.some(holdsSensitive) ? 'this cannot be computed from a sensitive value' : error.message.slice(0, 200))
  }
}

function asText(value: Scalar | undefined): string {
  return typeof value === 'string' ? value : ''
}

function asInt(value: Scalar | undefined): bigint {
  return typeof value === 'bigint' ? value : 0n
}

function optionalInt(value: Scalar | undefined): bigint | undefined {
  return typeof value === 'bigint' ? value : undefined
}

function replaced([value, part, by, limit]: readonly Scalar[]): string {
  return replace(asText(value), asText(part), asText(by), optionalInt(limit) ?? -1n, maxTextLength)
}

function contains(args: readonly Term[], site: Site): Term {
  const [whole, part] = args.map((arg) => (arg.kind === 'scalar' ? arg.scalar : null))
  if (typeof whole !== 'string' || typeof part !== 'string') return viaLibraryMethod('contains', args, site)
  return scalar(find(whole, part) >= 0, args.some(holdsSensitive))
}

function viaLibraryMethod(name: string, args: readonly Term[], site: Site): Term {
  const [receiver, ...rest] = args
  const source = `a.${name}(${rest.length === 0 ? '' : 'b'})`
  return viaLibrary(source, args, site, () => misfit(`x.${name}`, rest, receiver))
}

/** The library's parts of timestamps would depend on the machine's time zone, its milliseconds of durations are all of them. */
function timePart(name: string, args: readonly Term[], site: Site): Term {
  const [time, zone] = args.map((arg) => (arg.kind === 'scalar' ? arg.scalar : undefined))
  const ofDuration = durationGetters.get(name)
  if (time instanceof Duration && ofDuration && args.length === 1) return scalar(checked(ofDuration(time), site), args.some(holdsSensitive))
  const getter = timeGetters.get(name)
  if (!(time instanceof Date) || !getter || (args.length > 1 && typeof zone !== 'string')) return viaLibraryMethod(name, args, site)
  const part = guarded(site, args, () => BigInt(getter(typeof zone === 'string' ? inZone(time, zone) : time)))
  return scalar(part, args.some(holdsSensitive))
}

function misfit(name: string, args: readonly Term[], receiver?: Term): string {
  const on = receiver ? ` on ${typeName(receiver)}` : ''
  return `${name}(${args.map(typeName).join(', ')})${on} does not exist`
}

function convert(name: string, args: readonly Term[], site: Site): Term {
  const [value] = args
  if (value?.kind === 'unknown') return viaLibrary(`${name}(a)`, args, site, () => misfit(name, args))
  if (value?.kind !== 'scalar') return unknownAmong(args) ?? fail(site, misfit(name, args))
  const source = value.scalar
  if (typeof source === 'string' && name !== 'bytes' && (source.length > maxConvertible || wellFormed.get(name)?.test(source) === false)) {
    fail(site, `this text is no ${name}`)
  }
  const reader = readers.get(name)
  if (reader && typeof source === 'string') {
    site.spend(stepsPerTime)
    const read = guarded(site, args, () => reader(source))
    return scalar(read, value.sensitive)
  }
  if ((name === 'timestamp' && source instanceof Date) || (name === 'duration' && source instanceof Duration)) return value
  if (name === 'int' && source instanceof UnsignedInt) return viaLibrary('0 + a', [scalar(source.value, value.sensitive)], site, () => misfit(name, args))
  if (name === 'int' && source instanceof Date) return scalar(BigInt(Math.floor(source.getTime() / 1000)), value.sensitive)
  return viaLibrary(`${name}(a)`, args, site, () => misfit(name, args))
}

function stringOf(args: readonly Term[], site: Site): Term {
  const [value] = args
  const wrong = () => `${misfit('string', args)}; json(x) gives its text`
  if (value?.kind === 'unknown') return viaLibrary('string(a)', args, site, wrong)
  if (value?.kind !== 'scalar') return unknownAmong(args) ?? fail(site, wrong())
  const source = value.scalar
  if (source instanceof Date) return scalar(source.toISOString().replace('.000Z', 'Z'), value.sensitive)
  if (source instanceof Duration) return scalar(durationText(source), value.sensitive)
  if (source instanceof Uint8Array && !Buffer.from(source).equals(Buffer.from(Buffer.from(source).toString()))) fail(site, 'these bytes are no UTF-8 text')
  return viaLibrary('string(a)', args, site, wrong)
}

/** The length of a list or map is known even if its members are not. */
function size([value]: readonly Term[], site: Site): Term {
  if (value?.kind === 'unknown' && !isSurely(value, ['int', 'bool'])) return untyped(value)
  if (value?.kind === 'list') return scalar(BigInt(value.items.length), value.sensitive)
  if (value?.kind === 'map') return scalar(BigInt(value.entries.size), value.sensitive)
  if (value?.kind !== 'scalar') return fail(site, misfit('size', value ? [value] : []))
  if (typeof value.scalar === 'string') return scalar(BigInt(countCharacters(value.scalar)), value.sensitive)
  if (value.scalar instanceof Uint8Array) return scalar(BigInt(value.scalar.length), value.sensitive)
  return fail(site, misfit('size', [value]))
}

function typeOf([value]: readonly Term[], site: Site): Term {
  if (value?.kind === 'unknown') return untyped(value)
  if (!value) return fail(site, 'type takes a value')
  return scalar(celType(typeName(value)), value.sensitive)
}

function json(args: readonly Term[], site: Site): Term {
  const [value] = args
  const open = unknownAmong(args)
  if (open || !value) return open ?? fail(site, 'json takes a value')
  const settledValue = settle(value, site)
  // One long text may stand in it many times: what is too long is never made.
  if (weightOf(settledValue) > maxTextLength) fail(site, 'the text is longer than 16 MiB')
  const whole = text(canonicalJson(jsonOf(settledValue) ?? null), site)
  site.spend(whole.length / charactersPerStep)
  return scalar(whole, holdsSensitive(value))
}

function ofBytes(name: string, run: (bytes: Buffer) => string): Run {
  return (args, site) => {
    const [value] = args
    if (value?.kind === 'scalar' && (typeof value.scalar === 'string' || value.scalar instanceof Uint8Array)) {
      return scalar(text(run(Buffer.from(value.scalar)), site), value.sensitive)
    }
    return (value && maybeA(value, 'string') ? unknownAmong(args) : undefined) ?? fail(site, `${misfit(name, args)}; json(x) gives the text of a value`)
  }
}

function matches(args: readonly Term[], site: Site): Term {
  const [subject, pattern] = args.map((arg) => {
    if (maybeA(arg, 'string')) return undefined
    return arg.kind === 'scalar' && typeof arg.scalar === 'string' ? arg.scalar : fail(site, misfit('matches', args))
  })
  // A pattern that is none is refused before the text is known.
  const found = guarded(site, args, () => matchesPattern(subject ?? '', pattern ?? '', (steps) => site.spend(steps)))
  return unknownAmong(args) ?? scalar(found, args.some(holdsSensitive))
}

function splitText(args: readonly Term[], site: Site): Term {
  if (args.some((arg, index) => !maybeA(arg, splitTypes[index]) && typeName(arg) !== splitTypes[index])) fail(site, misfit('x.split', args.slice(1), args[0]))
  const open = unknownAmong(args)
  if (open) return open
  const [subject, separator, limit] = args.map((arg) => (arg.kind === 'scalar' ? arg.scalar : null))
  if (separator === '') site.spend(asText(subject).length)
  const pieces = split(asText(subject), asText(separator), optionalInt(limit) ?? -1n)
  site.spend(pieces.length)
  return list(
    pieces.map((piece) => scalar(piece)),
    args.some(holdsSensitive),
  )
}

function join(args: readonly Term[], site: Site): Term {
  const [items, separator] = args
  const between = separator === undefined || maybeA(separator, 'string') ? '' : separator.kind === 'scalar' ? separator.scalar : null
  if (!items || (items.kind !== 'list' && !maybeA(items, 'list')) || typeof between !== 'string') fail(site, misfit('x.join', args.slice(1), items))
  const open = unknownAmong(args)
  if (open || items.kind !== 'list') return open ?? items
  site.spend(items.items.length)
  let length = 0
  const texts = items.items.map((item) => {
    const part = item.kind === 'scalar' && typeof item.scalar === 'string' ? item.scalar : fail(site, `join needs a list of strings, not of ${typeName(item)}`)
    length += part.length + between.length
    if (length > maxTextLength + between.length) fail(site, 'the text is longer than 16 MiB')
    return part
  })
  return scalar(text(texts.join(between), site), args.some(holdsSensitive))
}

function formatText(args: readonly Term[], site: Site): Term {
  const [template, items] = args
  if (template && isSurely(template, ['int', 'bool', 'list', 'map'])) fail(site, misfit('x.format', args.slice(1), template))
  if (items && isSurely(items, ['string', 'int', 'bool', 'map'])) fail(site, misfit('x.format', args.slice(1), template))
  const open = unknownAmong(args)
  if (open) return open
  if (template?.kind !== 'scalar' || typeof template.scalar !== 'string' || items?.kind !== 'list') fail(site, misfit('x.format', args.slice(1), template))
  const pattern = template.scalar
  const formatted = items.items.map((item) => formatArgument(item, site))
  return scalar(
    // Messages quote the template alone.
    guarded(site, [template], () => format(pattern, formatted)),
    args.some(holdsSensitive),
  )
}

function formatArgument(item: Term, site: Site): FormatArgument {
  if (item.kind !== 'scalar') return { text: printed(json([item], site)), number: undefined, bytesHex: undefined }
  const source = item.scalar
  if (source === null) return { text: 'null', number: undefined, bytesHex: undefined }
  if (source instanceof Uint8Array) return { text: Buffer.from(source).toString(), number: undefined, bytesHex: Buffer.from(source).toString('hex') }
  const number = source instanceof UnsignedInt ? source.value : typeof source === 'bigint' || typeof source === 'number' ? source : undefined
  return { text: printed(stringOf([item], site)), number, bytesHex: undefined }
}

function printed(term: Term): string {
  return term.kind === 'scalar' && typeof term.scalar === 'string' ? term.scalar : ''
}
