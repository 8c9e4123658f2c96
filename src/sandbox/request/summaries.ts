// What a record shows of another object: its id and its name.

interface Named {
  get(id: string): { readonly name: string } | undefined
}

type Summary = { readonly id: string; readonly name: string }

/** An object as a summary; of one that is gone the name is empty. */
export function summaryOf(table: Named, id: string): Summary {
  return { id, name: table.get(id)?.name ?? '' }
}

/** The same; null where there is none, or none any more. */
export function summaryOrNull(table: Named, id: string | null): Summary | null {
  return id === null || table.get(id) === undefined ? null : summaryOf(table, id)
}
