// Finds the objects that a command operates on: by the state's address, an id, or a name that stands in the project's workspace.
import type { Client } from '../../api/client.ts'
import type { Compat } from '../../api/compat.ts'
import { isAddressPattern, matchesAddress } from '../../base/address.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { failure } from '../../base/diagnostic.ts'
import { few } from '../../base/few.ts'
import { nearest } from '../../base/nearest.ts'
import type { Operations } from '../../kinds/definition/operations.ts'
import { kinds } from '../../kinds/registry.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { findKind } from '../arguments/find-kind.ts'
import { usageFailure } from '../arguments/usage.ts'
import type { Context } from '../context/context.ts'
import { listIn, workspacesOf } from '../context/listed-objects.ts'
import { currentState } from '../context/state-access.ts'
import type { LookedIn } from '../context/workspace-of.ts'
import { lookedIn } from '../context/workspace-of.ts'

/** An object to operate on. `address` is how messages name it: that of the state, else `Kind/name` of the object's own name. */
export interface Target {
  readonly address: string
  readonly kind: string
  readonly id: string
  readonly workspaceId: string
  /** What the state records of it; undefined for what the project does not manage. */
  readonly record: ResourceRecord | undefined
  readonly operations: Operations
}

type Operating = Exclude<keyof Operations, 'reading'>

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
  const asked = words.map((word) => askedFor(word, operating))
  const records = [...(await currentState(context)).folded.resources.values()]
  const looked = await lookedIn(context)
  const client = await context.client(looked.compat)
  const live = createLiveObjects(client, looked)
  const found = new Map<string, Target>()
  for (const one of asked) {
    const recorded = records.filter((record) => isMeant(one, record))
    const targets = recorded.length > 0 ? recorded.map((record) => targetOf(one, record)) : await unmanaged(one, live, records)
    for (const target of targets) found.set(`${target.kind} ${target.id}`, target)
  }
  return { targets: [...found.values()], client, compat: looked.compat }
}

/** A word taken apart: digits alone are an id, as in references. */
interface Asked {
  readonly word: string
  readonly kind: string
  readonly name: string
  readonly operations: Operations
}

function askedFor(word: string, operating: Operating): Asked {
  const at = word.indexOf('/')
  const name = word.slice(at + 1)
  if (at < 1 || name === '') throw usageFailure(`"${word}" is no address; write Kind/name, Kind/name["key"], or Kind/ID for what the project does not manage`)
  const kind = nameOfKind(word.slice(0, at))
  const taken = operable().filter((one) => one.operations[operating] !== undefined)
  const found = taken.find((one) => one.name === kind)
  if (found) return { word: `${kind}/${name}`, kind, name, operations: found.operations }
  const names = taken.map((one) => one.name)
  const near = nearest(kind, names)
  throw failure('usage', `this is for ${names.join(' and ')}, not for ${kind}`, near === undefined ? {} : { hint: `did you mean ${near}/${name}?` })
}

function isMeant({ word, kind, name }: Asked, record: ResourceRecord): boolean {
  if (record.id === '' || record.kind !== kind) return false
  return isId(name) ? record.id === name : isAddressPattern(word) && matchesAddress(word, record.address)
}

function targetOf({ operations }: Asked, record: ResourceRecord): Target {
  const { address, kind, id, workspace_id: workspaceId } = record
  return { address, kind, id, workspaceId: workspaceId ?? '', record, operations }
}

/** What no address of the state means: an id or a name of the workspace. One that the state does hold is still the state's. */
async function unmanaged(asked: Asked, live: (kind: string) => Promise<readonly Listed[]>, records: readonly ResourceRecord[]): Promise<readonly Target[]> {
  const { kind, name, word, operations } = asked
  const all = await live(kind)
  const isPattern = name.includes('*')
  const fitting = all.filter((one) => (isId(name) ? one.id === name : one.name === name || (isPattern && matchesAddress(word, `${kind}/${one.name ?? ''}`))))
  const [first, other] = fitting
  if (!first) throw missing(asked, all, records)
  const targets = fitting.map(({ id, workspaceId, name: own }): Target => {
    const record = records.find((held) => held.kind === kind && held.id === id)
    return record ? targetOf(asked, record) : { address: `${kind}/${own ?? id}`, kind, id, workspaceId, record: undefined, operations }
  })
  if (other && !isPattern) throw several(word, targets)
  return targets
}

function isId(name: string): boolean {
  return /^[1-9]\d*$/.test(name)
}

function missing({ word, kind }: Asked, all: readonly Listed[], records: readonly ResourceRecord[]): Failure {
  const addresses = records.filter((one) => one.kind === kind).map((one) => one.address)
  const names = all.flatMap((one) => (one.name === undefined ? [] : [`${kind}/${one.name}`]))
  const known = [...new Set([...addresses, ...names])]
  const near = nearest(word, known)
  const hint = near === undefined ? `there ${known.length === 0 ? 'is none' : `are ${few(known)}`}` : `did you mean ${near}?`
  return failure('lookup_failed', `neither the state nor the workspace has ${word}`, { hint })
}

function several(word: string, targets: readonly Target[]): Failure {
  const names = targets.map((one) => (one.record ? one.address : `${one.kind}/${one.id}`))
  return failure('lookup_failed', `${word} means ${targets.length} objects`, { hint: `name one: ${few(names)}` })
}

interface Listed {
  readonly id: string
  readonly name: string | undefined
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

/** What has operations, by the name of its kind. */
function operable(): readonly { readonly name: string; readonly operations: Operations }[] {
  return kinds.flatMap(({ name, operations }) => (operations ? [{ name, operations }] : []))
}

function nameOfKind(word: string): string {
  return findKind(word)?.name ?? word
}
