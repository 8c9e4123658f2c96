// Waiting for quota: what is refused for want of room waits for what goes by the same run, and is asked for again as that leaves some.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import type { Graph } from '../model/graph/graph.ts'
import type { Node } from '../model/graph/node.ts'
import { freesQuota } from '../model/graph/node.ts'
import type { Ended } from '../operation/operation.ts'
import type { Schedule } from './schedule.ts'

export type Failed = Extract<Ended, { ok: false }>

/** What waits for room, with the refusal it met; undefined where that of another one spared it the request. */
export interface PutOff {
  readonly node: Node
  readonly refused: Failed | undefined
}

/** With how much room had been left when it was set aside, and the limits that it counts for. */
interface Place extends PutOff {
  readonly since: number
  readonly limits: ReadonlySet<string>
}

/** What waits for room, and what is still to leave some. */
export interface QuotaWaiting {
  /** Whether something that goes by this run is still to leave room of the kind that a node needs. */
  isToCome(node: Node): boolean
  /** Whether it has waited before: it is asked for, whatever was refused meanwhile. */
  hasWaited(node: Node): boolean
  /** It is asked for again from here on. */
  begun(node: Node): void
  /** Sets a node aside until there may be room. */
  putOff(node: Node, refused?: Failed): void
  /** Is told of everything that has ended, and of what will not be begun: one that waits is asked for again where there may be room. */
  ended(node: Node, isDone: boolean): void
  /** Takes those that wait out of the line: all of a kind in a place, or all there are, with those that were to be asked for and were not. */
  givenUp(limit?: string): readonly PutOff[]
  /** Asks once more for one that was not asked for since the last room was left; whether there was one. For when nothing else gets on. */
  askAgain(): boolean
}

/** Of one run. Each removal, and each success after one, leads to one request more. */
export function createQuotaWaiting({ nodes }: Pick<Graph, 'nodes'>, schedule: Schedule, kindOf: (name: string) => AnyKind): QuotaWaiting {
  const leaving = new Map<string, number>()
  const waiting = new Map<string, Place>()
  const woken = new Map<string, PutOff>()
  const waited = new Set<string>()
  let left = 0
  const limitsOf = (node: Node): readonly string[] => limitKeys(node, kindOf)
  for (const node of nodes.values()) if (freesQuota(node)) for (const limit of limitsOf(node)) leaving.set(limit, (leaving.get(limit) ?? 0) + 1)
  function wake(fits: (one: Place) => boolean): boolean {
    for (const [id, one] of waiting) {
      if (!fits(one)) continue
      waiting.delete(id)
      woken.set(id, one)
      schedule.again(id)
      return true
    }
    return false
  }
  return {
    isToCome: (node) => limitsOf(node).some((limit) => (leaving.get(limit) ?? 0) > 0),
    hasWaited: ({ id }) => waited.has(id),
    begun: ({ id }) => void woken.delete(id),
    putOff(node, refused) {
      waited.add(node.id)
      waiting.set(node.id, { node, refused, since: left, limits: new Set(limitsOf(node)) })
    },
    ended(node, isDone) {
      const limits = freesQuota(node) || waited.has(node.id) ? limitsOf(node) : []
      if (freesQuota(node)) {
        for (const limit of limits) leaving.set(limit, (leaving.get(limit) ?? 0) - 1)
        if (isDone) left += 1
      }
      if (limits.length > 0 && (isDone || waited.has(node.id))) wake((one) => limits.some((limit) => one.limits.has(limit)))
    },
    givenUp(limit) {
      if (limit === undefined) return [...waiting.values(), ...woken.values()]
      const all = [...waiting.values()].filter((one) => limitKey(one.node) === limit)
      for (const { node } of all) waiting.delete(node.id)
      return all
    },
    askAgain: () => wake((one) => one.since < left),
  }
}

/** What shares a limit: the objects of a kind in a workspace, or in one of its groups. */
export function limitKey({ change, group }: Node): string {
  return [change.kind, change.workspace_id ?? change.workspace_address, group ?? ''].join(' ')
}

/** Every limit that an object may count for, in its place; by how much nothing here knows. */
function limitKeys(node: Node, kindOf: (name: string) => AnyKind): readonly string[] {
  const { change, spec } = node
  const place = change.workspace_id ?? change.workspace_address
  const limits = Object.keys(kindOf(change.kind).quota?.(spec, () => undefined) ?? {})
  return [limitKey(node), ...limits.map((name) => `${name} ${place}`)]
}
