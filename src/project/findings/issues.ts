// From a schema's issues to diagnostics: what was expected, what stands there, and the nearest right word.
import type * as z from 'zod'
import type { Code } from '../../base/catalogue.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { nearest } from '../../base/words/nearest.ts'
import { marksOf } from '../../kinds/definition/fields.ts'
import { mostKept } from './findings.ts'
import { memberNames, schemaAt, valueAtPath } from './schema.ts'
import { quote } from './source.ts'

/** One broken rule of a schema; `key` asks for the position of the key instead of the value. */
export interface Issue {
  readonly code: Code
  readonly path: readonly PropertyKey[]
  readonly key: boolean
  readonly summary: string
  readonly detail?: string
  readonly hint?: string
}

const mostWords = 20
// What hints see of a text that must not be quoted.
const hiddenText = '(sensitive value)'
const longestWord = 256
const elsewhere = /^(?:base_?url|api_?url|url|host|endpoint|token|api_?key|api_?token|password|credentials?|profile)$/i

/** What is wrong with a value: so many issues as are told anyway, and how many more there are. */
export interface Issues {
  readonly issues: readonly Issue[]
  readonly leftOut: number
}

const sound: Issues = Object.freeze({ issues: [], leftOut: 0 })

/** Where a word belongs that nothing knows at this path, as a sentence; undefined for words that belong nowhere. */
export type PlaceOf = (path: readonly PropertyKey[], word: string) => string | undefined

type Quiet = (path: readonly PropertyKey[]) => boolean

/** What may be told of a value that must not be quoted. */
type PartOf = (path: readonly PropertyKey[], value: JsonValue | undefined) => string | undefined

interface Telling {
  readonly quiet: Quiet
  readonly placeOf: PlaceOf
  readonly partOf: PartOf
}

/** The issues of a value; `quiet` says where a value must not be quoted, `partOf` what of it may be, `placeOf` where words belong that nothing knows here. */
export function issuesOf(schema: z.ZodType, value: JsonValue, options: Partial<Telling> = {}): Issues {
  const result = schema.safeParse(value)
  if (result.success) return sound
  const telling: Telling = { quiet: () => false, placeOf: () => undefined, partOf: () => undefined, ...options }
  const issues: Issue[] = []
  let leftOut = 0
  for (const issue of result.error.issues) {
    const count = issue.code === 'unrecognized_keys' ? issue.keys.length : 1
    const room = mostKept - issues.length
    leftOut += Math.max(0, count - room)
    if (room > 0) issues.push(...convert(issue, schema, value, [], telling))
  }
  return { issues, leftOut }
}

function convert(issue: z.core.$ZodIssue, schema: z.ZodType, whole: JsonValue, base: readonly PropertyKey[], telling: Telling): Issue[] {
  const path = [...base, ...issue.path]
  const value = valueAtPath(whole, path)
  const isQuiet = telling.quiet(path)
  const got = isQuiet ? (telling.partOf(path, value) ?? 'a value that is not shown') : describe(value)
  if (issue.code === 'unrecognized_keys') {
    const words = memberNames(schemaAt(schema, path))
    return issue.keys.slice(0, mostKept).map((key) => unknownField([...path, key], key, words, telling.placeOf(path, key)))
  }
  if (issue.code === 'invalid_key') return [invalidKey(path, issue)]
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.filter((branch) => !branch.some((one) => one.code === 'invalid_type' && one.path.length === 0))
    const [best] = branches.toSorted((a, b) => a.length - b.length)
    if (best && branches.length === 1) return best.slice(0, mostKept).flatMap((one) => convert(one, schema, whole, path, telling))
    return [invalid(path, `${nameOf(path)} has none of the forms that are accepted here, got ${got}`)]
  }
  if (value === undefined && issue.code !== 'custom') return [missing(path)]
  return [
    invalid(
      path,
      `${nameOf(path)} ${ruleOf(issue)}, got ${got}`,
      hintOf(issue, isQuiet && typeof value === 'string' ? hiddenText : value) ?? sizeHint(issue, schemaAt(schema, path)),
    ),
  ]
}

/** A member that does not exist at its place. */
function unknownField(path: readonly PropertyKey[], key: string, words: readonly string[], place: string | undefined): Issue {
  const near = nearest(key, words)
  const reason = elsewhere.test(key) ? 'where the API is and who calls never stands in a project: use IAC_BASE_URL and IAC_TOKEN' : undefined
  const hint = place ?? (near === undefined ? (reason ?? `known here: ${listed(words)}`) : `did you mean ${quote(near)}?`)
  return { code: 'unknown_field', path, key: true, summary: `no field ${quote(key)} exists here`, hint }
}

