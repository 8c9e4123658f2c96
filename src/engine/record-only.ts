// Commands that write the state and nothing else: import, and apply --refresh-only.
import type { Diagnostic } from '../diagnostic.ts'
import { failure, Failure } from '../diagnostic.ts'
import type { Declared, Project } from '../project/declared.ts'
import type { StateDocument } from '../state/record.ts'
import { parseDuration } from '../units.ts'
import type { Locking, OpenedLedger } from './locked.ts'
import { openLedger, underLock, writeBack } from './locked.ts'
import { writeMoves } from './metadata.ts'
import { readAgain } from './observe.ts'
import type { Planned } from './planned.ts'
import type { Prepared } from './prepare.ts'
import { prepare } from './prepare.ts'
import type { Run } from './run.ts'
import type { Request } from './session.ts'
import { take } from './recover.ts'
import { recoveryWork, settleFirst } from './session.ts'
import { importEntry, importProblem, refreshable, refreshEntry } from './take-over.ts'

/** Puts an existing object under a manifest; throws Failure (3) for an address without one, or what is managed already. */
export async function importObject(run: Run, request: Omit<Request, 'options'> & Locking, address: string, id: string): Promise<StateDocument> {
  const declared = request.project.resources.find((one) => one.address === address)
  if (!declared) throw failure('import_conflict', `${address} has no manifest`, { hint: 'write its manifest first, then import' })
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    if (await answered(run, request, opened, address, id)) return writeBack(run, lease, opened, opened.document.outputs)
    const unsettled = await settleFirst(run, request, opened)
    const folded = opened.ledger.folded()
    const problem = importProblem(folded.resources, address, declared.kind.name, id)
    if (problem) throw new Failure(3, [problem])
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const project = { ...request.project, resources: request.project.resources.map((one) => (one === declared ? withImport(one, id) : one)) }
    const prepared = await prepare(run, { ...request, project, options, document: loaded.document, folded, salt: opened.document.salt })
    await opened.ledger.append(importEntry(prepared, address, id))
    return settledOr8(await writeBack(run, lease, opened, opened.document.outputs), unsettled)
  })
}

/** Tells what is still open, although what was asked is recorded. */
function settledOr8(document: StateDocument, unsettled: readonly Diagnostic[]): StateDocument {
  if (unsettled.length > 0) throw new Failure(8, unsettled)
  return document
}

/** Whether the import says which object an unfinished create of this address made; it is adopted then. */
async function answered(run: Run, request: { readonly project: Project }, opened: OpenedLedger, address: string, id: string): Promise<boolean> {
  const unfinished = opened.ledger.folded().open.find((one) => one.intent.address === address && one.intent.creates && one.id === null)
  if (!unfinished) return false
  const work = recoveryWork(run, request.project, opened)
  const kind = work.kindOf(unfinished.intent.kind)
  const object = await readAgain(work.looking, {
    kind,
    workspaceId: unfinished.intent.workspace_id ?? '',
    id,
    fields: Object.keys(unfinished.intent.sets),
    parents: [],
  })
  if (!object || opened.ledger.holds(kind.name, id)) return false
  await take(work, unfinished.intent, id)
  return true
}

function withImport(declared: Declared, id: string): Declared {
  return { ...declared, importId: id }
}

/** Records what is live and changes nothing out there; `decide` is asked first. Undefined when it said no. */
export async function refreshState(
  run: Run,
  request: Request & Locking,
  decide: (prepared: Prepared, problems: readonly Diagnostic[]) => Promise<boolean>,
): Promise<StateDocument | undefined> {
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    const unsettled = await settleFirst(run, request, opened)
    const prepared = await prepare(run, { ...request, document: loaded.document, folded: opened.ledger.folded(), salt: opened.document.salt })
    if (!(await decide(prepared, []))) return undefined
    await writeMoves(opened.ledger, prepared.plan)
    const open = new Set(opened.ledger.folded().open.map((one) => one.intent.address))
    const seen = await Promise.all(refreshable(prepared, open).map((one) => lookedTwice(run, prepared, one)))
    const entries = seen.flatMap((one) => refreshEntry(one) ?? [])
    if (entries.length > 0) await opened.ledger.append(...entries)
    return settledOr8(await writeBack(run, lease, opened, opened.document.outputs), unsettled)
  })
}

/** An object that is missing is believed to be gone once that has lasted as long as reads may lag. */
async function lookedTwice(run: Run, prepared: Prepared, one: Planned): Promise<Planned> {
  if (one.object || one.objectId === null) return one
  await run.clock.sleep(parseDuration(run.compat.read_grace) ?? 0)
  const target = { kind: one.kind, workspaceId: one.workspaceId ?? '', id: one.objectId, fields: Object.keys(one.record?.spec ?? {}), parents: [] }
  return { ...one, object: await readAgain(prepared.survey.looking, target) }
}
