// Resources of which a workspace cannot hold two, though the service refuses none by a unique name.
import type { Peer, PeerProblem } from './definition/kind.ts'
import { isGiven, isToken } from './definition/token.ts'

/** A problem for each resource of the kind whose fields, all of them known, equal an earlier one's. What is `unique` needs no such check: every such kind is checked alike. */
export function duplicates(peers: readonly Peer[], kind: string, fields: readonly string[]): PeerProblem[] {
  const first = new Map<string, string>()
  const problems: PeerProblem[] = []
  for (const { address, kind: own, workspace, spec } of peers) {
    if (own !== kind) continue
    const values = fields.map((name) => spec[name])
    if (values.some((value) => !isGiven(value) || isToken(value))) continue
    const key = JSON.stringify([workspace, ...values])
    const other = first.get(key)
    if (other === undefined) first.set(key, address)
    else problems.push({ address, path: fields.slice(0, 1), message: `${other} has the same ${fields.join(' and ')}` })
  }
  return problems
}
