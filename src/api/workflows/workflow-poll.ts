// One look at the workflows of a workspace: a listing by ids, and single fetches for what it lacks or a terminal shows.
import { backoff } from '../../base/backoff.ts'
import { workflowOf } from '../answers/answer.ts'
import { createAllowance } from '../answers/bounds.ts'
import type { Workflow } from '../calls/call.ts'
import { ApiError, call } from '../calls/call.ts'
import { UnreachableError } from '../calls/failed-call.ts'
import type { Client } from '../client.ts'
import type { ReadOptions } from '../read.ts'
import { workflows as routes } from '../routes/workflows.ts'

/** What one look found of a workflow; nothing at all where the service gave no answer this time. */
export type Looked = { readonly is: 'there'; readonly workflow: Workflow } | { readonly is: 'absent' } | { readonly is: 'forbidden'; readonly error: ApiError }

type Found = Map<string, Looked>

/** How a workspace's listings fare: in a row without what single fetches find, in a row failed, and looks still to go without one. */
interface Listings {
  useless: number
  failed: number
  pause: number
}

const MOST_SINGLE = 50
// As many as a terminal has lines, and no more than one look takes.
const MOST_SHOWN = MOST_SINGLE
const USELESS_LISTINGS = 2
const READ_MS = 60_000
const AGAIN_MS = 5000
const LONGEST_PAUSE = 64
// A listing that is longer ignores the ids, and single fetches say the same.
const MOST_PAGES = 100
const LISTED_BYTES = 64 * 1024 * 1024

/** Looks with one listing as long as listings work, by single fetches in turns where they do not. */
export function createLooker(client: Pick<Client, 'all' | 'read' | 'filtersWork'>) {
  const listings = new Map<string, Listings>()
  let turn = 0

  async function look(workspaceId: string | undefined, ids: readonly string[], shown: ReadonlySet<string>, leftMs: number): Promise<Found> {
    const options = { priority: 'poll', deadlineMs: Math.min(READ_MS, leftMs) } as const
    const found: Found = new Map()
    const past = workspaceId !== undefined && ids.length > 1 && client.filtersWork() ? listingsOf(workspaceId) : undefined
    const lists = workspaceId !== undefined && past !== undefined && isDue(past)
    // After a failure the next is tried briefly: the single fetches wait behind it.
    const patience = past && past.failed > 0 ? { ...options, deadlineMs: Math.min(AGAIN_MS, leftMs) } : options
    const listed = lists ? await list(workspaceId, ids, patience) : undefined
    for (const [id, workflow] of listed ?? []) found.set(id, { is: 'there', workflow })
    const wanted = [...ids.filter((id) => !found.has(id)), ...ids.filter((id) => found.has(id) && isShown(id, found, shown)).slice(0, MOST_SHOWN)]
    await Promise.all(inTurn(wanted).map((id) => single(workspaceId, id, options, found)))
    if (lists) judge(past, listed, found)
    return found
  }
  function listingsOf(workspaceId: string): Listings {
    const past = listings.get(workspaceId) ?? { useless: 0, failed: 0, pause: 0 }
    listings.set(workspaceId, past)
    return past
  }
  /** With more than fits in one look the next one goes on where this one stopped. */
  function inTurn(ids: readonly string[]): readonly string[] {
    if (ids.length <= MOST_SINGLE) return ids
    const start = (turn * MOST_SINGLE) % ids.length
    turn += 1
    return [...ids.slice(start), ...ids.slice(0, start)].slice(0, MOST_SINGLE)
  }
  async function list(workspaceId: string, ids: readonly string[], options: ReadOptions): Promise<Map<string, Workflow> | undefined> {
    try {
      const items = await client.all(call(routes.listWorkspaceWorkflows, { wid: workspaceId }, undefined, { id: ids }), {
        ...options,
        mostPages: MOST_PAGES,
        allowance: createAllowance(LISTED_BYTES),
      })
      return new Map(items.map(workflowOf).flatMap((one) => (one ? [[one.id, one] as const] : [])))
    } catch {
      // Single fetches say more exactly what is wrong.
      return undefined
    }
  }
  async function single(workspaceId: string | undefined, id: string, options: ReadOptions, found: Found): Promise<void> {
    const one = workspaceId === undefined ? call(routes.getWorkflow, { wfid: id }) : call(routes.getWorkspaceWorkflow, { wid: workspaceId, wfid: id })
    try {
      const answer = await client.read(one, options)
      const workflow = workflowOf(answer)
      if (workflow) found.set(id, { is: 'there', workflow })
      else if (answer === undefined && !found.has(id)) found.set(id, { is: 'absent' })
    } catch (error) {
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) found.set(id, { is: 'forbidden', error })
      else if (!isTransient(error)) throw error
    }
  }
  return Object.freeze({ look })
}

/** Whether to list in this look; counts down the looks that go without. */
function isDue(past: Listings): boolean {
  if (past.pause === 0) return past.useless < USELESS_LISTINGS
  past.pause -= 1
  return false
}

/** A list that never holds what single fetches find does not take ids: stop asking it. One that fails where they are answered is asked ever less often. */
function judge(past: Listings, listed: ReadonlyMap<string, Workflow> | undefined, found: Found): void {
  const there = [...found.values()].some((one) => one.is === 'there')
  if (listed) {
    past.useless = listed.size === 0 && there ? past.useless + 1 : 0
    past.failed = 0
  } else if (there) {
    past.failed += 1
    past.pause = backoff(past.failed, 1, LONGEST_PAUSE)
  }
}

function isShown(id: string, found: Found, shown: ReadonlySet<string>): boolean {
  const one = found.get(id)
  return shown.has(id) && one?.is === 'there' && (one.workflow.state === 'RUNNING' || one.workflow.state === 'QUEUED')
}

/** The service's or the network's trouble, which the next look may not have; anything else is a defect of ours. */
function isTransient(error: unknown): boolean {
  return error instanceof ApiError || error instanceof UnreachableError
}
