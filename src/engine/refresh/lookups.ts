// Lookups by name: which lists they need, and what is found in them.
import { ApiError } from '../../api/calls/call.ts'
import { failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import { namesOf } from '../../kinds/definition/kind.ts'
import type { AnyKind, Reader } from '../../kinds/definition/kind.ts'
import type { WorkspaceRef } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { holdsDigest } from '../model/diff/sealed-like.ts'
import { isLeaving } from '../model/graph/owners.ts'
import { toJsonObject } from '../model/live.ts'
import type { LookupAnswer, Whereabouts } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import { wholeItems } from './whole-items.ts'

/** A lookup that a text asks for, in the workspace that is meant. */
export interface Asked {
  readonly kind: string
  readonly name: string
  readonly ref: WorkspaceRef | undefined
}

/** The id of a workspace that is there. */
export function placeId(place: Whereabouts): string | undefined {
  return 'id' in place ? place.id : undefined
}

/** A kind by its name. */
export function kindNamed(kinds: readonly AnyKind[], name: string): AnyKind | undefined {
  return kinds.find((kind) => kind.name === name)
}

/** The same for whoever asks once for each resource. */
export function kindsByName(kinds: readonly AnyKind[]): (name: string) => AnyKind | undefined {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  return (name) => byName.get(name)
}

/** Turns the provider's refusal into the user's: 4 for credentials, 1 for the rest. */
export async function asFailure<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) throw failure(error.status === 401 || error.status === 403 ? 'unauthorized' : 'api_error', error.message)
    if (error instanceof Error && error.name === 'UnreachableError') throw failure('unreachable', error.message)
    throw error
  }
}

interface Listing {
  readonly kind: AnyKind
  readonly workspaceId: string
  readonly names?: ReadonlySet<string> // those that are looked up: what the list leaves out of their objects is read singly
}

/** Every list that a lookup or a reference to something unmanaged needs. */
export function lookupLists(
  run: Run,
  used: ReadonlySet<AnyKind>,
  asked: readonly Asked[],
  where: (ref: WorkspaceRef | undefined) => Whereabouts,
): readonly Listing[] {
  const out = new Map<string, Listing & { readonly names: Set<string> }>()
  const add = (kind: AnyKind | undefined, ref: WorkspaceRef | undefined, name?: string): void => {
    if (!kind) return
    const workspaceId = kind.scope === 'account' ? '' : placeId(where(ref))
    if (workspaceId === undefined) return
    const key = `${kind.name} ${workspaceId}`
    const { names } = out.get(key) ?? { names: new Set() }
    if (name !== undefined) names.add(name)
    out.set(key, { kind, workspaceId, names })
  }
  for (const one of asked) add(kindNamed(run.kinds, one.kind), one.ref, one.name)
  for (const kind of used) {
    const targets = new Set(Object.values(kind.fields).flatMap((marks) => marks.ref ?? []))
    for (const target of [...targets].map((name) => kindNamed(run.kinds, name)))
      if (target && !target.managed && target.scope === 'account') add(target, undefined)
  }
  return [...out.values()]
}

/** What each list holds, by kind and workspace. */
export type Found = ReadonlyMap<string, readonly (LookupAnswer & { readonly names: readonly string[]; readonly isOffered: boolean })[]>

/** Fetches lists; throws a Failure where one is refused. What is on its way out (`nowMs` is the server's clock) is found by its id alone: another of its name may be there to stay. */
export async function fetchLists(reader: Reader, lists: readonly Listing[], kinds: readonly AnyKind[], nowMs: number): Promise<Found> {
  const entries = lists.map(async (listing): Promise<[string, Found extends ReadonlyMap<string, infer V> ? V : never]> => {
    const { kind, workspaceId } = listing
    const all = await asFailure(listed(reader, listing, kinds))
    const sensitive = Object.keys({ ...kind.fields, ...kind.outputs }).filter((name) => kind.fields[name]?.secret === true || kind.outputs[name]?.sensitive)
    const found = all
      .filter((live) => kind.findable?.(live) ?? kind.ours?.(live) ?? true)
      .map((live) => {
        const spec = toJsonObject(kind.toSpec(live))
        const outputs = toJsonObject(kind.outputsOf(live))
        const id = kind.id(live)
        const names = isLeaving(kind, { id, workspaceId, live }, nowMs) ? [] : namesOf(kind, spec, outputs)
        return { id, names, isOffered: kind.offered?.(live) ?? true, attributes: { ...spec, ...outputs }, sensitive }
      })
    return [`${kind.name} ${workspaceId}`, found]
  })
  return new Map(await Promise.all(entries))
}

