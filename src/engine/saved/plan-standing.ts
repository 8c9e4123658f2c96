// Whether a saved plan stands on this state and this project: whose objects it means, what is protected, and what the project says of them by now.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { movesOf } from '../../project/declarations/moves.ts'
import type { Declared, Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { withNames } from '../../state/rename.ts'
import { isHalfMade } from '../../state/slot.ts'
import { buildGraph, orderOf } from '../model/graph/graph.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { createRetained } from '../model/retained.ts'
import type { Retained } from '../model/retained.ts'
import { keepingOf } from '../plan/keeping.ts'

/** A plan's ground; `records` are under the plan's addresses. */
export interface Ground {
  readonly plan: Plan
  readonly project: Project
  readonly records: ReadonlyMap<string, ResourceRecord>
  kindOf(name: string): AnyKind
}

/** The records under the addresses that the plan moves them to, which the project's moved blocks must say, too. */
export function movedRecords(
  plan: Plan,
  project: Pick<Project, 'moved' | 'resources' | 'environments' | 'partial'>,
  records: ReadonlyMap<string, ResourceRecord>,
): { readonly records: ReadonlyMap<string, ResourceRecord>; readonly problems: readonly Diagnostic[] } {
  const moves = new Map(plan.changes.flatMap((one) => (one.previous_address === null ? [] : [[one.previous_address, one.address] as const])))
  if (moves.size === 0) return { records, problems: [] }
  const lead = movesOf(project)
  const strange = [...moves].find(([from, to]) => !records.has(from) || lead(from)?.to !== to || (records.has(to) && !moves.has(to)))
  if (strange) return { records, problems: [stale(strange[1], `the plan moves it from ${strange[0]}, which no moved block of the project says`)] }
  const now = (address: string): string => moves.get(address) ?? address
  return { records: new Map([...records].map(([address, record]) => [now(address), withNames(record, now)])), problems: [] }
}

/** What does not fit the state: with the state that it was made from, a plan says nothing of it that is not there. */
export function alteredIn({ plan, records, kindOf }: Ground): readonly Diagnostic[] {
  const known = new Set(plan.changes.map(keyOf))
  const unsaid = [...records.values()].find(
    (one) => (one.id !== '' && !known.has(one.address)) || one.deposed.some((old) => !known.has(`${one.address}#${old.id}`)),
  )
  const strange = [
    ...plan.changes.flatMap((change) => idProblem(change, records) ?? []),
    ...(plan.drift ?? []).flatMap((change) =>
      records.get(change.address)?.id === change.id ? [] : altered(change.address, 'what drifted is not what is recorded'),
    ),
    ...(unsaid ? [altered(unsaid.address, 'it is recorded, and the plan does not name it')] : []),
  ]
  if (strange.length > 0) return strange
  const graph = buildGraph(plan.changes, records, kindOf)
  const [stuck] = orderOf(graph).stuck
  return stuck === undefined ? [] : [altered(graph.nodes.get(stuck)?.change.address ?? stuck, 'what it waits for waits for it')]
}

function keyOf({ address, id, deposed }: Change): string {
  return deposed ? `${address}#${id}` : address
}

function idProblem(change: Change, records: ReadonlyMap<string, ResourceRecord>): Diagnostic | undefined {
  const { address, action, reason, id, deposed } = change
  const record = records.get(address)
  const half = deposed ? record?.deposed.find((old) => old.id === id) : record
  if (deposed && !half) return altered(address, `no old object of it with id ${id} is recorded`)
  if (record && record.workspace_id !== change.workspace_id) return altered(address, `it is recorded in workspace ${record.workspace_id}`)
  if (record && !deposed && record.id !== id) return altered(address, `it is recorded with id ${record.id}, not ${id}`)
  const isRecorded = record !== undefined
  const wants = action === 'create' ? reason === 'missing' : action !== 'import'
  const isFree = action === 'no-op' || (action === 'replace' && !isRecorded)
  return isFree || wants === isRecorded ? undefined : altered(address, isRecorded ? 'it is recorded already' : 'nothing is recorded of it')
}

/** What the project says otherwise by now, or does not say although only it could: protection, what is kept, and which objects are taken over. */
export function unsaidBy(ground: Ground): readonly Diagnostic[] {
  const declared = new Map(ground.project.resources.map((one) => [one.address, one]))
  const addresses = addressesIn(ground.records)
  const isRetained = createRetained(ground.project, ground.plan.mode === 'destroy')
  const lead = movesOf(ground.project)
  /** The manifest that an address has by now, under the name that moved blocks give it. */
  const nowOf = (address: string): Declared | undefined => declared.get(address) ?? declared.get(lead(address)?.to ?? address)
  return ground.plan.changes.flatMap((change) => {
    const own = declared.get(change.address)
    return (
      importProblem(change, ground, own, addresses) ??
      leavingProblem(change, { ...ground, isRetained }, nowOf(change.address)) ??
      keepingProblem(change, ground, own) ??
      []
    )
  })
}

function addressesIn(records: ReadonlyMap<string, ResourceRecord>): ReadonlyMap<string, string> {
  const objects = [...records.values()].flatMap(({ address, kind, id, deposed }) =>
    [id, ...deposed.map((old) => old.id)].map((one) => [`${kind} ${one}`, address] as const),
  )
  return new Map(objects)
}

function importProblem(
  { address, kind, id, action }: Change,
  { records }: Ground,
  own: Declared | undefined,
  addresses: ReadonlyMap<string, string>,
): Diagnostic | undefined {
  if (records.has(address) || id === null || action === 'no-op') return undefined
  const other = addresses.get(`${kind} ${id}`)
  if (other !== undefined) return altered(address, `${other} holds the ${kind} with id ${id}`)
  return own?.importId === id ? undefined : stale(address, `the plan takes over object ${id}, which no import of a manifest names here`)
}

function leavingProblem(
  { address, action, deposed }: Change,
  { plan, records, isRetained }: Ground & { readonly isRetained: Retained },
  now: Declared | undefined,
): Diagnostic | undefined {
  const record = records.get(address)
  if (!record || deposed || (action !== 'delete' && action !== 'forget')) return undefined
  const name = now?.address === address ? '' : ` as ${now?.address}, which a moved block leads to`
  if (now && plan.mode !== 'destroy') return stale(address, `the plan ${action}s it, and a manifest declares it${name}`)
  // Whether that is there which it was to replace is judged with what is found.
  const isKept = action === 'delete' && isRetained(record) && !isHalfMade(record, () => plan.refreshed !== false)
  return isKept ? stale(address, 'the plan deletes it, and it is to be forgotten and to stay') : undefined
}

/** Protection and on_remove come from a manifest; where none is at hand the plan may strengthen them, and never lift them. */
function keepingProblem(change: Change, { plan, records }: Ground, own: Declared | undefined): Diagnostic | undefined {
  const { address, deposed, protected: isProtected, on_remove: onRemove } = change
  const record = records.get(address)
  // What is live is recorded without them.
  if (deposed || plan.mode === 'refresh-only') return undefined
  const isRecorded = record?.protected === isProtected && record.on_remove === onRemove
  if (isRecorded) return undefined
  // A destroy decides by the state alone.
  if (own && plan.mode !== 'destroy') {
    const now = keepingOf(record, own.lifecycle, change.unselected === true)
    return now.protected === isProtected && now.on_remove === onRemove
      ? undefined
      : stale(address, 'its manifest says otherwise of prevent_destroy or on_remove by now')
  }
  const lifts = (record?.protected === true && !isProtected) || (record?.on_remove === 'retain' && onRemove !== 'retain')
  return lifts ? unprotected(address) : undefined
}

function unprotected(address: string): Diagnostic {
  return diagnostic('guard_protected', `${address}: the state protects it, and the plan lifts that without a manifest that says so`, {
    address,
    hint: 'carry the plan out with the manifests that it was made from',
  })
}

function altered(address: string, text: string): Diagnostic {
  const detail = 'The state is the one that the plan was made from: the plan was altered after it was made.'
  return diagnostic('plan_damaged', `${address}: ${text}`, { address, detail, hint: 'plan again' })
}

function stale(address: string, text: string): Diagnostic {
  return diagnostic('plan_stale', `${address}: ${text}`, { address, hint: 'plan again, or carry the plan out with the files that it was made from' })
}
