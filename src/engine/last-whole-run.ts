// When this project last wrote down what is live: of everything by an apply or destroy, of single objects by an import.
import type { StateDocument } from '../state/record.ts'
import type { StateStore } from '../state/store.ts'

/** Generations of a state. */
export type Kept = Pick<StateStore, 'read' | 'history' | 'generation'>

/** Times of our own clocks, in ms since 1970. */
export interface LastWholeRun {
  readonly wholeMs: number | undefined
  /** What was taken over after it, by `objectKey`. */
  readonly takenMs: ReadonlyMap<string, number>
}

/** Whoever operates by hand writes the state, too, and so do the commands on it: none of them has seen what is live. */
const wholeRuns: readonly string[] = ['apply', 'destroy', 'seed']
/** Generations that are looked through for the last run. */
const MOST_GENERATIONS = 50

/** Goes back to the last run that saw everything; what no generation tells is left out. */
export async function lastWholeRun(store: Kept): Promise<LastWholeRun> {
  const takenMs = new Map<string, number>()
  let younger: StateDocument | undefined
  for await (const one of generations(store)) {
    if (younger) taken(younger, one, takenMs)
    if (wholeRuns.includes(commandOf(one))) return { wholeMs: writtenMs(one), takenMs }
    younger = one
  }
  if (younger) taken(younger, undefined, takenMs)
  return { wholeMs: undefined, takenMs }
}

/** What an object is looked up by. */
export function objectKey({ kind, id }: { readonly kind: string; readonly id: string | null }): string {
  return `${kind} ${id ?? ''}`
}

/** The newest first. */
async function* generations(store: Kept): AsyncGenerator<StateDocument> {
  const { document } = await store.read()
  if (!document) return
  yield document
  for (const serial of (await store.history()).slice(0, MOST_GENERATIONS)) if (serial !== document.serial) yield await store.generation(serial)
}

/** Notes what an import brought into a generation, unless a later one did so again. */
function taken(generation: StateDocument, older: StateDocument | undefined, takenMs: Map<string, number>): void {
  const ms = writtenMs(generation)
  if (commandOf(generation) !== 'import' || ms === undefined) return
  const before = new Set(older?.resources.map(objectKey))
  for (const key of generation.resources.map(objectKey)) if (!before.has(key) && !takenMs.has(key)) takenMs.set(key, ms)
}

/** Without what is told behind it, such as policies that were overridden. */
function commandOf({ written }: StateDocument): string {
  return written?.command.split(' ')[0] ?? ''
}

function writtenMs({ written }: StateDocument): number | undefined {
  const ms = written ? Date.parse(written.time) : NaN
  return Number.isNaN(ms) ? undefined : ms
}
