// What a change asks for, once values are known that were not when it was planned: held against its kind, the policies and what it points at.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { equalJson } from '../../base/json.ts'
import { hasToken, readable } from '../../base/token.ts'
import type { AnyKind, Target } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { desiredOf } from '../model/diff/desired.ts'
import type { Node } from '../model/graph/node.ts'
import type { Change } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import { maskObject } from '../plan/change.ts'
import { brokenOnTheWay } from '../plan/checks/policies.ts'
import { isPassing } from '../plan/decide/unfit-targets.ts'
import { refusable } from '../refresh/existence.ts'
import { readAgain } from '../refresh/observe.ts'
import { whileReadsLag } from '../refresh/reads-lag.ts'

type Judged = ReturnType<typeof desiredOf>

/** What a change asks for by now, or what is wrong with it; `nodes` is everything that this run does. At once where nothing has to be read for it: what begins first is sent first. */
export function judgedAgain(work: Work, node: Node, nodes: ReadonlyMap<string, Node>): Judged | Promise<Judged> {
  const { change } = node
  const found = desiredOf(change, work.kindOf(change.kind), work)
  if ('problems' in found) return found
  const broken = work.policies && change.after_unknown.length > 0 ? brokenOnTheWay(change, maskObject(found.desired), work.policies) : undefined
  if (broken) return { problems: [broken], waits: false }
  const reading = unfitTargets({ work, node, nodes, desired: found.desired })
  if (reading.length === 0) return found
  return Promise.all(reading).then((all) => (all.some((one) => one.length > 0) ? { problems: all.flat(), waits: false } : found))
}

interface Judging {
  readonly work: Work
  readonly node: Node
  readonly nodes: ReadonlyMap<string, Node>
  readonly desired: JsonObject
}

/** What the plan could not say of what references point at, since it did not know this one or that one whole. */
function unfitTargets(judging: Judging): readonly Promise<readonly Diagnostic[]>[] {
  const { work, desired } = judging
  const { change } = judging.node
  const kind = work.kindOf(change.kind)
  if (!kind.suits || change.reason === 'resumed') return []
  const isMade = change.action === 'create' || change.action === 'replace'
  return kind.referenceFields.flatMap(({ field, ref, output }) => {
    const [name, other] = ref
    const id = desired[field]
    if (output !== 'id' || typeof id !== 'string' || hasToken(id) || name === undefined || other !== undefined) return []
    if (!isMade && equalJson(change.before?.[field] ?? null, id)) return []
    return unfitTarget(judging, field, work.kindOf(name), id) ?? []
  })
}

/** What is still to be changed is left open. What this run has changed is held against its record first: reads may lag behind that, and nobody has to ask where it fits. */
function unfitTarget({ work, node, nodes, desired }: Judging, field: string, kind: AnyKind, id: string): Promise<readonly Diagnostic[]> | undefined {
  const { change, task } = node
  const held = work.ledger.recordOfObject(kind.name, id)
  const record = held?.id === id ? held : undefined
  const doing = record && nodes.get(record.address)?.change
  if (!isLate(change) && (doing === undefined || !isLate(doing))) return undefined
  const isDone = task === 'make' && record !== undefined && change.depends_on.includes(record.address)
  if (nodes.has(`${held?.address}#${id}`) || (doing !== undefined && !isDone)) return undefined
  const problemsOf = (now: JsonObject): readonly Diagnostic[] =>
    problemsWith(work, { change, field, desired }, { address: record?.address ?? `${kind.name} ${id}`, now: addressed(work, kind, now), sets: {} })
  if (record && doing && problemsOf(record.spec).length === 0) return undefined
  return whileReadsLag(
    work.run,
    async () => problemsOfSeen(work, { kind, id, record, change }, problemsOf),
    (found) => found.length === 0,
  )
}

/** The same of what is read of it by now; what cannot be read, or is on its way, shows nothing of how it will be. */
async function problemsOfSeen(
  { run, looking }: Work,
  { kind, id, record, change }: { readonly kind: AnyKind; readonly id: string; readonly record: ResourceRecord | undefined; readonly change: Change },
  problemsOf: (now: JsonObject) => readonly Diagnostic[],
): Promise<readonly Diagnostic[]> {
  const workspaceId = change.workspace_id ?? ''
  const object = await refusable(readAgain(looking, { kind, workspaceId, id, fields: [], parents: [] }))
  if (object === undefined || object === 'refused') return []
  const recorded = record?.spec ?? {}
  if (isPassing(kind, object, { kind, address: '', id, workspaceId, recorded, live: object.live, fresh: false, nowMs: run.client.serverNow() })) return []
  return problemsOf({ ...recorded, ...object.seen })
}

interface Pointing {
  readonly change: Change
  readonly field: string
  readonly desired: JsonObject
}

function problemsWith(work: Work, { change, field, desired }: Pointing, target: Target): readonly Diagnostic[] {
  const { address } = change
  const kind = work.kindOf(change.kind)
  return (kind.suits?.(addressed(work, kind, desired), field, target, true) ?? []).map(({ message, path, hint }) =>
    diagnostic('plan_impossible', `${address}: ${readable(message)}`, { address, position: work.positionOf(address, `/${path.join('/')}`), hint }),
  )
}

/** Whether the plan did not know everything that a change sets. */
function isLate({ after_unknown: unknown }: Change): boolean {
  return unknown.length > 0
}

/** A spec whose references are addresses where the state holds what they mean, as people know it. */
function addressed({ ledger }: Work, kind: AnyKind, spec: JsonObject): JsonObject {
  const out: Record<string, JsonValue> = { ...spec }
  for (const { field, ref, output } of kind.referenceFields) {
    const value = spec[field]
    if (output !== 'id' || typeof value !== 'string') continue
    const record = ref.map((name) => ledger.recordOfObject(name, value)).find((one) => one?.id === value)
    if (record) out[field] = record.address
  }
  return out
}
