// The lines between a plan block's braces: `+ field = value`, `~ field = a -> b`, nested maps and lists, what is hidden.
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { equalJson, isList, isObject } from '../../../base/json.ts'
import { below } from '../../../base/pointer.ts'
import { isMarker } from '../../../engine/model/plan-data.ts'
import type { Palette } from '../text/palette.ts'
import { noColours } from '../text/palette.ts'
import { inlineValue, isNested, keyText, SENSITIVE_TEXT, unknownMark } from '../text/value-text.ts'
import { pad, widthOf } from '../text/width.ts'

type Symbol = '+' | '-' | '~' | ' '

/** What a block compares: values before and after, pointers that a patch touches though their masks are equal, and fields that force a replacement. */
export interface Comparison {
  readonly before: JsonObject | undefined
  readonly after: JsonObject | undefined
  readonly touched: readonly string[]
  readonly forcing: readonly string[]
  readonly palette: Palette
  /** How the value at a pointer is shown where it says more than it holds: a size, the name of what an id stands for. */
  readonly told?: ((pointer: string, value: JsonValue) => string | undefined) | undefined
}

/** Fields that are shown though they are equal, so that people know what the block is about. */
const ALWAYS_SHOWN = new Set(['id', 'name'])
/** Beyond this lists are compared place by place, since the better comparison is quadratic. */
const LONGEST_LIST = 300

/** The lines of a block, in order of names; the symbol stands after `indent` columns. */
export function attributeLines(comparison: Comparison, indent = 6): string[] {
  return memberLines(comparison.before, comparison.after, '', indent, comparison)
}

/** The lines of one value's members without any symbol, for what is no plan. */
export function plainLines(values: JsonObject): string[] {
  const lines = memberLines(undefined, values, '', 0, { before: undefined, after: values, touched: [], forcing: [], palette: noColours })
  return lines.map((line) => line.replace(/^( *)(?:\+ |  (?=[}\]],?$))/, '$1'))
}

function memberLines(before: JsonObject | undefined, after: JsonObject | undefined, pointer: string, indent: number, all: Comparison): string[] {
  const shown: (Judged & { readonly name: string })[] = []
  let [width, hidden] = [0, 0]
  for (const key of keysOf(before, after)) {
    const judged = judge(member(before, key), member(after, key), below(pointer, key), all)
    if (judged.symbol === ' ' && !(pointer === '' && ALWAYS_SHOWN.has(key))) {
      hidden += 1
      continue
    }
    const name = keyText(key)
    width = Math.max(width, widthOf(name))
    shown.push({ ...judged, name })
  }
  const lines: string[] = []
  for (const one of shown) for (const line of valueLines(one, { label: `${pad(one.name, width)} = `, indent, all })) lines.push(line)
  if (hidden > 0) lines.push(hiddenNote(hidden, pointer === '' ? 'attribute' : 'element', indent, all.palette))
  return lines
}

function keysOf(before: JsonObject | undefined, after: JsonObject | undefined): readonly string[] {
  if (before === undefined || after === undefined) return Object.keys(before ?? after ?? {}).toSorted()
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
}

interface Judged {
  readonly symbol: Symbol
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
  readonly pointer: string
}

function judge(before: JsonValue | undefined, after: JsonValue | undefined, pointer: string, all: Comparison): Judged {
  let symbol: Symbol = '~'
  if (before === undefined) symbol = '+'
  else if (after === undefined) symbol = '-'
  else if (after !== unknownMark && equalJson(before, after) && !isTouched(pointer, all) && !holdsUnknown(after)) symbol = ' '
  return { symbol, before, after, pointer }
}

function isTouched(pointer: string, { touched }: Comparison): boolean {
  return touched.some((one) => one === pointer || one.startsWith(`${pointer}/`))
}

/** Where a value stands: what is written before it, and in which block. */
interface Line {
  readonly label: string
  readonly indent: number
  readonly all: Comparison
  readonly comma?: boolean
}

