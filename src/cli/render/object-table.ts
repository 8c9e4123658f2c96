// Objects of a kind as a table: its columns follow from what the kind declares.
import type { JsonValue } from '../../base/json.ts'
import { stringifyJson } from '../../base/json.ts'
import { formatSize } from '../../base/units.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { tableText } from './text/tables.ts'
import { cut } from './text/width.ts'

const MOST_COLUMNS = 9
const WIDEST_CELL = 40

type Shown = Readonly<Record<string, JsonValue>>

/** The table of what was found; empty without rows. */
export function objectTable(kind: Pick<AnyKind, 'outputs' | 'fields'>, rows: readonly Shown[]): string {
  const columns = columnsOf(kind, rows)
  return tableText(
    columns,
    rows.map((row) => columns.map((column) => cut(cellText(row[column], isSize(kind, column)), WIDEST_CELL))),
  )
}

/** Id and name, then single values in the order in which the kind declares them: outputs, which say how it is, then fields; what no row has is left out. */
function columnsOf(kind: Pick<AnyKind, 'outputs' | 'fields'>, rows: readonly Shown[]): readonly string[] {
  const outputs = Object.entries(kind.outputs).flatMap(([name, one]) => (one.type === 'list' || one.type === 'map' || one.sensitive === true ? [] : [name]))
  const fields = Object.entries(kind.fields).flatMap(([name, marks]) => (marks.secret === true ? [] : [name]))
  const declared = new Set(['id', 'name', ...outputs, ...fields])
  const told = [...declared].filter((name) => rows.some((row) => isSingle(row[name])))
  // A description is long, and says least of how an object is.
  return told.filter((name) => name !== 'description').slice(0, MOST_COLUMNS)
}

function isSingle(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== '' && typeof value !== 'object'
}

function isSize(kind: Pick<AnyKind, 'outputs' | 'fields'>, name: string): boolean {
  return (kind.outputs[name]?.form ?? kind.fields[name]?.form) === 'bytes'
}

function cellText(value: JsonValue | undefined, isBytes: boolean): string {
  if (value === undefined || value === null || value === '') return '-'
  if (isBytes && (typeof value === 'number' || typeof value === 'bigint')) return formatSize(Number(value))
  return typeof value === 'string' ? value : stringifyJson(value)
}
