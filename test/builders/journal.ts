// Lines of the journal as tests write them: an intent, a record, a run's begin, with what a test leaves open filled in.
import type { Entry, Intent, ResourceRecord } from '../../src/state/record.ts'

/** An intent about `Vpc/a` of workspace 1, unless `more` says otherwise. */
export function intentOf(seq: number, more: Partial<Intent> = {}): Intent {
  const subject = { t: 'intent', seq, address: 'Vpc/a', kind: 'Vpc', workspace_id: '1', id: null, half: 'current', step: 'step' } as const
  const request = { creates: false, removes: false, natural_key: null, body_hash: '', sets: {}, clears: [], sent_at: 0 } as const
  return { ...subject, ...request, depends_on: [], protected: false, on_remove: 'delete', origins: {}, ...more }
}

/** A ready `Vpc/a` of workspace 1, unless `more` says otherwise. */
export function recordOf(id: string, more: Partial<ResourceRecord> = {}): ResourceRecord {
  const object = { address: 'Vpc/a', kind: 'Vpc', id, workspace_id: '1', status: 'ready', spec: {}, outputs: {}, depends_on: [] } as const
  return { ...object, protected: false, on_remove: 'delete', deposed: [], origins: {}, uncertain: [], ...more }
}

/** The begin of a run on a document of this serial. */
export function beginOf(serial: number): Entry {
  return { t: 'begin', run: 'run', lineage: 'lineage', serial, tool_version: '1', salt: 'c2FsdA==' }
}
