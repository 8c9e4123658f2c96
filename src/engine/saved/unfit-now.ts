// Whether what a saved plan's references point at, and what the plan leaves as it is, is still as the service asks: a node's instance may be off by now.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { equalJson } from '../../base/json.ts'
import { hasToken, readable } from '../../base/token.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Looking } from '../model/observation.ts'
import type { Change, Plan } from '../model/plan-data.ts'
import { isPassing } from '../plan/decide/unfit-targets.ts'
import { refusable } from '../refresh/existence.ts'
import { readAgain } from '../refresh/observe.ts'
import { plannedSpec } from './plan-specs.ts'

interface Standing {
  readonly records: ReadonlyMap<string, ResourceRecord>
  readonly nowMs: number
  kindOf(name: string): AnyKind
}

/** What to say of each change that would be refused; what cannot be read is left open, and what the plan changes as well is judged by what it was seen to be. */
export async function unfitNow(looking: Looking, { changes }: Pick<Plan, 'changes'>, { records, nowMs, kindOf }: Standing): Promise<readonly Diagnostic[]> {
  const decided = new Map(changes.map((one) => [`${one.kind} ${one.id}`, one]))
  const recorded = new Map([...records.values()].map((one) => [`${one.kind} ${one.id}`, one]))
  const found = await Promise.all(changes.flatMap((change) => pointing(change, kindOf(change.kind)).map((field) => judge(change, field))))
  return found.flat()

  async function judge(change: Change, { field, ref }: AnyKind['referenceFields'][number]): Promise<readonly Diagnostic[]> {
    const spec = plannedSpec(change)
    const id = spec[field]
    const [name, other] = ref
    if (typeof id !== 'string' || hasToken(id) || name === undefined || other !== undefined) return []
    const target = decided.get(`${name} ${id}`)
    if (target !== undefined && target.action !== 'no-op') return []
    const kind = kindOf(name)
    const workspaceId = change.workspace_id ?? ''
    const object = await refusable(readAgain(looking, { kind, workspaceId, id, fields: [], parents: [] }))
    if (object === undefined || object === 'refused') return []
    const own = recorded.get(`${name} ${id}`)?.spec ?? {}
    if (isPassing(kind, object, { kind, address: '', id, workspaceId, recorded: own, live: object.live, fresh: false, nowMs })) return []
    const problems = kindOf(change.kind).suits?.(spec, field, { address: target?.address ?? `${name} ${id}`, now: { ...own, ...object.seen }, sets: {} }, true)
    return (problems ?? []).map(({ message }) =>
      diagnostic('plan_stale', `${change.address}: ${readable(message)}`, { address: change.address, hint: 'plan again' }),
    )
  }
}

/** The references that a change sends and of which its kind has something to say. */
function pointing(change: Change, kind: AnyKind): AnyKind['referenceFields'] {
  const { action, reason, before, after, deposed } = change
  if (!kind.suits || deposed || after === null || reason === 'resumed') return []
  const isMade = action === 'create' || action === 'replace'
  if (!isMade && action !== 'update' && action !== 'import') return []
  return kind.referenceFields.filter(({ field, output }) => output === 'id' && (isMade || !equalJson(before?.[field] ?? null, after[field] ?? null)))
}