/** A key that is no name at its place. */
function invalidKey(path: readonly PropertyKey[], issue: z.core.$ZodIssueInvalidKey): Issue {
  const [rule] = issue.issues
  const summary = `${quote(String(path.at(-1)))} cannot stand here as a name${rule ? `: it ${ruleOf(rule)}` : ''}`
  return { code: 'invalid_value', path, key: true, summary }
}

function missing(path: readonly PropertyKey[]): Issue {
  return { code: 'missing_field', path, key: false, summary: `the field ${nameOf(path)} is missing` }
}

function invalid(path: readonly PropertyKey[], summary: string, hint?: string): Issue {
  return { code: 'invalid_value', path, key: false, summary, ...(hint === undefined ? {} : { hint }) }
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected === 'int' || ('format' in issue && issue.format === 'safeint') ? 'integer' : issue.expected)}`
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : `must be one of ${listed(issue.values.map(String))}`
    case 'too_big':
    case 'too_small':
      return sizeRule(issue)
    case 'invalid_format':
      if (!issue.message.startsWith('Invalid ')) return `must be: ${issue.message}`
      return 'pattern' in issue && issue.format === 'regex' ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'custom':
      return issue.message === 'Invalid input' ? 'is not valid' : `must be: ${issue.message}`
    default:
      return 'is not valid'
  }
}

function sizeRule(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const limit = issue.code === 'too_big' ? issue.maximum : issue.minimum
  const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' || issue.origin === 'set' ? ' entries' : ''
  const exact = issue.exact === true
  if (exact) return `must have exactly ${limit}${unit}`
  if (issue.code === 'too_big') return `must ${unit ? 'have' : 'be'} ${issue.inclusive === false ? 'less than' : 'at most'} ${limit}${unit}`
  return `must ${unit ? 'have' : 'be'} ${issue.inclusive === false ? 'more than' : 'at least'} ${limit}${unit}`
}

function hintOf(issue: z.core.$ZodIssue, value: JsonValue | undefined): string | undefined {
  if (issue.code === 'invalid_value' && typeof value === 'string') {
    const near = nearest(value, issue.values.map(String))
    return near === undefined ? undefined : `did you mean ${quote(near)}?`
  }
  if (issue.code !== 'invalid_type') return undefined
  if (typeof value === 'string' && /^-?\d+$/.test(value) && (issue.expected === 'number' || issue.expected === 'int'))
    return 'nothing is coerced: write it without quotes'
  if (typeof value === 'string' && issue.expected === 'boolean') return 'write true or false'
  if (issue.expected === 'string' && (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'))
    return 'put it in quotes, or what an expression gives into string(…)'
  return undefined
}

/** A number of bytes may be written as a size. */
function sizeHint(issue: z.core.$ZodIssue, schema: z.core.$ZodType | undefined): string | undefined {
  const isSize = issue.code === 'invalid_type' && schema !== undefined && marksOf(schema).form === 'bytes'
  return isSize ? 'write a number of bytes, or a size such as 100GiB or 10GB' : undefined
}

/** A value for a message: its type, and itself where it is short. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (isList(value)) return 'a list'
  if (isObject(value)) return 'a map'
  return typeof value === 'string' ? `the text ${quote(value)}` : String(value)
}

/** Words for a message, the first of them when there are many; the others are not looked at. */
export function listed(words: readonly string[] | ReadonlySet<string>, shown: (word: string) => string = shortened): string {
  const first: string[] = []
  for (const word of words) if (first.push(shown(word)) === mostWords) break
  const more = ('size' in words ? words.size : words.length) - first.length
  return first.length === 0 ? 'none' : first.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function shortened(word: string): string {
  return word.length > longestWord ? `${word.slice(0, longestWord)}…` : word
}

function nameOf(path: readonly PropertyKey[]): string {
  const last = path.at(-1)
  if (last === undefined) return 'the document'
  if (typeof last !== 'number') return shortened(String(last))
  return `entry ${last + 1} of ${nameOf(path.slice(0, -1))}`
}

function article(type: string): string {
  const words: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    integer: 'an integer',
    boolean: 'true or false',
    object: 'a map',
    record: 'a map',
    array: 'a list',
    null: 'null',
  }
  return Object.hasOwn(words, type) ? String(words[type]) : type
}