function valueLines({ symbol, before, after, pointer }: Judged, at: Line): string[] {
  const { label, indent, all } = at
  const head = `${' '.repeat(indent)}${coloured(symbol, all.palette)} ${label}`
  const forces = all.forcing.includes(pointer) ? ` ${all.palette.red('# forces replacement')}` : ''
  const end = at.comma === true ? ',' : ''
  const closing = ' '.repeat(indent + 2)
  const shown = (value: JsonValue): string => all.told?.(pointer, value) ?? inlineValue(value)
  const both = symbol === '~' && before !== undefined && after !== undefined
  if (both && isMapValue(before) && isMapValue(after))
    return [`${head}{${forces}`, ...memberLines(before, after, pointer, indent + 4, all), `${closing}}${end}`]
  if (both && isList(before) && isList(after)) return [`${head}[${forces}`, ...listLines(before, after, pointer, at), `${closing}]${end}`]
  if (both && isMarker(before) && isMarker(after)) return [`${head}${SENSITIVE_TEXT}${forces}${end}`]
  if (both) return [`${head}${shown(before)} -> ${shown(after)}${forces}${end}`]
  const value = symbol === '-' ? before : after
  const gone = symbol === '-' && label !== '' ? ' -> null' : ''
  if (value === undefined) return []
  if (isMapValue(value) && isNested(value)) {
    const [was, is] = symbol === '-' ? [value, undefined] : [symbol === ' ' ? value : undefined, value]
    return [`${head}{${forces}`, ...memberLines(was, is, pointer, indent + 4, all), `${closing}}${gone}${end}`]
  }
  if (isList(value) && isNested(value)) {
    const items = value.flatMap((one, place) =>
      valueLines({ symbol, before: one, after: one, pointer: `${pointer}/${place}` }, { label: '', indent: indent + 4, all, comma: true }),
    )
    return [`${head}[${forces}`, ...items, `${closing}]${gone}${end}`]
  }
  return [`${head}${shown(value)}${gone}${forces}${end}`]
}

function listLines(before: readonly JsonValue[], after: readonly JsonValue[], pointer: string, { indent, all }: Line): string[] {
  const pairs = before.length > LONGEST_LIST || after.length > LONGEST_LIST ? byPlace(before, after) : aligned(before, after)
  const judged = pairs.map(([was, is], at) => judge(was, is, `${pointer}/${at}`, { ...all, touched: [] }))
  const shown = judged.filter((one) => one.symbol !== ' ')
  const lines = shown.flatMap((one) => valueLines(one, { label: '', indent: indent + 4, all, comma: true }))
  // Elements whose masks are equal: only the patch knows of the difference.
  if (shown.length === 0) return before.map((one) => `${' '.repeat(indent + 4)}${coloured('~', all.palette)} ${inlineValue(one)},`)
  const hidden = judged.length - shown.length
  return hidden === 0 ? lines : [...lines, hiddenNote(hidden, 'element', indent + 4, all.palette)]
}

type Pair = readonly [JsonValue | undefined, JsonValue | undefined]

function byPlace(before: readonly JsonValue[], after: readonly JsonValue[]): Pair[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => [before[at], after[at]])
}

/** The longest common subsequence keeps its places; between, elements of the same length change in place. */
function aligned(before: readonly JsonValue[], after: readonly JsonValue[]): Pair[] {
  const columns = after.length + 1
  const lengths = new Uint16Array((before.length + 1) * columns)
  const same = (row: number, column: number): boolean => equalJson(before[row] ?? null, after[column] ?? null) && after[column] !== unknownMark
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const skip = Math.max(lengths[(row + 1) * columns + column] ?? 0, lengths[row * columns + column + 1] ?? 0)
      lengths[row * columns + column] = same(row, column) ? (lengths[(row + 1) * columns + column + 1] ?? 0) + 1 : skip
    }
  const out: Pair[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && same(row, column)) out.push([before[row++], after[column++]])
    else if (column >= after.length || (row < before.length && (lengths[(row + 1) * columns + column] ?? 0) >= (lengths[row * columns + column + 1] ?? 0)))
      out.push([before[row++], undefined])
    else out.push([undefined, after[column++]])
  }
  return out
}

function hiddenNote(count: number, noun: string, indent: number, palette: Palette): string {
  return `${' '.repeat(indent + 2)}${palette.dim(`# (${count} unchanged ${noun}${count === 1 ? '' : 's'} hidden)`)}`
}

function coloured(symbol: Symbol, palette: Palette): string {
  if (symbol === '+') return palette.green(symbol)
  if (symbol === '-') return palette.red(symbol)
  return symbol === '~' ? palette.yellow(symbol) : symbol
}

function member(value: JsonObject | undefined, key: string): JsonValue | undefined {
  const one = value && Object.hasOwn(value, key) ? value[key] : undefined
  return one === null ? undefined : one
}

function holdsUnknown(value: JsonValue): boolean {
  if (value === unknownMark) return true
  if (isList(value)) return value.some(holdsUnknown)
  return isObject(value) && Object.values(value).some(holdsUnknown)
}

function isMapValue(value: JsonValue): value is JsonObject {
  return isObject(value) && value !== unknownMark && !isMarker(value)
}
