// A row of the table of faults.

/** `file › words of the test's title or row`; the words must stand in the file. */
export interface Row {
  readonly id: string
  readonly fault: string
  readonly tests: readonly string[]
}

/** A fault that tests show. */
export function row(id: string, fault: string, ...tests: string[]): Row {
  return { id, fault, tests }
}
