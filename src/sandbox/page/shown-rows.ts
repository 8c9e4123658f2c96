// Rows as the page is told of them: the columns that the wire names, whatever else a table has.
import * as z from 'zod/mini'
import { wireNames } from '../control/bodies.ts'
import type { Tables } from '../store/tables.ts'
import type { PageView, ShownRows, TableName } from './view-wire.ts'
import { shownRows } from './view-wire.ts'

interface Source {
  all(): readonly object[]
  get(id: string): object | undefined
}

const tableNames = z.keyof(shownRows).options

/** The tables as they are, but for two that show less than a column. */
function sourcesOf(tables: Tables): Readonly<Record<TableName, Source>> {
  return {
    ...tables,
    clusterServices: seenAs(tables.clusterServices, ({ revision: { image, replicas, ports, secretRefs }, ...row }) => ({
      ...row,
      image,
      replicas,
      ports: ports.map((one) => one.hostPort),
      secretRefs,
    })),
    clusterSecrets: seenAs(tables.clusterSecrets, ({ data, ...row }) => ({ ...row, keys: Object.keys(data) })),
  }
}

function seenAs<R extends object>(table: { all(): readonly R[]; get(id: string): R | undefined }, view: (row: R) => object): Source {
  return {
    all: () => table.all().map(view),
    get(id) {
      const row = table.get(id)
      return row && view(row)
    },
  }
}

/** Some rows of each table, stripped of every column that the wire does not name. */
function toldRows(tables: Tables, rowsOf: (source: Source, name: TableName) => readonly object[]): ShownRows {
  const sources = sourcesOf(tables)
  return shownRows.parse(Object.fromEntries(tableNames.map((name) => [name, rowsOf(sources[name], name).map(wireNames)])))
}

/** Every row that the page shows. */
export function allRows(tables: Tables): ShownRows {
  return toldRows(tables, (source) => source.all())
}

/** The rows of these ids, and the ids that are no longer there. */
export function changedRows(tables: Tables, touched: ReadonlyMap<string, ReadonlySet<string>>): Pick<PageView, 'rows' | 'gone'> {
  const gone: Record<string, string[]> = {}
  const rows = toldRows(tables, (source, name) => {
    const ids = [...(touched.get(name) ?? [])]
    const missing = ids.filter((id) => source.get(id) === undefined)
    if (missing.length > 0) gone[name] = missing
    return ids.flatMap((id) => source.get(id) ?? [])
  })
  return { rows, gone }
}
