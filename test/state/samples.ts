// What the tests of stores put into them, and how they read a refusal.
import { Failure } from '../../src/base/diagnostic.ts'
import { emptyDocument } from '../../src/state/document.ts'
import type { Entry, ResourceRecord, StateDocument } from '../../src/state/record.ts'

const salt = Buffer.alloc(32, 1).toString('base64')
const empty = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt, toolVersion: '1' })
/** The first line of a run on a state that was never written. */
export const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt } as const satisfies Entry

/** The end of an effect. */
export function done(seq: number): Entry & { readonly t: 'done' } {
  return { t: 'done', seq, id: String(seq) }
}

/** A resource of that name that holds so many bytes of text. */
export function record(name: string, size = 0): ResourceRecord {
  return {
    address: `Vpc/${name}`,
    kind: 'Vpc',
    id: `id-${name}`,
    workspace_id: '1',
    status: 'ready',
    spec: { name, note: 'x'.repeat(size), big: 9007199254740993n },
    outputs: {},
    depends_on: [],
    protected: false,
    on_remove: 'delete',
    deposed: [],
    origins: {},
    uncertain: [],
  }
}

/** A document that names its serial in an output. */
export function documentOf(serial: number, resources: readonly ResourceRecord[] = [record('main')]): StateDocument {
  return { ...empty, serial, resources, outputs: { at: { value: serial, sensitive: false } } }
}

/** What a failure says: its exit code, message, detail and hint. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Failure) return `${error.exitCode} ${error.message} ${error.diagnostics[0]?.detail ?? ''} ${error.diagnostics[0]?.hint ?? ''}`
  throw error ?? new Error('succeeded')
}
