// What expressions see of other resources while planning: desired spec fields, live outputs, and what is not known yet.
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { pointerOf } from '../../base/pointer.ts'
import { readToken, tokenText } from '../../base/token.ts'
import type { Output } from '../../kinds/definition/kind.ts'
import type { Attribute, Declared, Scope } from '../../project/resolving/declared.ts'
import { readHidden } from '../../project/resolving/unresolved.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { holdsDigest } from '../model/diff/sealed-like.ts'
import type { Planned, PlanInput } from '../model/planned-resource.ts'
import { isResumedCreate } from '../model/resumed.ts'
import { viewOf } from '../model/view.ts'
import { unavailableToken } from './unavailable-values.ts'

/** What is known, or that it is sensitive and its value is nowhere to be had. */
type Revealed = Attribute | { readonly is: 'unavailable' }
type Recorded = Pick<ResourceRecord, 'id' | 'outputs' | 'spec'>

/** Outputs as `Kind/name output`: those that others change, and those that were asked for. */
export interface Others {
  readonly altered: ReadonlySet<string>
  readonly read: Set<string>
}

const unknown: Attribute = Object.freeze({ is: 'unknown', sensitive: false })
const absent: Attribute = Object.freeze({ is: 'known', value: null, sensitive: false })

/** The scope of one declared resource; `planned` holds what was decided before it. `withhold` is told whose sensitive values are asked for that nobody has. */
export function planScope(
  input: PlanInput,
  planned: ReadonlyMap<string, Planned>,
  declared: Pick<Declared, 'workspace'>,
  others: Others,
  withhold: (address: string) => void = () => undefined,
): Scope {
  const told = (address: string, path: readonly (string | number)[]): Revealed => {
    const target = planned.get(address)
    const output = `${address} ${String(path[0])}`
    others.read.add(output)
    if (target) return plannedAttribute(target, path, others.altered.has(output))
    const record = input.state.resources.get(address)
    if (!record) return unknown
    const once = input.kinds.find((kind) => kind.name === record.kind)?.outputs[String(path[0])]?.once
    return once ? onceOf(address, record.id, String(path[0])) : ofRecord(record, path, new Map())
  }
  return {
    attribute(address, path) {
      const found = told(address, path)
      if (found.is !== 'unavailable') return found
      withhold(address)
      return { is: 'once', token: unavailableToken(address, path), value: undefined }
    },
    lookup: (kind, name, workspace) => input.lookup(kind, name, workspace ?? declared.workspace),
    digest: input.digest,
  }
}

function plannedAttribute(target: Planned, path: readonly (string | number)[], isAltered: boolean): Revealed {
  const name = String(path[0])
  const made = target.action === 'create' || target.action === 'replace' || target.objectId === null
  if (name === 'id') return made ? derivedId(target) : known(target.objectId)
  const output = target.kind.outputs[name]
  if (name in target.kind.fields && target.desired && target.desired[name] !== undefined) return desiredAttribute(target, path)
  if (output?.once) return made || target.objectId === null ? unknown : onceOf(target.address, target.objectId, name)
  // A field that no manifest says is absent, whatever the service makes of that: the state holds nothing of it, either.
  if (!output && target.desired) return absent
  if (made) return output ? unknown : absent
  if (output && isAltered) return unknown
  // An output that a list's slim item lacks keeps its last value.
  const outputs = { ...target.record?.outputs, ...(target.object ? target.kind.outputsOf(target.object.live) : {}) }
  // What is being made may show it later, or otherwise.
  if (output && (isResumedCreate(target) || ((outputs[name] ?? null) === null && isBeingMade(target)))) return unknown
  // What a manifest no longer says is cleared by this plan, and shows what the service makes of that.
  const isCleared = isUpdated(target, name)
  if (isCleared || (output && !isKept(target, output, outputs[name], path[1]))) return unknown
  const value = output ? outputs[name] : (target.object?.seen[name] ?? target.record?.spec[name])
  const found = reveal(dig(value, path.slice(1)), target.resolved?.secrets ?? new Map())
  const isSecret = output?.sensitive === true || holdsDigest(target.record?.spec[name])
  return found.is === 'known' && isSecret ? { ...found, sensitive: true } : found
}

/** Whether an object that never was ready is not so yet. */
function isBeingMade({ kind, record, object, situation }: Planned): boolean {
  return record?.status === 'creating' && object !== undefined && kind.status(object.live, viewOf(situation)) === 'pending'
}

