// Resources that exclude each other: the same unique fields twice in one workspace.
import { isGiven, isToken } from './token.ts'
import type { Peer, PeerProblem } from './kind.ts'

/** A problem for each resource of the kind whose fields, all of them known, equal an earlier one's; no fields: a singleton. */
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
    else problems.push({ address, path: fields.slice(0, 1), message: describe(kind, fields, other) })
  }
  return problems
}

function describe(kind: string, fields: readonly string[], other: string): string {
  return fields.length === 0 ? `a workspace has one ${kind}, and ${other} declares it` : `${other} has the same ${fields.join(' and ')}`
}
