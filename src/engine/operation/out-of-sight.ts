// What is not found by a caller who sees its workspace no more may well be there: "missing or not visible" is one answer (section "Errors"), and whoever stands between answers the same.
import { itemId } from '../../api/answers/answer.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Unfinished } from '../../state/fold.ts'
import { callerId } from '../refresh/caller.ts'
import { ownerOnlyIn, otherCallerProblems } from '../refresh/owner-only.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'

/** Looks under way, by workspace: those who ask at the same time share one. */
const looks = new WeakMap<Work, Map<string, Promise<boolean>>>()

/**
 * For an object that is not found: throws an OperationError that ends the run where its workspace is not visible any more, unless this very run has removed
 * it, where others see it alone, and where nothing tells.
 */
export async function refuseOutOfSight(work: Work, current: Current, id: string): Promise<void> {
  const { address, kind } = current
  // What others stand in is itself what is seen or not.
  const workspaceId = kind.contains ? id : current.workspaceId
  const wasRemoved = work.run.kinds.some((one) => one.contains && work.went.has(`${one.name} ${workspaceId}`))
  if (wasRemoved) return
  if (await isVisible(work, current, workspaceId)) return refuseOtherCaller(work, current, id)
  const text = `${address}: workspace ${workspaceId} is not visible to this caller any more, so what is not found there may still be there`
  const hint = 'nothing of it was forgotten: run it again with a caller who is a member; `iac state rm` is for what is known to be gone'
  throw new OperationError(diagnostic('workspace_invisible', text, { address, hint }), { fatal: true })
}

/** Throws an OperationError where another user sent one of these creates and alone sees what it made: whoever looks for it would find nothing, and make it again. */
export async function refuseOfOthers({ run }: Work, open: readonly Unfinished[]): Promise<void> {
  const made = open.flatMap(({ intent: { address, caller: owner } }) => (owner === undefined ? [] : [{ address, owner }]))
  const [problem] = made.length === 0 ? [] : otherCallerProblems(await callerId(run.client), made)
  if (problem) throw new OperationError(problem, { inFlight: true })
}

async function refuseOtherCaller({ run, ledger }: Work, { address, kind }: Current, id: string): Promise<void> {
  if (!kind.ownedBy) return
  const maker = ledger.unfinished().find(({ intent }) => intent.creates && intent.address === address)?.intent
  const found = ownerOnlyIn(kind, ledger.record(address), { id, sets: maker?.sets, nowMs: run.client.serverNow() })
  const [problem] = found ? otherCallerProblems(await callerId(run.client), [{ address, owner: found.owner ?? maker?.caller }]) : []
  if (problem) throw new OperationError(problem, { fatal: true })
}

async function isVisible(work: Work, { address }: Current, workspaceId: string): Promise<boolean> {
  const own = looks.get(work) ?? new Map<string, Promise<boolean>>()
  looks.set(work, own)
  const look = own.get(workspaceId) ?? lookAt(work, workspaceId).finally(() => own.delete(workspaceId))
  own.set(workspaceId, look)
  try {
    return await look
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error
    throw untold(address, error)
  }
}

/** By its read, or by the list that the plan went by: a token of a resource may see it there alone. What stands in none is looked for by a caller whom that list answers at all. */
async function lookAt({ run }: Work, workspaceId: string): Promise<boolean> {
  try {
    if (workspaceId !== '' && (await run.client.read(call(routes.getWorkspace, { id: workspaceId }))) !== undefined) return true
    const listed = await run.client.all(call(routes.listWorkspaces, {}))
    return workspaceId === '' || listed.some((item) => itemId(item) === workspaceId)
  } catch (error) {
    // A token may see what is in a workspace and not the workspace itself.
    if (error instanceof ApiError && error.status === 403) return true
    throw error
  }
}

/** The caller's own list of workspaces cannot be missing: where it is, that answer is not the service's, and the one before it was none either. */
function untold(address: string, { message }: ApiError): OperationError {
  const text = `${address}: it was not found, and nobody tells whether it is gone: ${message}`
  const hint = 'nothing of it was forgotten: run again once the service answers'
  return new OperationError(diagnostic('operation_unknown', text, { address, hint }), { fatal: true })
}
