// What the checks of the simulation find.

/** An invariant by its id in the catalogue, and what was found instead. */
export interface Violation {
  readonly invariant: string
  readonly text: string
}
