// Changes a row that may have gone since the workflow on it began.
import type { Row, Table } from './table.ts'

/** Changes the row, if it is there. */
export function patchRow<R extends Row, I extends string>(table: Table<R, I>, id: string, fields: Parameters<Table<R, I>['update']>[1]): undefined {
  if (table.get(id)) table.update(id, fields)
}