/** All objects of a kind, those that are looked up as a whole: of one of narrower scope those below every object that it can hang on. */
async function listed(reader: Reader, { kind, workspaceId, names }: Listing, kinds: readonly AnyKind[]): Promise<readonly unknown[]> {
  const above = kind.scope === 'parent' && kind.parentField !== undefined ? (kind.fields[kind.parentField]?.ref ?? []) : []
  const parents = await Promise.all(
    above.map(async (name) => {
      const parent = kindNamed(kinds, name)
      return parent ? (await listed(reader, { kind: parent, workspaceId }, kinds)).map((live) => parent.id(live)) : []
    }),
  )
  const at = { workspaceId, parents: parents.flat(), wants: () => false }
  const items = await kind.list(reader, at)
  const isNamed = (live: unknown): boolean => namesOf(kind, toJsonObject(kind.toSpec(live)), toJsonObject(kind.outputsOf(live))).some((one) => names?.has(one))
  const named = names && names.size > 0 ? items.filter(isNamed) : []
  // Whoever may list, but not read singly, has what the list tells.
  const read = (live: unknown): Promise<unknown> => kind.read(reader, kind.id(live), at).catch((error: unknown) => whereRefused(error, live))
  const whole = new Map((await wholeItems(named, { kind, liveOf: (live) => live, read })).map((live) => [kind.id(live), live]))
  return items.map((live) => whole.get(kind.id(live)) ?? live)
}

function whereRefused(error: unknown, live: unknown): unknown {
  if (error instanceof ApiError && error.status === 403) return live
  throw error
}

/** Attributes by kind and id; of several workspaces' lists the first that was asked for. */
export function indexed(found: Found): ReadonlyMap<string, JsonObject> {
  const out = new Map<string, JsonObject>()
  for (const [place, all] of found) {
    const [kind = ''] = place.split(' ')
    for (const { id, attributes } of all) if (!out.has(`${kind} ${id}`)) out.set(`${kind} ${id}`, attributes)
  }
  return out
}

/** The fields in which records hold something by its digest, by the kind and the id of their objects. */
export type SecretFields = ReadonlyMap<string, readonly string[]>

/** What a lookup of an object that the state manages may not show. */
export function secretFields(resources: Iterable<Pick<ResourceRecord, 'kind' | 'id' | 'spec' | 'deposed'>>): SecretFields {
  const objects = [...resources].flatMap((one) => [one, ...one.deposed].map(({ id, spec }) => ({ key: `${one.kind} ${id}`, spec })))
  const secrets = objects.map(({ key, spec }) => [key, Object.keys(spec).filter((name) => holdsDigest(spec[name]))] as const)
  return new Map(secrets.filter(([, names]) => names.length > 0))
}

/** The only object of a name in a list that was fetched, or why there is none. */
export function lookedUp(
  found: Found,
  kind: string,
  name: string,
  workspaceId: string | undefined,
  secrets: SecretFields = new Map(),
): LookupAnswer | { readonly problem: string } {
  if (workspaceId === undefined) return { problem: `${kind} "${name}" cannot be looked up in a workspace that does not exist yet` }
  const all = found.get(`${kind} ${workspaceId}`) ?? []
  const fits = all.filter((one) => one.names.includes(name))
  const [only, more] = fits
  if (only && !more) return withSecretFields(only, kind, secrets)
  if (only) return { problem: `several are called "${name}": ${few(fits.map((one) => one.id))}; a reference or an import takes one by its id` }
  const names = [...new Set(all.flatMap((one) => (one.isOffered ? one.names : [])))]
  return { problem: names.length === 0 ? `no ${kind} is called "${name}"` : `no ${kind} is called "${name}"; there are ${few(names)}` }
}

/** An answer in which what the state holds by its digest is sensitive, too. */
export function withSecretFields({ id, attributes, sensitive }: LookupAnswer, kind: string, secrets: SecretFields): LookupAnswer {
  return { id, attributes, sensitive: [...sensitive, ...(secrets.get(`${kind} ${id}`) ?? [])] }
}
