// Rules that span resources: unique fields, singletons, circles, workspaces, and what kinds check over all.
import { parseAddress } from '../../base/address.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { lazy } from '../../base/lazy.ts'
import { pointerOf } from '../../base/pointer.ts'
import { hasToken, readable, readToken } from '../../base/token.ts'
import { uniqueFields } from '../../kinds/definition/kind.ts'
import type { AnyKind, Peer } from '../../kinds/definition/kind.ts'
import type { Turns } from '../files/turns.ts'
import type { Declared } from '../resolving/declared.ts'
import { circlesIn } from './circles.ts'
import { surelyDiffer, workspaceKey } from './workspaces.ts'

/** A resource with its spec as far as it is known without any call. */
export interface Checked {
  readonly declared: Declared
  readonly spec: JsonObject
}

/** A resource with how checks across resources see it. */
export interface Declaring {
  readonly declared: Declared
  readonly peer: Peer
}

/** Reports every problem between resources. */
export function* findConflicts(all: readonly Checked[], kinds: readonly AnyKind[], report: (found: Diagnostic) => void): Turns<void> {
  const byAddress = new Map(all.map((one) => [one.declared.address, one]))
  const named = new Set<string | undefined>()
  const tell = (found: Diagnostic) => {
    if (found.severity === 'error') named.add(found.address)
    report(found)
  }
  const declaring: Declaring[] = []
  for (const { declared, spec } of all) {
    yield
    declaring.push({ declared, peer: peerOf(declared, spec) })
  }
  circlesIn(declaring).forEach(tell)
  yield
  for (const one of byAddress.values()) acrossWorkspaces(one, byAddress).forEach(tell)
  for (const one of findClashes(declaring, kinds)) if (one.code !== 'duplicate_resource' || !named.has(one.address)) report(one)
}

/** What cannot be there together: what kinds refuse, and the same unique object twice. */
export function findClashes(all: readonly Declaring[], kinds: readonly AnyKind[]): Diagnostic[] {
  const found = checkPeers(all, kinds)
  const named = namedIn(found)
  return [...found, ...duplicates(all).filter((one) => !named.has(one.address))]
}

function namedIn(found: readonly Diagnostic[]): ReadonlySet<string | undefined> {
  return new Set(found.flatMap((one) => (one.severity === 'error' ? [one.address] : [])))
}

/** A resource as checks across resources see it: references to manifests as addresses. */
function peerOf(declared: Declared, spec: JsonObject): Peer {
  return { address: declared.address, kind: declared.kind.name, workspace: workspaceKey(declared.workspace), spec: named(spec) }
}

function named(spec: JsonObject): JsonObject {
  let out: Record<string, JsonValue> | undefined
  for (const key of Object.keys(spec)) {
    const member = spec[key] ?? null
    const one = addressIn(member)
    if (one !== member) (out ??= { ...spec })[key] = one
  }
  return out ?? spec
}

function addressIn(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    const token = hasToken(value) ? readToken(value) : undefined
    return token?.is === 'unknown' ? (addressOfPlace(token.place) ?? value) : value
  }
  if (isList(value)) return value.map(addressIn)
  return isObject(value) ? named(value) : value
}

/** `ADDRESS`, or `ADDRESS /output` where a field takes another output than the id. */
function addressOfPlace(place: string): string | undefined {
  if (parseAddress(place)) return place
  const [, address = '', output = ''] = /^(.*) \/(name)$/s.exec(place) ?? []
  return output !== '' && parseAddress(address) ? address : undefined
}

function acrossWorkspaces({ declared }: Checked, all: ReadonlyMap<string, Checked>): Diagnostic[] {
  return declared.references.flatMap((reference) => {
    const other = all.get(reference)?.declared
    if (!other || !surelyDiffer(declared.workspace, other.workspace)) return []
    return [
      diagnostic('conflict', `${declared.address} refers to ${reference}, which is in another workspace`, {
        position: declared.placeOf(reference),
        address: declared.address,
        detail: 'Objects of different workspaces cannot refer to each other.',
      }),
    ]
  })
}

function checkPeers(all: readonly Declaring[], kinds: readonly AnyKind[]): Diagnostic[] {
  const peers = all.map((one) => one.peer)
  const byAddress = lazy(() => new Map(all.map(({ declared }) => [declared.address, declared])))
  return kinds.flatMap((kind) =>
    (kind.checkAll?.(peers) ?? []).map((problem) => {
      const position = byAddress().get(problem.address)?.positionOf(pointerOf(problem.path))
      return diagnostic('conflict', readable(problem.message), {
        address: problem.address,
        ...(position ? { position } : {}),
        ...(problem.hint === undefined ? {} : { hint: readable(problem.hint) }),
      })
    }),
  )
}

function duplicates(all: readonly Declaring[]): Diagnostic[] {
  const first = new Map<string, Declared>()
  const found: Diagnostic[] = []
  for (const { declared, peer } of all) {
    const key = uniqueKey(declared.kind, peer)
    const other = key === undefined ? undefined : first.get(key)
    if (key !== undefined && !other) first.set(key, declared)
    if (!other) continue
    const { unique } = declared.kind
    const [field] = Array.isArray(unique) ? unique : []
    const position = field === undefined ? declared.position() : declared.positionOf(`/${field}`)
    const what = unique === 'singleton' ? `there is one ${declared.kind.name} only` : `the same ${(unique ?? []).join(' and ')}`
    found.push(
      diagnostic('duplicate_resource', `${declared.address} and ${other.address} are the same object: ${what}`, {
        position,
        address: declared.address,
        detail: `The other one is declared in ${shown(other.position())}.`,
      }),
    )
  }
  return found
}

/** One text for equal unique objects; undefined where a part of it is not known. */
function uniqueKey(kind: AnyKind, { spec, workspace }: Peer): string | undefined {
  const values = uniqueFields(kind)?.map((field) => spec[field])
  if (!values || values.some((value) => value === undefined || value === null || hasToken(value))) return undefined
  return JSON.stringify([kind.name, workspace, ...values])
}

/** A place in words. */
export function shown(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`
}
