// Commands that write the state and nothing else: import, and apply --refresh-only.
import type { Diagnostic } from '../base/diagnostic.ts'
import { failure, Failure } from '../base/diagnostic.ts'
import { nearestAddress } from '../base/words/nearest-address.ts'
import type { Declared, Project } from '../project/resolving/declared.ts'
import type { Entry, StateDocument } from '../state/record.ts'
import type { Lease } from '../state/store.ts'
import type { Locking, OpenedLedger } from './apply/locked-run.ts'
import { openLedger, underLock } from './apply/locked-run.ts'
import { writeMoves } from './apply/metadata.ts'
import { outputsAfter } from './apply/outputs.ts'
import { importEntry, importProblem, refreshable, refreshEntry } from './apply/take-over.ts'
import { unwritten, writeBack, writeBackAfter } from './apply/write-back.ts'
import { sealedLike } from './model/diff/sealed-like.ts'
import { nothingDone } from './model/events.ts'
import { parentsOf } from './model/graph/parents.ts'
import { kindFinder } from './model/kind-finder.ts'
import type { LiveObject } from './model/live.ts'
import type { Looking } from './model/observation.ts'
import { otherManagerProblem } from './model/other-environments.ts'
import type { Plan } from './model/plan-data.ts'
import type { Planned } from './model/planned-resource.ts'
import type { Run } from './model/run.ts'
import { OperationError } from './operation/operation.ts'
import { untoldCreateAdvice } from './plan/checks/untold-creates.ts'
import type { Prepared } from './plan/prepared-plan.ts'
import { prepare } from './prepare.ts'
import { takeNamed } from './recover/recover.ts'
import { noId, readAgain } from './refresh/observe.ts'
import { readsCaughtUp } from './refresh/reads-lag.ts'
import type { Applied, Request } from './session.ts'
import { hasErrors, leftAlone, recoveryWork, settleFirst } from './session.ts'

/** Puts an existing object under a manifest; throws Failure (3) for an address without one, or what is managed already. */
export async function importObject(run: Run, request: Omit<Request, 'options'> & Locking, address: string, id: string): Promise<StateDocument> {
  const declared = request.project.resources.find((one) => one.address === address)
  if (!declared) {
    const near = nearestAddress(
      address,
      request.project.resources.map((one) => one.address),
    )
    const hint = near === undefined ? 'write its manifest first, then import' : `did you mean ${near}?`
    throw failure('import_conflict', `${address} has no manifest`, { hint })
  }
  if (!declared.kind.idForm.test(id)) throw noId(declared.kind, id)
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    const isAnswered = await answered(run, request, opened, address, id)
    const unsettled = await settleFirst(run, request, opened).catch(async (error: unknown): Promise<never> => {
      // What was asked for is recorded, whatever else is uncertain.
      if (isAnswered) await writeBackAfter(run, lease, opened, error)
      throw error
    })
    if (isAnswered) return await written(run, lease, opened, unsettled)
    // What is not among those that its create can have made does not tell which of them is ours.
    if (opened.ledger.isOpen(address) && unsettled.some((one) => one.code === 'ambiguous_adoption'))
      return await writeBackAfter(run, lease, opened, new Failure(8, unsettled))
    const folded = opened.ledger.folded()
    const problem = importProblem(folded.resources, address, declared.kind.name, id)
    if (problem) throw new Failure(3, [problem])
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const project = { ...request.project, resources: request.project.resources.map((one) => (one === declared ? withImport(one, id) : one)) }
    const prepared = await prepare(run, { ...request, project, options, document: loaded.document, folded, salt: opened.document.salt })
    await keep(run, opened, [importEntry(prepared, address, id)])
    const warnings = prepared.planned.find((one) => one.address === address)?.diagnostics.filter((one) => one.severity === 'warning') ?? []
    const untold = untoldCreateAdvice(prepared.input, prepared.planned).filter((one) => one.address === address)
    for (const one of [...warnings, ...untold]) run.report({ type: 'note', diagnostic: one })
    return await written(run, lease, opened, unsettled)
  })
}

/** Puts every existing object that the manifests at these addresses import under them, in one go; throws Failure (3) before anything is recorded where one cannot be. `settled` is awaited, under the lock, once it is known what is recorded, and before any of it is. */
export async function importObjects(
  run: Run,
  request: Omit<Request, 'options'> & Locking,
  addresses: readonly string[],
  settled: () => Promise<void>,
): Promise<StateDocument> {
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    const unsettled = await settleFirst(run, request, opened)
    const folded = opened.ledger.folded()
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const prepared = await prepare(run, { ...request, options, document: loaded.document, folded, salt: opened.document.salt })
    const wanted = new Set(addresses)
    const found = prepared.planned.flatMap(({ address, kind, objectId }) => (wanted.has(address) && objectId !== null ? [{ address, kind, id: objectId }] : []))
    const problems = found.flatMap(({ address, kind, id }) => importProblem(folded.resources, address, kind.name, id) ?? [])
    if (problems.length > 0) throw new Failure(3, problems)
    const entries = found.map(({ address, id }) => importEntry(prepared, address, id))
    const lost = addresses.find((address) => !found.some((one) => one.address === address))
    if (lost !== undefined) throw failure('import_conflict', `${lost}: its manifest names no object that is there`)
    await settled()
    await keep(run, opened, entries)
    return await written(run, lease, opened, unsettled)
  })
}

