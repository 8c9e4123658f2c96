// A run under the lock: the ledger it works on, and the document it leaves.
import { diagnostic } from '../../base/diagnostic.ts'
import { uuidOf } from '../../base/uuid.ts'
import type { Project } from '../../project/resolving/declared.ts'
import { newSalt } from '../../state/digest.ts'
import { emptyDocument, encodeDocument } from '../../state/document.ts'
import type { Folded } from '../../state/fold.ts'
import { fold } from '../../state/fold.ts'
import type { Entry, StateDocument } from '../../state/record.ts'
import type { Lease, Loaded, Owner, StateStore } from '../../state/store.ts'
import type { Ledger } from '../model/ledger.ts'
import { createLedger } from '../model/ledger.ts'
import type { Run } from '../model/run.ts'
import { checkKinds, checkOwner } from '../model/state-owner.ts'

/** Whose lock it is and how long it may be waited for. */
export interface Locking {
  readonly store: StateStore
  readonly owner: Owner
  readonly lockTimeoutMs: number
}

/** Holds the lock from before reading to the end; throws Failure 7, or 9, also where the state is another project's or environment's. */
export async function underLock<T>(run: Run, request: Locking & { readonly project: Project }, work: (lease: Lease, loaded: Loaded) => Promise<T>): Promise<T> {
  const lease = await request.store.lock(request.owner, request.lockTimeoutMs, run.stop)
  try {
    const loaded = await lease.read()
    checkOwner(request.project, loaded.document, request.store.where)
    checkKinds(run.kinds, loaded, request.store.where)
    return await work(lease, loaded)
  } finally {
    const warning = await lease.release()
    if (warning !== undefined) run.report({ type: 'note', diagnostic: diagnostic('advice', warning) })
  }
}

/** The ledger of a run and the document it goes on from. */
export interface OpenedLedger {
  readonly ledger: Ledger
  /** The document to go on from; written empty, as serial 1, before the first journal entry of a project. */
  document: StateDocument
  existed: boolean
  /** What became of lines beyond the run's `begin`: handed over they may stand in the journal whatever was thrown, kept they do. */
  journal: 'untouched' | 'handed' | 'kept'
}

/** Opens the ledger of what was loaded. */
export function openLedger(run: Run, project: Project, lease: Lease, loaded: Loaded): OpenedLedger {
  const { document } = baseOf(run, project, loaded, fold(loaded.document, loaded.entries))
  const opened: Omit<OpenedLedger, 'ledger'> = { document, existed: loaded.document !== undefined, journal: 'untouched' }
  let begun: Promise<void> | undefined
  const append = async (entries: readonly Entry[]): Promise<void> => {
    await (begun ??= begin())
    const says = saying(entries) > 0
    if (says && opened.journal === 'untouched') opened.journal = 'handed'
    await lease.append(entries)
    if (says) opened.journal = 'kept'
  }
  const ledger = createLedger({ append, valid: () => lease.valid() }, { document: loaded.document ?? document, entries: loaded.entries })
  const begin = async (): Promise<void> => {
    // What an earlier run left in the journal alone may be more than a state can hold: told before anything is sent.
    if (loaded.entries.length > 0) encodeDocument({ ...opened.document, resources: [...ledger.folded().resources.values()] })
    if (opened.existed) return
    await lease.write(opened.document, [])
    opened.existed = true
  }
  return Object.assign(opened, { ledger: beginning(run, opened, ledger) })
}

/** What is appended first is preceded by the run's `begin`, and that by a document; a run that appends nothing leaves no trace. */
function beginning(run: Run, opened: Omit<OpenedLedger, 'ledger'>, ledger: Ledger): Ledger {
  let isBegun = false
  const begin = (): void => {
    if (isBegun) return
    isBegun = true
    if (!opened.existed) opened.document = { ...opened.document, serial: 1 }
    const { lineage, serial, salt } = opened.document
    const line: Entry = { t: 'begin', run: uuidOf(run.randomBytes(16)), lineage, serial, tool_version: run.toolVersion, salt }
    // What comes after it fails where it does.
    ledger.note(line).catch(() => undefined)
  }
  const begunFor = (work: Ledger['append']): Ledger['append'] => {
    return (...entries) => {
      if (entries.length > 0) begin()
      return work(...entries)
    }
  }
  return { ...ledger, append: begunFor(ledger.append), note: begunFor(ledger.note) }
}

/** The document to go on from: the state's, or an empty one with what the journal knows of it. */
export function baseOf(run: Run, project: Project, loaded: Loaded, folded: Folded): { readonly document: StateDocument } {
  // The name is the present one: it may be new, or was never written.
  if (loaded.document) return { document: { ...loaded.document, project: project.name, environment: project.environment } }
  const lineage = folded.lineage ?? uuidOf(run.randomBytes(16))
  const salt = folded.salt ?? newSalt(run.randomBytes)
  return { document: emptyDocument({ project: project.name, environment: project.environment, lineage, salt, toolVersion: run.toolVersion }) }
}

/** How many lines say something that the document is about, not of which run they are. */
export function saying(entries: readonly Entry[]): number {
  return entries.filter((one) => one.t !== 'begin' && one.t !== 'restored').length
}
