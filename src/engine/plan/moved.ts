// The recorded resources under the addresses that moved blocks give them.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { movesOf } from '../../project/declarations/moves.ts'
import type { ResourceRecord } from '../../state/record.ts'
import { withNames } from '../../state/rename.ts'

interface Moved {
  readonly resources: ReadonlyMap<string, ResourceRecord>
  /** The address before, by the one after. */
  readonly previous: ReadonlyMap<string, string>
  readonly problems: readonly Diagnostic[]
}

/** All at once, so that the order of the blocks means nothing; what cannot move stays where it is, with a problem. */
export function applyMoved({
  project,
  resources,
}: {
  readonly project: Parameters<typeof movesOf>[0]
  readonly resources: ReadonlyMap<string, ResourceRecord>
}): Moved {
  if (project.moved.length === 0) return { resources, previous: new Map(), problems: [] }
  const lead = movesOf(project)
  const renamed = new Map<string, string>()
  const previous = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const from of resources.keys()) {
    const link = lead(from)
    if (!link) continue
    const { to, move } = link
    const other = previous.get(to)
    const problem = resources.has(to)
      ? `${from} cannot move to ${to}: the state already holds ${to}`
      : other !== undefined
        ? `${other} and ${from} cannot both move to ${to}`
        : undefined
    if (problem !== undefined) problems.push(diagnostic('moved_conflict', problem, { address: to, position: move.position }))
    else {
      renamed.set(from, to)
      previous.set(to, from)
    }
  }
  // What is recorded names the new addresses, its own and those it depends on.
  const now = (address: string) => renamed.get(address) ?? address
  const records = [...resources].map(([address, record]) => [now(address), withNames(record, now)] as const)
  return { resources: renamed.size === 0 ? resources : new Map(records), previous, problems }
}