/** Puts entries into the journal; Failure 8 where they may stand there although it failed. */
async function keep(run: Run, opened: OpenedLedger, entries: readonly Entry[]): Promise<void> {
  await opened.ledger.append(...entries).catch((error: unknown): never => {
    // Lines that were handed over together become durable one after the other.
    throw opened.journal === 'untouched' ? error : unwritten(run, opened, error)
  })
}

/** Writes what was recorded, and tells what is still open, although what was asked is recorded. */
async function written(
  run: Run,
  lease: Lease,
  opened: OpenedLedger,
  unsettled: readonly Diagnostic[],
  outputs: StateDocument['outputs'] = opened.document.outputs,
): Promise<StateDocument> {
  if (unsettled.length > 0) return await writeBackAfter(run, lease, opened, new Failure(8, unsettled), outputs)
  return await writeBack(run, lease, opened, outputs)
}

/** Whether the import says which object an unfinished create of this address made; it is adopted then, and recorded as it is there. */
async function answered(run: Run, request: { readonly project: Project }, opened: OpenedLedger, address: string, id: string): Promise<boolean> {
  const unfinished = opened.ledger.folded().open.find((one) => one.intent.address === address && one.intent.creates && one.id === null)
  if (!unfinished) return false
  const kind = kindFinder(run.kinds)(unfinished.intent.kind)
  const manager = (await run.otherEnvironments?.())?.manager({ kind, workspaceId: unfinished.intent.workspace_id ?? '', id })
  if (manager) throw new Failure(3, [otherManagerProblem(manager, { address, kind, id })])
  const work = recoveryWork(run, request.project, opened)
  const isTaken = await takeNamed(work, unfinished.intent, id).catch((error: unknown): never => {
    throw error instanceof OperationError ? new Failure(8, [error.diagnostic]) : error
  })
  if (!isTaken) return false
  const one = { address, kind: work.kindOf(unfinished.intent.kind), record: opened.ledger.record(address) }
  const object = await readNow(work.looking, one)
  const entry = object && refreshEntry({ ...one, object })
  if (entry) await opened.ledger.append(entry)
  return true
}

function withImport(declared: Declared, id: string): Declared {
  return { ...declared, importId: id, importBy: undefined }
}

/** Records what is live and changes nothing out there; `decide` is asked first. Throws Failure 8 where what an earlier run left is not settled. */
export async function refreshState(
  run: Run,
  request: Request & Locking,
  decide: (prepared: Prepared, problems: readonly Diagnostic[]) => Promise<boolean>,
): Promise<Applied> {
  return underLock(run, request, async (lease, loaded) => {
    const opened = openLedger(run, request.project, lease, loaded)
    const unsettled = await settleFirst(run, request, opened)
    const prepared = await prepare(run, { ...request, document: loaded.document, folded: opened.ledger.folded(), salt: opened.document.salt })
    const { plan } = prepared
    const isWanted = await decide(prepared, [])
    if (!isWanted || hasErrors(plan.diagnostics)) return await leftAlone(run, lease, opened, { plan, problems: [], unsettled })
    await writeMoves(opened.ledger, plan)
    const open = new Set(opened.ledger.folded().open.map((one) => one.intent.address))
    const { looking } = prepared.refreshed
    const seen = await Promise.all(refreshable(prepared, open).map(async (one) => ({ ...one, object: one.object ?? (await lookedTwice(run, looking, one)) })))
    const document = await recordSeen(run, request.project, lease, opened, seen, unsettled)
    return { plan, outcome: nothingDone, diagnostics: [], document, exitCode: 0 }
  })
}

/** Records what is live of everything that a saved refresh-only plan showed as changed. */
export async function recordDrift(run: Run, project: Project, lease: Lease, opened: OpenedLedger, looking: Looking, plan: Plan): Promise<StateDocument> {
  await writeMoves(opened.ledger, plan)
  const kindOf = kindFinder(run.kinds)
  const seen = (plan.drift ?? []).map(async ({ address, kind: name }): Promise<Seen> => {
    const one = { address, kind: kindOf(name), record: opened.ledger.record(address) }
    return { ...one, object: (await readNow(looking, one)) ?? (await lookedTwice(run, looking, one)) }
  })
  return recordSeen(run, project, lease, opened, await Promise.all(seen), [])
}

type Seen = Pick<Planned, 'address' | 'kind' | 'record' | 'object'>

/** Makes the state say what was seen, outputs included. */
async function recordSeen(
  run: Run,
  project: Project,
  lease: Lease,
  opened: OpenedLedger,
  seen: readonly Seen[],
  unsettled: readonly Diagnostic[],
): Promise<StateDocument> {
  const entries = seen.flatMap((one) => refreshEntry(one) ?? [])
  if (entries.length > 0) await keep(run, opened, entries)
  const { scope } = recoveryWork(run, project, opened)
  const { resources } = opened.ledger.folded()
  const { outputs } = outputsAfter({ project, mode: 'refresh-only', scope, before: opened.document.outputs, resources })
  return await written(run, lease, opened, unsettled, outputs)
}

async function readNow(looking: Looking, { kind, record }: Omit<Seen, 'object'>): Promise<LiveObject | undefined> {
  if (!record) return undefined
  const parents = parentsOf(kind, record.spec)
  const found = await readAgain(looking, { kind, workspaceId: record.workspace_id ?? '', id: record.id, fields: Object.keys(record.spec), parents })
  return sealedLike(found, [record.spec], looking.digest)
}

/** An object that is missing is believed to be gone once that has lasted as long as reads may lag. */
async function lookedTwice(run: Run, looking: Looking, one: Omit<Seen, 'object'>): Promise<LiveObject | undefined> {
  await readsCaughtUp(run)
  return readNow(looking, one)
}
