// Recording without changing: an existing object under a manifest (import), and what is live (refresh).
import { diagnostic, failure, Failure } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Entry, ResourceRecord } from '../../state/record.ts'
import { hasGrown, there } from '../model/diff/diff.ts'
import { isTelling, same } from '../model/diff/equal.ts'
import { originsIn } from '../model/diff/origins.ts'
import { recordedOutputs } from '../model/diff/recorded-outputs.ts'
import { toJsonObject } from '../model/live.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import type { Planned } from '../model/planned-resource.ts'
import type { Prepared } from '../plan/prepared-plan.ts'

/** The record of an object that was found for a manifest: live's values of the declared fields, declared ones where live carries none. */
function importedRecord(one: Planned, dependsOn: readonly string[]): ResourceRecord {
  const { kind, desired, declared } = one
  // What nothing reads is as declared.
  const object: Pick<LiveObject, 'seen' | 'live'> | undefined = one.object ?? (kind.readable ? undefined : { seen: {}, live: undefined })
  if (!desired || !object || one.objectId === null || !declared) throw new Error(`${one.address} has no object to import`)
  const facts = { desired, recorded: {}, seen: object.seen, imported: true }
  const spec: Record<string, JsonValue> = {}
  for (const field of Object.keys(desired)) {
    const value = !isTelling(desired[field], object.seen[field], kind.fields[field] ?? {})
      ? desired[field]
      : asSaid(kind, field, desired[field], there(field, facts))
    if (value !== undefined && value !== null) spec[field] = value
  }
  const blind = kind.readable ? blindFields(kind, desired, object) : []
  return {
    address: one.address,
    kind: kind.name,
    id: one.objectId,
    workspace_id: one.workspaceId === '' ? null : one.workspaceId,
    status: 'ready',
    spec,
    outputs: object.live === undefined ? { id: one.objectId } : recordedOutputs(kind, toJsonObject(kind.outputsOf(object.live)), spec),
    depends_on: dependsOn,
    protected: declared.lifecycle.preventDestroy,
    on_remove: declared.lifecycle.onRemove,
    deposed: [],
    origins: originsIn(spec),
    uncertain: [],
    ...(blind.length > 0 ? { blind } : {}),
  }
}

/** What live shows of a field, as a spec says it where both say the same: what a service fills in beside it nobody has asked for. */
function asSaid({ fields }: AnyKind, field: string, said: JsonValue | undefined, shown: JsonValue | undefined): JsonValue | undefined {
  return said !== undefined && same(said, shown, fields[field] ?? {}) ? said : shown
}

/** The fields of an object taken over that cannot be read, that nobody declared, and that a full update would clear. */
function blindFields(kind: AnyKind, desired: JsonObject, { seen }: Pick<LiveObject, 'seen'>): readonly string[] {
  return Object.entries(kind.fields).flatMap(([field, marks]) =>
    marks.clearable && !marks.shown && seen[field] === undefined && desired[field] === undefined ? [field] : [],
  )
}

interface Finished {
  readonly kind: AnyKind
  readonly desired: JsonObject
  readonly object: LiveObject | undefined
  readonly before: ResourceRecord | undefined
}

/** What nobody has sent since the object was taken over, where it cannot be read. */
export function blindAfter({ action }: Pick<Change, 'action'>, { kind, desired, object, before }: Finished): Pick<ResourceRecord, 'blind'> {
  const blind = action === 'import' && !before && object ? blindFields(kind, desired, object) : (before?.blind ?? [])
  return blind.length > 0 ? { blind } : {}
}

/** The entry that puts an object under a manifest; throws a Failure (3) where that cannot be. */
export function importEntry(prepared: Prepared, address: string, id: string): Entry {
  const one = prepared.planned.find((each) => each.address === address && !each.deposed)
  if (!one?.declared) throw failure('import_conflict', `${address} has no manifest`, { hint: 'write its manifest first, then import' })
  // Here nothing is done but to record it; the next plan tells what it would do.
  const errors = one.diagnostics.filter((each) => each.severity === 'error' && each.code !== 'import_replaced')
  if (errors.length > 0) throw new Failure(3, errors)
  if (!one.object && one.kind.readable)
    throw failure('import_conflict', `${address}: there is no ${one.kind.name} with id ${id}`, {
      address,
      position: one.declared.headPosition('/metadata/import'),
    })
  const change = prepared.plan.changes.find((each) => each.address === address)
  return { t: 'record', resource: { ...importedRecord(one, change?.depends_on ?? []), ...stillAwaited(prepared.input.state.resources, address) } }
}

/** Whoever waits for a change of what stood at an address has not seen one by its being taken over. */
function stillAwaited(resources: ReadonlyMap<string, ResourceRecord>, address: string): Pick<ResourceRecord, 'awaited'> {
  const mark = [...resources.values()].map(({ triggered }) => triggered?.[address]).find((one) => one !== undefined)
  return mark === undefined ? {} : { awaited: { mark, spec: '' } }
}

/** What a refresh looks at: recorded, readable, not left out, and without an effect that is still open. */
export function refreshable(prepared: Prepared, open: ReadonlySet<string>): readonly Planned[] {
  return prepared.planned.filter((one) => one.record !== undefined && !one.deposed && one.kind.readable && !one.leftOut && !open.has(one.address))
}

/** The entry that makes the state say what is live of one resource, but for what is uncertain: that a plan shows, not a refresh. One whose object is gone is forgotten. */
export function refreshEntry({ record, object, kind, address }: Pick<Planned, 'record' | 'object' | 'kind' | 'address'>): Entry | undefined {
  if (!record) return undefined
  if (!object) return { t: 'forget', address, id: record.id }
  const spec: Record<string, JsonValue> = {}
  for (const [field, value] of Object.entries(record.spec)) {
    const marks = kind.fields[field] ?? {}
    const isLeft = marks.confirmed === true || marks.asAsked === true || record.uncertain.includes(field) || hasGrown(value, object.seen[field], marks)
    const isShown = !isLeft && isTelling(value, object.seen[field], marks)
    const seen = isShown ? object.seen : {}
    const now = there(field, { desired: record.spec, recorded: record.spec, seen, imported: false })
    if (now !== null) spec[field] = asSaid(kind, field, value, now) ?? value
  }
  const outputs = recordedOutputs(kind, { ...record.outputs, ...toJsonObject(kind.outputsOf(object.live)) }, spec)
  return { t: 'record', resource: { ...record, address, spec, outputs } }
}

/** What must not be imported: an address that is in the state, an id that another address holds. */
export function importProblem(resources: ReadonlyMap<string, ResourceRecord>, address: string, kind: string, id: string) {
  if (resources.has(address))
    return diagnostic('import_conflict', `${address} is in the state already`, { address, hint: `forget it first: \`iac state rm ${shellWord(address)}\`` })
  const record = [...resources.values()].find((one) => one.kind === kind && (one.id === id || one.deposed.some((old) => old.id === id)))
  return record ? diagnostic('import_conflict', `${record.address} holds id ${id} already`, { address }) : undefined
}
