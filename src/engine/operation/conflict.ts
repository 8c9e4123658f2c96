// Why an object cannot be changed now: it or what it hangs on is in between, has a workflow under way, or is about to be released by this plan.
import { workflowOf } from '../../api/answers/answer.ts'
import { ApiError, call } from '../../api/calls/call.ts'
import type { Call, Workflow } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import { terminalState } from '../../api/workflows/workflows.ts'
import type { JsonObject } from '../../base/json.ts'
import { hasToken } from '../../base/token.ts'
import { allowsOne } from '../../kinds/definition/kind.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { halfOf } from '../../state/slot.ts'
import { heldIds } from '../model/graph/needs.ts'
import { parentsOf } from '../model/graph/parents.ts'
import { isHeldBy } from '../model/graph/references.ts'
import { toJsonObject } from '../model/live.ts'
import { viewOf } from '../model/view.ts'
import type { AnyStep } from '../model/view.ts'
import { listAgain, readAgain } from '../refresh/observe.ts'
import type { Current, Work } from './operation.ts'
import { readCurrent, statusOf } from './wait.ts'

/** What the object waits for, or waited for when the request left (`sentMs`, the server's clock), in words for people; undefined where nothing will change by itself. */
export async function conflictsWith(work: Work, current: Current, step: AnyStep, id: string | undefined, sentMs: number): Promise<string | undefined> {
  const own = id === undefined ? undefined : await readCurrent(work, current, id)
  if (own && isBetween(statusOf(work, current, own))) return `${current.kind.name} ${id}`
  const spec: JsonObject = { ...recordedOf(work, current, id), ...toJsonObject(step.sets) }
  const around = neighbours(work, current, id, spec)
  for (const one of around) if (await isNeighbourBetween(work, current, one)) return `${one.kind.name} ${one.id}`
  return leavingReferrer(work, current, id) ?? (await leavingTwin(work, current, step)) ?? (await workflowUnderWay(work, current, id, around, sentMs))
}

interface Neighbour {
  readonly kind: AnyKind
  readonly id: string
}

function isBetween(status: string): boolean {
  return status === 'pending' || status === 'leaving'
}

function recordedOf(work: Work, { address }: Current, id: string | undefined): JsonObject {
  return halfOf(work.ledger.record(address), id)?.spec ?? {}
}

/** What a spec points at, and what provides what its kind implies: that is among what it depends on. */
function neighbours(work: Work, current: Current, id: string | undefined, spec: JsonObject): readonly Neighbour[] {
  const { kind, workspaceId } = current
  const held = heldIds(kind, spec).flatMap((one) => one.kinds.map((name) => ({ kind: work.kindOf(name), id: one.id })))
  const implied = new Set(kind.needs?.(spec, workspaceId) ?? [])
  if (implied.size === 0) return held.filter(isThere)
  const recorded = halfOf(work.ledger.record(current.address), id)?.depends_on
  const providers = [...new Set([...current.dependsOn, ...(recorded ?? [])])].flatMap((address): Neighbour[] => {
    const other = work.ledger.record(address)
    const provider = other && work.kindOf(other.kind)
    const provided = provider?.provides?.(other?.spec ?? {}, other?.workspace_id ?? '') ?? []
    return other && provider && provided.some((name) => implied.has(name)) ? [{ kind: provider, id: other.id }] : []
  })
  return [...held, ...providers].filter(isThere)
}

function isThere({ kind, id }: Neighbour): boolean {
  return kind.managed && kind.readable && !hasToken(id)
}

async function isNeighbourBetween(work: Work, { workspaceId }: Current, { kind, id }: Neighbour): Promise<boolean> {
  const record = work.ledger.recordOfObject(kind.name, id)
  const object = await readAgain(work.looking, { kind, workspaceId, id, fields: [], parents: parentsOf(kind, record?.spec) })
  if (!object) return false
  const { live } = object
  const fresh = record?.id === id && record.status === 'creating'
  const recorded = record?.id === id ? record.spec : {}
  return isBetween(kind.status(live, viewOf({ kind, address: '', id, workspaceId, recorded, live, fresh, nowMs: work.run.client.serverNow() })))
}

/** Something recorded that holds the object and is on its way out, or goes with this plan. */
export function leavingReferrer(work: Work, current: Current, id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const self = work.ledger.recordOfObject(current.kind.name, id)
  const target = { kind: current.kind.name, id, shown: { ...self?.outputs, ...self?.spec } }
  for (const address of work.holders(target)) {
    const record = work.ledger.record(address)
    if (!record) continue
    const kind = work.kindOf(record.kind)
    const halves = [{ id: record.id, spec: record.spec, leaves: record.status === 'deleting' }, ...record.deposed.map((old) => ({ ...old, leaves: true }))]
    const holder = halves.find((half) => (half.leaves || work.releasing.has(`${record.kind} ${half.id}`)) && isHeldBy(kind, half.spec, target))
    if (holder) return `${record.address} (${holder.id})`
  }
  return undefined
}

/** An object with the same natural key that is on its way out, or goes with this plan. */
export async function leavingTwin(work: Work, current: Current, step: AnyStep): Promise<string | undefined> {
  const { kind, workspaceId, fields, parents } = current
  const key = kind.naturalKey(step.sets)
  if (!step.creates || !allowsOne(kind) || key === undefined || hasToken(key)) return undefined
  const found = await listAgain(work.looking, { kind, workspaceId, fields, parents })
  const twin = found.find(
    (one) => kind.naturalKey(one.seen) === key && (work.releasing.has(`${kind.name} ${one.id}`) || statusOf(work, current, one) === 'leaving'),
  )
  return twin && `${kind.name} ${twin.id}`
}

/** A workflow on the object or what it hangs on; where no listing is about those alone, any of the workspace that no other operation of ours waits for. */
async function workflowUnderWay(
  work: Work,
  current: Current,
  id: string | undefined,
  around: readonly Neighbour[],
  sentMs: number,
): Promise<string | undefined> {
  const { workspaceId } = current
  const own: Neighbour[] = id === undefined ? [] : [{ kind: current.kind, id }]
  const calls = [...own, ...around].flatMap((one) => one.kind.workflows?.(one.id, workspaceId) ?? [])
  if (calls.length === 0 && workspaceId === '') return undefined
  const others = new Set(work.ledger.unfinished().flatMap((one) => (one.intent.address !== current.address && one.workflowId !== null ? [one.workflowId] : [])))
  const asked = calls.length > 0 ? calls : [call(routes.listWorkspaceWorkflows, { wid: workspaceId }, undefined, { status: ['RUNNING', 'QUEUED'] })]
  for (const one of asked) {
    const found = await listed(work, one)
    if (found === undefined) return 'a workflow that cannot be seen'
    const open = found.find((workflow) => wasUnderWay(workflow, sentMs) && (calls.length > 0 || !others.has(workflow.id)))
    if (open) return `workflow ${open.id}${open.name === '' ? '' : ` (${open.name})`}`
  }
  return undefined
}

/** One may have ended between the refusal and this look. */
function wasUnderWay(workflow: Workflow, atMs: number): boolean {
  const { startedMs, durationMs } = workflow
  return terminalState(workflow) === undefined || (startedMs !== undefined && durationMs !== undefined && startedMs + durationMs >= atMs)
}

/** The workflows of a listing; undefined where the service does not show it. */
async function listed(work: Work, what: Call) {
  try {
    return (await work.run.client.all(what)).flatMap((one) => workflowOf(one) ?? [])
  } catch (error) {
    if (error instanceof ApiError && error.status !== 404) return undefined
    if (error instanceof ApiError) return []
    throw error
  }
}
