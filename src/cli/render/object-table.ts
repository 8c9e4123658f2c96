// Objects of a kind as a table: its columns follow from what the kind declares.
import type { JsonValue } from '../../base/json.ts'
import { isList, stringifyJson } from '../../base/json.ts'
import { alikeSizeText, sizeText } from '../../base/units.ts'
import { isMarker } from '../../engine/model/plan-data.ts'
import type { Unit } from '../../kinds/definition/fields.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { exactMoneyText } from './text/money-text.ts'
import { safeLine } from './text/sanitise.ts'
import { tableText } from './text/tables.ts'
import { SENSITIVE_TEXT } from './text/value-text.ts'
import { cut, widthOf } from './text/width.ts'

const MOST_COLUMNS = 9
const WIDEST_CELL = 40

type SizeText = (sizeBytes: number) => string

const amountText: Readonly<Record<Unit | 'bytes', (amount: number | bigint, size: SizeText) => string>> = {
  bytes: (amount, size) => size(Number(amount)),
  'bytes/s': (amount, size) => `${size(Number(amount))}/s`,
  'micro-USD': (amount) => `${moneyOf(amount)} USD`,
  'micro-USD/h': (amount) => `${moneyOf(amount)} USD/h`,
}

type Shown = Readonly<Record<string, JsonValue>>
type Declared = Pick<AnyKind, 'outputs' | 'fields'> & Partial<Pick<AnyKind, 'columns'>>

/** How much is shown: everything as it is, or what is read, by names in place of ids and within the columns of a terminal. */
export interface Showing {
  readonly wide?: boolean
  readonly columns?: number | undefined
  /** Names of what references point at, by their ids. */
  readonly names?: ReadonlyMap<string, string>
}

/** A service may answer parts of a millionth. */
function moneyOf(amount: number | bigint): string {
  return exactMoneyText(typeof amount === 'bigint' ? amount : BigInt(Math.round(amount)))
}

/** The table of what was found; empty without rows. A row's member `workspace` stands in a column of its own, whatever the kind. */
export function objectTable(kind: Declared, rows: readonly Shown[], showing: Showing = {}): string {
  const { columns, cells } = objectCells(kind, rows, showing)
  return tableText(columns, cells)
}

/** The same before it is aligned: headers, and a row of cells for each object. */
export function objectCells(
  kind: Declared,
  rows: readonly Shown[],
  showing: Showing = {},
): { readonly columns: readonly string[]; readonly cells: readonly (readonly string[])[] } {
  const known = columnsOf(kind, rows, showing.wide === true)
  const sizes = known.map((column) => alikeSizeText(rows.flatMap((row) => numbersIn(row[column]))))
  const all = rows.map((row) => known.map((column, at) => cellOf(kind, column, row[column], showing, sizes[at])))
  const kept = fitting(known, all, showing)
  return { columns: kept.map((at) => known[at] ?? ''), cells: all.map((row) => kept.map((at) => row[at] ?? '')) }
}

/** The name, what the kind says is looked for, then values in the order in which it declares them: outputs, which say how it is, then fields; what no row has is left out. The id is last: it is long. */
function columnsOf({ outputs, fields, columns = [] }: Declared, rows: readonly Shown[], isWide: boolean): readonly string[] {
  const told = Object.keys(outputs).filter((name) => outputs[name]?.sensitive !== true && (isWide || !isMany(outputs[name]?.type)))
  const open = Object.keys(fields).filter((name) => fields[name]?.secret !== true)
  const declared = [...new Set(['name', 'workspace', ...columns, ...told, ...open])].filter((name) => name !== 'id')
  const shown = declared.filter((name) => rows.some((row) => (isWide ? isFilled(row[name]) : isSingle(row[name]))))
  // A description is long, and says least of how an object is.
  const read = isWide ? shown : shown.filter((name) => name !== 'description').slice(0, MOST_COLUMNS - 1)
  return rows.some((row) => isFilled(row['id'])) ? [...read, 'id'] : read
}

function isMany(type: string | undefined): boolean {
  return type === 'list' || type === 'map'
}

function isFilled(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && !(isList(value) && value.length === 0)
}

function isSingle(value: JsonValue | undefined): boolean {
  return isMarker(value) || (isFilled(value) && typeof value !== 'object')
}

/** The places of the columns that fit a terminal: from the right they go, but for the id; two always stay. */
export function fitting(columns: readonly string[], rows: readonly (readonly string[])[], { wide, columns: room }: Showing): readonly number[] {
  const kept = columns.map((_, at) => at)
  if (wide === true || room === undefined) return kept
  const widths = columns.map((name, at) => rows.reduce((most, row) => Math.max(most, widthOf(safeLine(row[at] ?? ''))), name.length))
  const width = (): number => kept.reduce((sum, at) => sum + (widths[at] ?? 0) + 2, -2)
  while (kept.length > 2 && width() > room) kept.splice(columns.at(-1) === 'id' ? -2 : -1, 1)
  return kept
}

function numbersIn(value: JsonValue | undefined): readonly number[] {
  if (typeof value === 'number' || typeof value === 'bigint') return [Number(value)]
  return value !== undefined && isList(value) ? value.flatMap(numbersIn) : []
}

function cellOf({ outputs, fields }: Declared, column: string, value: JsonValue | undefined, { wide, names }: Showing, size: SizeText = sizeText): string {
  const { form, unit, ref } = { ...fields[column], ...outputs[column] }
  const counted = form === 'bytes' ? 'bytes' : unit
  const amount = counted && ((one: number | bigint) => amountText[counted](one, size))
  const text = cellText(value, amount, ref !== undefined && wide !== true ? names : undefined)
  return wide === true ? text : cut(text, WIDEST_CELL)
}

function cellText(
  value: JsonValue | undefined,
  amount: ((amount: number | bigint) => string) | undefined,
  names: ReadonlyMap<string, string> | undefined,
): string {
  if (value === undefined || value === null || value === '') return '-'
  if (isMarker(value)) return SENSITIVE_TEXT
  if (amount !== undefined && (typeof value === 'number' || typeof value === 'bigint')) return amount(value)
  if (isList(value)) return value.length === 0 ? '-' : value.map((one) => cellText(one, amount, names)).join(',')
  return typeof value === 'string' ? (names?.get(value) ?? value) : stringifyJson(value)
}
