// Live objects of which no manifest may stand beside what the project manages, such as the same rule once more on one server.
import type { Peer } from '../../kinds/definition/kind.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { keyOf } from './exported.ts'
import type { LiveThing } from './exported.ts'

/** Why a project that holds both is refused, by `keyOf`. */
export function clashing(records: readonly ResourceRecord[], things: readonly LiveThing[]): ReadonlyMap<string, string> {
  const managed = records.map(({ address, kind, workspace_id, spec }): Peer => ({ address, kind, workspace: workspace_id ?? '', spec }))
  const held = new Set(records.map(({ kind, id }) => `${kind} ${id}`))
  const found = things.filter(({ kind, id }) => !held.has(`${kind.name} ${id}`)).map(peerOf)
  const out = new Map<string, string>()
  for (const kind of new Set(things.map((one) => one.kind))) {
    const problemsOf = (peers: readonly Peer[]) => kind.checkAll?.([...managed, ...peers]) ?? []
    const named = new Set(problemsOf(found).map((one) => one.address))
    // What it says of two that nobody manages is told by the names that they get.
    for (const one of found.filter(({ address }) => named.has(address))) {
      const problem = problemsOf([one]).find(({ address }) => address === one.address)
      if (problem) out.set(one.address, problem.message)
    }
  }
  return out
}

function peerOf(thing: LiveThing): Peer {
  const spec = Object.fromEntries(Object.entries(thing.seen).filter(([, value]) => value !== null))
  return { address: keyOf(thing), kind: thing.kind.name, workspace: thing.workspaceId, spec }
}
