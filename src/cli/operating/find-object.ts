// Finds the objects that a command operates on: by the state's address, an id, or a name that stands in the project's workspace.
import type { Compat } from '../../api/calls/compat.ts'
import type { Client } from '../../api/client.ts'
import { isAddressPattern, matchesAddress } from '../../base/address.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/words/few.ts'
import { nearest } from '../../base/words/nearest.ts'
import type { Operating, Operations } from '../../kinds/definition/operations.ts'
import { kinds } from '../../kinds/registry.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { findKind } from '../arguments/find-kind.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Context } from '../context/context.ts'
import { listIn, workspacesOf } from '../context/listed-objects.ts'
import { currentState } from '../context/state-access.ts'
import type { LookedIn } from '../context/workspace-of.ts'
import { lookedIn } from '../context/workspace-of.ts'

/** An object that is meant. `address` is how messages name it: that of the state, else `Kind/name` of the object's own name. */
export interface Meant {
  readonly address: string
  readonly kind: string
  readonly id: string
  readonly workspaceId: string
  /** What the state records of it; undefined for what the project does not manage. */
  readonly record: ResourceRecord | undefined
}

/** An object to operate on. */
export interface Target extends Meant {
  readonly operations: Operations
}

/** What was found, and how the service is called. */
export interface FoundObjects {
  readonly targets: readonly Target[]
  readonly client: Client
  readonly compat: Compat
}

/** What an ADDRESS on the command line means, for help. */
export const targetArgument = 'Kind/name of the state, Kind/ID, or Kind/NAME of an object in the workspace'

/** The one object that a word means; throws a Failure 3 for none, several, and a kind that cannot be operated so. */
export async function findObject(context: Context, word: string, operating: Operating): Promise<Omit<FoundObjects, 'targets'> & { readonly target: Target }> {
  const { targets, ...rest } = await findObjects(context, [word], operating)
  const [target, other] = targets
  if (target && !other) return { ...rest, target }
  throw several(word, targets)
}

/** Every object that the words mean, each once, in their order; `*` stands for anything within one name or key: of the state, and where that holds none, of the workspace. Throws a Failure 3 for a word that means none. */
export async function findObjects(context: Context, words: readonly string[], operating: Operating): Promise<FoundObjects> {
  const operations = new Map(kinds.flatMap((one) => (one.operations?.[operating] === undefined ? [] : [[one.name, one.operations] as const])))
  const asked = words.map((word) => askedFor(word))
  for (const { kind, name } of asked) if (!operations.has(kind)) throw notFor(kind, name, [...operations.keys()])
  const { meant, ...rest } = await findMeant(context, asked)
  const targets = meant.flatMap((one): Target[] => [operations.get(one.kind)].flatMap((known) => (known ? [{ ...one, operations: known }] : [])))
  return { targets, ...rest }
}

/** The same for what words mean that are taken apart, whatever is done with it. */
export async function findMeant(context: Context, asked: readonly Asked[]): Promise<Omit<FoundObjects, 'targets'> & { readonly meant: readonly Meant[] }> {
  const records = [...(await currentState(context)).folded.resources.values()]
  const looked = await lookedIn(context)
  const client = await context.client(looked.compat)
  const live = createLiveObjects(client, looked)
  const found = new Map<string, Meant>()
  for (const one of asked) {
    const recorded = records.filter((record) => isMeant(one, record))
    const all = recorded.length > 0 ? recorded.map(recordedOne) : await unmanaged(one, live, records)
    for (const each of all) found.set(`${each.kind} ${each.id}`, each)
  }
  return { meant: [...found.values()], client, compat: looked.compat }
}

/** A word taken apart: digits alone are an id, as in references. */
export interface Asked {
  readonly word: string
  readonly kind: string
  readonly name: string
}

