// Decides what happens to one resource: nothing, create, update, replace, delete, import or forget, and why.
import { matchesAddress } from '../../../base/address.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject } from '../../../base/json.ts'
import { hasToken } from '../../../base/token.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import { differences } from '../../model/diff/diff.ts'
import type { Facts } from '../../model/diff/diff.ts'
import { same } from '../../model/diff/equal.ts'
import { shownSecrets, withIgnored } from '../../model/diff/ignored.ts'
import { restartDue } from '../../model/diff/restarts.ts'
import { sealedLike } from '../../model/diff/sealed-like.ts'
import { replacementDue } from '../../model/diff/triggered.ts'
import type { Reason } from '../../model/plan-data.ts'
import type { PlanInput, Planned, Whereabouts } from '../../model/planned-resource.ts'
import { shownLive, straysOf, wantedView } from '../../model/view.ts'
import type { Situation } from '../../model/view.ts'
import type { Unmanaged } from '../../refresh/unmanaged.ts'
import { planScope } from '../scope.ts'
import type { Others } from '../scope.ts'
import { withSureTypes } from '../sure-types.ts'
import { keepUnavailable } from '../unavailable-values.ts'
import { divideUncertain } from '../uncertain-fields.ts'
import { existsProblem, managedByOther, openImport, twinAdvice } from './already-there.ts'
import { isMade, judged } from './judged.ts'
import type { Case, Decision } from './judged.ts'
import { keepStaying } from './kept-goers.ts'
import { keptMisfits } from './kept-misfits.ts'
import { nothingToImport, unfitImport } from './unfit-import.ts'
import { withoutUntold } from './untold.ts'
import { isOnItsWayOut, verdictOnDeclared } from './verdict.ts'

/** What deciding needs beside the facts of one resource. */
export interface Deciding {
  readonly input: PlanInput
  readonly unmanaged: Unmanaged
  /** What is made anew since a value that only its making answers is needed again. */
  readonly renewed: ReadonlySet<string>
  /** What is left out: whatever its manifest asks for, it changes nothing, and triggers nothing. */
  readonly still: ReadonlySet<string>
  /** What goes and ignore_changes would keep a value of, by `Kind output value`. */
  readonly going: ReadonlySet<string>
  /** Which outputs others change, and which were read. */
  readonly others: Others
}

/** What becomes of a declared resource; `planned` holds everything it refers to, decided already. */
export function decideDeclared(planning: Deciding, planned: ReadonlyMap<string, Planned>, declared: Declared, previousAddress: string | null): Planned {
  const { input } = planning
  const { address, kind } = declared
  const record = input.state.resources.get(address)
  const place = input.where(declared.workspace)
  const workspaceId = workspaceOf(place, record)
  const objectId = record?.id ?? declared.importId ?? null
  const found = objectId === null || workspaceId === null ? undefined : input.observation.find(kind.name, workspaceId, objectId)
  const { resolved, notes } = resolvedWith(planning, planned, declared, record)
  const object = sealedLike(found, [resolved.spec, record?.spec ?? {}], input.digest)
  const ignored = new Set(declared.lifecycle.ignoreChanges)
  const { leftAlone, uncertainFields } = divideUncertain(record, object, ignored)
  const situation: Situation = {
    kind,
    address,
    id: objectId ?? undefined,
    workspaceId: workspaceId ?? '',
    recorded: record?.spec ?? {},
    live: shownLive(kind, objectId, object, record?.spec ?? {}),
    fresh: record === undefined || record.status === 'creating',
    blind: [...(record?.blind ?? []), ...leftAlone],
    nowMs: input.nowMs,
  }
  const facts: Facts = { ...factsOf(situation, record, resolved.spec, ignored), seen: object?.seen ?? {}, ...uncertainFields }
  // What is gone is made as the manifest says: nothing is left that could be kept.
  const isGone = record !== undefined && object === undefined && kind.readable && input.options.unread !== true
  const whole = isGone ? resolved.spec : withIgnored(resolved.spec, facts, declared.lifecycle.ignoreChanges, keepStaying({ kind, record }, planning.going))
  const shown = ignored.size === 0 ? [] : shownSecrets(whole, resolved.secrets, found?.seen ?? {}, input.digest)
  const restart = record !== undefined && restartDue(declared, record, triggersAround(planning, planned))
  const elsewhere = otherWorkspace(declared, place, record)
  const one = { restart, record, object, objectId, whole, secrets: resolved.secrets, leftAlone, situation, workspaceId }
  const { desired, verdict } = withoutUntold(declared, { ...one, facts }, (spec): Decision =>
    elsewhere
      ? { action: 'no-op', reason: null, differences: [], diagnostics: [elsewhere] }
      : judge(planning, planned, declared, { ...one, desired: spec, facts: { ...facts, desired: spec } }),
  )
  return {
    address,
    previousAddress,
    kind,
    declared,
    record,
    object,
    objectId,
    workspaceId,
    workspaceAddress: 'address' in place ? place.address : null,
    resolved: ignored.size === 0 ? resolved : { ...resolved, secrets: new Map([...resolved.secrets, ...shown]) },
    desired,
    inDoubt: facts.uncertain,
    situation,
    restart,
    deposed: false,
    retained: false,
    leftOut: false,
    ...verdict,
    diagnostics: [
      ...resolved.problems,
      ...notes,
      ...verdict.diagnostics,
      ...(desired === resolved.spec ? [] : keptMisfits(declared, { desired, whole, written: resolved.spec, secrets: resolved.secrets, situation }, verdict)),
      ...(record && object ? [...twinAdvice(input, planning.unmanaged, declared, object), ...unconfirmed(declared, facts)] : []),
    ],
  }
}

