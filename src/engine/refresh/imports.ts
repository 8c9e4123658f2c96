// Imports that name an object by a lookup: found before anything else is read, since its object is looked at as one that is there.
import { Failure } from '../../base/diagnostic.ts'
import type { Reader } from '../../kinds/definition/kind.ts'
import type { Declared, Project, Scope, WorkspaceRef } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Digest } from '../model/live.ts'
import type { Whereabouts } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import type { Asked } from './lookups.ts'
import { fetchLists, kindNamed, lookedUp, lookupLists, placeId } from './lookups.ts'

interface Seeing {
  where(ref: WorkspaceRef | undefined): Whereabouts
  readonly reader: Reader
}

/** The project with the ids that lookups give to imports; no request where nothing is left to be imported so. Throws a Failure (3) with all that cannot be found. */
export async function withImports(
  run: Run,
  project: Project,
  resources: ReadonlyMap<string, ResourceRecord>,
  digest: Digest,
  { where, reader }: Seeing,
): Promise<Project> {
  const open = project.resources.filter((one) => one.importBy !== undefined && !resources.has(one.address))
  if (open.length === 0) return project
  const asked: Asked[] = []
  const scopeOf = ({ workspace }: Declared, lookup: (one: Asked) => ReturnType<Scope['lookup']>): Scope => ({
    attribute: () => ({ is: 'unknown', sensitive: false }),
    lookup: (kind, name, ref) => lookup({ kind, name, ref: ref ?? workspace }),
    digest,
  })
  const note = (one: Asked): ReturnType<Scope['lookup']> => {
    asked.push(one)
    return { unknown: true }
  }
  for (const one of open) one.importBy?.(scopeOf(one, note))
  const found = await fetchLists(reader, lookupLists(run, new Set(), asked, where))
  const placed = ({ kind, ref }: Asked): string | undefined => placeId(where(kindNamed(run.kinds, kind)?.scope === 'account' ? undefined : ref))
  const results = new Map(open.map((one) => [one, one.importBy?.(scopeOf(one, (each) => lookedUp(found, each.kind, each.name, placed(each))))]))
  const problems = [...results.values()].flatMap((one) => (one && 'problems' in one ? one.problems : []))
  if (problems.length > 0) throw new Failure(3, problems)
  return {
    ...project,
    resources: project.resources.map((one) => {
      const result = results.get(one)
      return result && 'id' in result ? { ...one, importId: result.id } : one
    }),
  }
}