/** A word as kind and name or id, whether there is such a kind or not; throws a Failure 3 for what is no address. */
export function askedFor(word: string): Asked {
  const at = word.indexOf('/')
  const name = word.slice(at + 1)
  if (at < 1 || name === '') throw usageFailure(`"${word}" is no address; write Kind/name, Kind/name["key"], or Kind/ID for what the project does not manage`)
  const kind = nameOfKind(word.slice(0, at))
  return { word: `${kind}/${name}`, kind, name }
}

function notFor(kind: string, name: string, names: readonly string[]): Failure {
  const near = nearest(kind, names)
  return failure('usage', `this is for ${names.join(' and ')}, not for ${kind}`, near === undefined ? {} : { hint: `did you mean ${near}/${name}?` })
}

function isMeant({ word, kind, name }: Asked, record: ResourceRecord): boolean {
  if (record.id === '' || record.kind !== kind) return false
  return isId(name) ? record.id === name : isAddressPattern(word) && matchesAddress(word, record.address)
}

function recordedOne(record: ResourceRecord): Meant {
  const { address, kind, id, workspace_id: workspaceId } = record
  return { address, kind, id, workspaceId: workspaceId ?? '', record }
}

/** What no address of the state means: an id or a name of the workspace. One that the state does hold is still the state's. */
async function unmanaged(asked: Asked, live: (kind: string) => Promise<readonly Listed[]>, records: readonly ResourceRecord[]): Promise<readonly Meant[]> {
  const { kind, name, word } = asked
  const all = await live(kind)
  const isPattern = name.includes('*')
  const fitting = all.filter((one) =>
    isId(name) ? one.id === name : one.names.includes(name) || (isPattern && one.names.some((own) => matchesAddress(word, `${kind}/${own}`))),
  )
  const [first, other] = fitting
  if (!first) throw missing(asked, all, records)
  const found = fitting.map(({ id, workspaceId, name: own }): Meant => {
    const record = records.find((held) => held.kind === kind && held.id === id)
    return record ? recordedOne(record) : { address: `${kind}/${own ?? id}`, kind, id, workspaceId, record: undefined }
  })
  if (other && !isPattern) throw several(word, found)
  return found
}

function isId(name: string): boolean {
  return /^[1-9]\d*$/.test(name)
}

function missing({ word, kind }: Asked, all: readonly Listed[], records: readonly ResourceRecord[]): Failure {
  const addresses = records.filter((one) => one.kind === kind).map((one) => one.address)
  const names = all.flatMap((one) => one.names.map((name) => `${kind}/${name}`))
  const known = [...new Set([...addresses, ...names])]
  const near = nearest(word, known)
  const hint = near === undefined ? `there ${known.length === 0 ? 'is none' : `are ${few(known)}`}` : `did you mean ${near}?`
  return failure('lookup_failed', `neither the state nor the workspace has ${word}`, { hint })
}

function several(word: string, targets: readonly Meant[]): Failure {
  const names = targets.map((one) => (one.record ? one.address : `${one.kind}/${one.id}`))
  return failure('lookup_failed', `${word} means ${targets.length} objects`, { hint: `name one: ${few(names)}` })
}

interface Listed {
  readonly id: string
  readonly name: string | undefined
  readonly names: readonly string[]
  readonly workspaceId: string
}

/** The objects of a kind in the project's workspace, listed once. */
function createLiveObjects(client: Client, { ref, idOf, compat }: LookedIn): (kind: string) => Promise<readonly Listed[]> {
  let workspaces: Promise<readonly string[]> | undefined
  const lists = new Map<string, Promise<readonly Listed[]>>()
  async function list(name: string): Promise<readonly Listed[]> {
    workspaces ??= workspacesOf(client, { ref, everywhere: false, idOf }, 'set provider.workspace in iac.yaml')
    const kind = findKind(name)
    if (!kind) return []
    const found = await Promise.all((await workspaces).map((id) => listIn({ client, compat, kinds }, kind, id)))
    return found.flat()
  }
  return (kind) => {
    const known = lists.get(kind) ?? list(kind)
    lists.set(kind, known)
    return known
  }
}

function nameOfKind(word: string): string {
  return findKind(word)?.name ?? word
}