/** What is declared and recorded, and what shows of it beside the object's own fields; what `ignore_changes` leaves to others shows nothing. */
function factsOf(situation: Situation, record: ResourceRecord | undefined, desired: JsonObject, ignored: ReadonlySet<string>) {
  const recorded = record?.spec ?? {}
  const strays = straysOf(situation, record?.spec ?? desired)
  const kept = ignored.size === 0 ? strays : Object.fromEntries(Object.entries(strays).filter(([field]) => !ignored.has(`/${field}`)))
  return { desired, recorded, strays: kept, imported: record === undefined }
}

/** What was asked for and waits for somebody to confirm it: no difference, but not so yet either. */
function unconfirmed({ address, kind, positionOf }: Declared, { desired, recorded, seen }: Facts): readonly Diagnostic[] {
  const waiting = Object.keys(desired).filter((field) => {
    const marks = kind.fields[field]
    if (marks?.confirmed !== true) return false
    const [wanted, now] = [desired[field], seen[field]]
    return now !== undefined && same(wanted, recorded[field], marks, recorded[field]) && !same(wanted, now, marks)
  })
  return waiting.map((field) => {
    const text = `${address}: the new ${field} waits for confirmation; until then the service keeps the old one`
    return diagnostic('note', text, { address, position: positionOf(`/${field}`) })
  })
}

/** The spec as far as it is known now; where a value of another can be known to nobody, what is recorded stands, with a note. */
function resolvedWith({ input, others }: Deciding, planned: ReadonlyMap<string, Planned>, declared: Declared, record: ResourceRecord | undefined) {
  const unavailable: string[] = []
  const scope = planScope(input, planned, declared, others, (address) => unavailable.push(address))
  const resolved = declared.resolve(record ? scope : withSureTypes(scope, planned, declared))
  if (unavailable.length === 0) return { resolved, notes: [] }
  const { spec, problems } = keepUnavailable(declared, resolved, record)
  return { resolved: { ...resolved, spec }, notes: problems }
}

/** Where to look for what a manifest is about: where it is recorded, whatever the manifest says by now. */
function workspaceOf(place: Whereabouts, record: ResourceRecord | undefined): string | null {
  return record?.workspace_id ?? ('id' in place ? place.id : null)
}

/** No call moves an object to another workspace; looked for there it would seem gone, and the one that is there would be nobody's. */
function otherWorkspace({ address, workspace, headPosition }: Declared, place: Whereabouts, record: ResourceRecord | undefined): Diagnostic | undefined {
  const recorded = record?.workspace_id ?? ''
  const isElsewhere = 'id' in place ? place.id !== recorded : workspace !== undefined && 'address' in workspace
  if (!record || !isElsewhere) return undefined
  const there = recorded === '' ? 'no workspace' : `workspace ${recorded}`
  const wanted = 'address' in place ? `${place.address}, which is not made yet` : place.id === '' ? 'none' : `workspace ${place.id}`
  const text = `${address}: its object is in ${there}, and its manifest names ${wanted}`
  const hint = 'give the manifest another name as well: then one is made there, and this one is deleted'
  return diagnostic('unsupported_change', text, { address, position: headPosition('/metadata/workspace'), hint })
}