/** Whether this plan leaves an output of what is there as it is, or the member of it that is asked for. */
function isKept(target: Planned, { follows = [], settlesAt }: Output, value: JsonValue | undefined, key: string | number | undefined): boolean {
  const followed = follows.filter((field) => isUpdated(target, field))
  if (settlesAt !== undefined) return value === settlesAt || (followed.length === 0 && !(target.restart && isChanged(target)))
  return followed.every((field) => isMemberThatStays(target.desired?.[field], value, key))
}

/** Whether this plan changes a field of what is there, or of what it takes over. */
function isUpdated(target: Planned, name: string): boolean {
  return isChanged(target) && target.differences.some(({ field, effect }) => field === name && effect !== 'note')
}

function isChanged({ action }: Planned): boolean {
  return action === 'update' || action === 'import'
}

/** Whether what is asked for is a member of a map by ids, and the list that changes names this id before and after. */
function isMemberThatStays(wanted: JsonValue | undefined, output: JsonValue | undefined, key: string | number | undefined): boolean {
  return isList(wanted) && isObject(output) && typeof key === 'string' && key in output && wanted.includes(key)
}

function derivedId(target: Planned): Attribute {
  const id = target.kind.derivedId && target.desired && target.workspaceId !== null ? target.kind.derivedId(target.desired, target.workspaceId) : undefined
  return id === undefined || readToken(id) || id.includes('\u0001') ? unknown : known(id)
}

function desiredAttribute(target: Planned, path: readonly (string | number)[]): Revealed {
  const value = dig(target.desired, path)
  const token = readToken(value)
  if (token?.is === 'once') return { is: 'once', token: tokenText(token), value: target.resolved?.secrets.get(tokenText(token)) }
  const found = reveal(value, target.resolved?.secrets ?? new Map())
  if (found.is !== 'unknown' || found.sensitive) return found
  return { is: 'unknown', sensitive: target.kind.fields[String(path[0])]?.secret === true || isHidden(target.resolved?.unresolved ?? {}, path) }
}

/** Whether something sensitive gives what is not known yet there, within it or around it: what is made of it is sensitive, as it is of what is known. */
export function isHidden(unresolved: Readonly<Record<string, string>>, path: readonly (string | number)[]): boolean {
  const asked = `${pointerOf(path)}/`
  return Object.entries(unresolved).some(
    ([pointer, source]) => (`${pointer}/`.startsWith(asked) || asked.startsWith(`${pointer}/`)) && readHidden(source) !== undefined,
  )
}

/** A value with its sensitive parts put back; sensitive as a whole if any part is, unavailable if one of these is known by its digest alone. */
function reveal(value: JsonValue | undefined, secrets: ReadonlyMap<string, JsonValue>): Revealed {
  let sensitive = false
  let missing = false
  let unavailable = false
  const walk = (one: JsonValue): JsonValue => {
    const token = readToken(one)
    if (token?.is === 'digest') {
      sensitive = true
      const real = secrets.get(tokenText(token))
      if (real === undefined) unavailable = true
      return real ?? null
    }
    if (token) missing = true
    if (isList(one)) return one.map(walk)
    if (isObject(one)) return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner)]))
    return one
  }
  const shown = walk(value ?? null)
  if (unavailable) return { is: 'unavailable' }
  return missing ? { is: 'unknown', sensitive } : { is: 'known', value: shown, sensitive }
}

/** A member of a recorded resource: its spec, as it is while planning, then its outputs. */
export function recordedAttribute(record: Recorded, path: readonly (string | number)[], secrets: ReadonlyMap<string, JsonValue> = new Map()): Attribute {
  const found = ofRecord(record, path, secrets)
  return found.is === 'unavailable' ? { is: 'unknown', sensitive: true } : found
}

function ofRecord(record: Recorded, path: readonly (string | number)[], secrets: ReadonlyMap<string, JsonValue>): Revealed {
  const name = String(path[0])
  if (name === 'id') return known(record.id)
  const value = record.spec[name] ?? record.outputs[name]
  return reveal(dig(value, path.slice(1)), secrets)
}

function onceOf(address: string, id: string, output: string): Attribute {
  return { is: 'once', token: tokenText({ is: 'once', address, id, output }), value: undefined }
}

function known(value: JsonValue | undefined, sensitive = false): Attribute {
  return { is: 'known', value: value ?? null, sensitive }
}

/** What stands there; nothing is known of what is within a value that is not known itself. */
function dig(value: JsonValue | undefined, path: readonly (string | number)[]): JsonValue | undefined {
  let at = value
  for (const part of path) {
    if (readToken(at)?.is === 'unknown') return at
    if (at === undefined || at === null) return undefined
    if (isList(at)) at = at[Number(part)]
    else if (isObject(at)) at = Object.hasOwn(at, String(part)) ? at[String(part)] : undefined
    else return undefined
  }
  return at
}
