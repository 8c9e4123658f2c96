// What is not found in a workspace that the caller sees no more may well be there: "missing or not visible" is one answer (section "Errors").
import { itemId } from '../../api/answers/answer.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Current, Work } from './operation.ts'
import { OperationError } from './operation.ts'

/** Looks under way, by workspace: those who ask at the same time share one. */
const looks = new WeakMap<Work, Map<string, Promise<boolean>>>()

/** Throws an OperationError that ends the run where the workspace of an object is not visible any more, unless this very run has removed it. */
export async function refuseOutOfSight(work: Work, { address, workspaceId }: Current): Promise<void> {
  const wasRemoved = work.run.kinds.some((kind) => kind.contains && work.went.has(`${kind.name} ${workspaceId}`))
  if (workspaceId === '' || wasRemoved || (await isVisible(work, workspaceId))) return
  const text = `${address}: workspace ${workspaceId} is not visible to this caller any more, so what is not found there may still be there`
  const hint = 'nothing of it was forgotten: run it again with a caller who is a member'
  throw new OperationError(diagnostic('workspace_invisible', text, { address, hint }), { fatal: true })
}

function isVisible(work: Work, workspaceId: string): Promise<boolean> {
  const own = looks.get(work) ?? new Map<string, Promise<boolean>>()
  looks.set(work, own)
  const known = own.get(workspaceId)
  if (known) return known
  const look = lookAt(work, workspaceId).finally(() => own.delete(workspaceId))
  own.set(workspaceId, look)
  return look
}

/** By its read, or by the list that the plan went by: a token of a resource may see it there alone. */
async function lookAt({ run }: Work, workspaceId: string): Promise<boolean> {
  try {
    if ((await run.client.read(call(routes.getWorkspace, { id: workspaceId }))) !== undefined) return true
    const listed = await run.client.all(call(routes.listWorkspaces, {}))
    return listed.some((item) => itemId(item) === workspaceId)
  } catch (error) {
    // A token may see what is in a workspace and not the workspace itself.
    if (error instanceof ApiError) return true
    throw error
  }
}