function judge(planning: Deciding, planned: ReadonlyMap<string, Planned>, declared: Declared, one: Case): Decision {
  const { input } = planning
  const { kind } = declared
  const { record, object } = one
  if (!record && declared.importId === undefined) return creation(planning, declared, one)
  const taken = record || declared.importId === undefined ? undefined : importConflict(planning, declared, one, declared.importId)
  if (taken) return { action: 'no-op', reason: null, differences: [], diagnostics: [taken] }
  if (!record && !isImportable(kind, one)) return { action: 'no-op', reason: null, differences: [], diagnostics: [nothingToImport(declared, one)] }
  const forced = (): Reason | undefined => forcedReplacement(planning, planned, declared, one)
  const { action, reason, found } = verdictOnDeclared({
    record,
    object,
    situation: one.situation,
    unread: input.options.unread === true,
    restart: one.restart,
    differences: () => differences(kind, one.facts, declared.lifecycle.replaceOn),
    forced,
  })
  const asked = isMade(action) ? { ...one, desired: one.whole } : one
  const verdict = withExisting(planning, declared, asked, judged(input, declared, asked, action, reason, found))
  return action === 'import'
    ? { ...verdict, diagnostics: [...verdict.diagnostics, ...unfitImport(declared, found, forced()), ...openImport(input, declared)] }
    : verdict
}

/** Whether an import names something that is there and stays; what nothing reads is named by its number, or by what stands for that. */
function isImportable(kind: AnyKind, { object, objectId, desired, situation }: Case): boolean {
  if (kind.readable) return object !== undefined && kind.ours?.(object.live) !== false && !isOnItsWayOut(situation)
  return objectId !== null && (/^[1-9]\d{0,18}$/.test(objectId) || objectId === kind.untoldId?.(desired))
}

/** Why an object cannot be imported: another address has it, here or in another environment. */
function importConflict(planning: Deciding, declared: Declared, one: Case, id: string): Diagnostic | undefined {
  const { address, kind } = declared
  const position = declared.headPosition('/metadata/import')
  const other = planning.unmanaged.addressOf(kind.name, id)
  if (other === undefined) {
    planning.unmanaged.take(kind.name, id, address)
    return managedByOther(planning.input, declared, one)
  }
  const hint = 'to give a resource another name, use a moved block in iac.yaml'
  return diagnostic('import_conflict', `${address}: ${other} holds the ${kind.name} with id ${id} already`, { address, position, hint })
}

function creation(planning: Deciding, declared: Declared, one: Case): Decision {
  const open = hasOpenCreate(planning, declared)
  return withExisting(planning, declared, one, judged(planning.input, declared, one, 'create', open ? 'resumed' : 'new', []))
}

/** Whether a request that makes it is unfinished: what shows may be what that made. */
function hasOpenCreate({ input }: Deciding, { address }: Declared): boolean {
  return input.state.open.some(({ intent }) => intent.address === address && intent.creates)
}

/** A decision to make an object, and what is said of one like it that nobody manages; of a replacement, or of what was recorded, only that it is in the way. */
function withExisting(planning: Deciding, declared: Declared, one: Case, verdict: Decision): Decision {
  const { kind } = declared
  if (!isMade(verdict.action)) return verdict
  const key = kind.naturalKey(one.desired)
  if (one.workspaceId === null || key === undefined || hasToken(key) || hasOpenCreate(planning, declared)) return verdict
  const alike = planning.unmanaged.find(kind, one.workspaceId, key)
  const twin = alike.at(-1)
  const found = twin && existsProblem(planning.input, declared, one, twin)
  return !found || (one.record && found.code !== 'exists') ? verdict : { ...verdict, alike, diagnostics: [...verdict.diagnostics, found] }
}

/** The decisions that may trigger others, and what is recorded of these. */
function triggersAround({ input, still }: Deciding, planned: ReadonlyMap<string, Planned>): Parameters<typeof replacementDue>[2] {
  const decided = { get: (address: string) => (still.has(address) ? undefined : planned.get(address)) }
  return { decided, records: input.state.resources, unread: input.options.unread === true }
}

function forcedReplacement(planning: Deciding, planned: ReadonlyMap<string, Planned>, declared: Declared, one: Case): Reason | undefined {
  const { input, renewed } = planning
  if (input.options.replace.some((pattern) => matchesAddress(pattern, declared.address))) return 'requested'
  if (replacementDue(declared.lifecycle.replaceTriggeredBy, one.record, triggersAround(planning, planned))) return 'trigger'
  if (declared.kind.due?.(wantedView(one.situation, one.desired, [])) !== undefined) return 'expiring'
  return renewed.has(declared.address) ? 'secret_lost' : undefined
}
