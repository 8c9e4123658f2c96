// The keys under which the objects of one state stand.
import type { Sealing } from '../../sealing.ts'

/** The keys of one state, and how what stands there is kept; `where` is how messages name it. */
export interface StateKeys {
  readonly sealing: Sealing
  readonly where: string
  readonly state: string
  readonly lock: string
  /** What the names of journal lines, and of generations, follow. */
  readonly journal: string
  readonly history: string
}

/** Where the objects of the state with this key stand. */
export function stateKeys(key: string, where: string, sealing: Sealing): StateKeys {
  return { sealing, where, state: key, lock: `${key}.lock`, journal: `${key}.journal/`, history: `${key}.history/` }
}

/** The name of a generation. */
export function generationName(serial: number): string {
  return String(serial).padStart(16, '0')
}
