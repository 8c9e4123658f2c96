// Imports that name an object by a lookup, and objects of kinds that are never made: found before anything else is read, since each is looked at as one that is there.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { Failure, diagnostic } from '../../base/diagnostic.ts'
import { hasToken } from '../../base/token.ts'
import { withArticle } from '../../base/words/article.ts'
import type { Reader } from '../../kinds/definition/kind.ts'
import type { Declared, Project, Scope, WorkspaceRef } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'
import type { Digest } from '../model/live.ts'
import type { Whereabouts } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import type { Asked, Found } from './lookups.ts'
import { fetchLists, kindNamed, lookedUp, lookupLists, placeId } from './lookups.ts'

interface Seeing {
  /** Where references lead, as far as the project says which objects it takes over. */
  whereIn(project: Project): (ref: WorkspaceRef | undefined) => Whereabouts
  readonly reader: Reader
}

type Result = { readonly id: string } | { readonly problems: readonly Diagnostic[] } | undefined

/** The project with the ids that lookups give to imports; no request where nothing is left to be imported so. Throws a Failure (3) with all that cannot be found. */
export async function withImports(
  run: Run,
  project: Project,
  resources: ReadonlyMap<string, ResourceRecord>,
  digest: Digest,
  seeing: Seeing,
): Promise<Project> {
  const unrecorded = project.resources.filter((one) => one.importId === undefined && !resources.has(one.address))
  // What stands in a workspace is looked up there.
  const placed = await withIds(
    run,
    project,
    unrecorded.filter((one) => one.kind.contains),
    digest,
    seeing,
  )
  return withIds(
    run,
    placed,
    unrecorded.filter((one) => !one.kind.contains),
    digest,
    seeing,
  )
}

async function withIds(run: Run, project: Project, unrecorded: readonly Declared[], digest: Digest, { whereIn, reader }: Seeing): Promise<Project> {
  const open = unrecorded.filter((one) => one.importBy !== undefined)
  const adopted = unrecorded.filter((one) => one.importBy === undefined && one.kind.adopted !== undefined)
  if (open.length + adopted.length === 0) return project
  const where = whereIn(project)
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
  for (const { kind, workspace } of adopted) asked.push({ kind: kind.name, name: '', ref: workspace })
  const found = await fetchLists(reader, lookupLists(run, new Set(), asked, where), run.kinds, run.client.serverNow())
  const placed = ({ kind, ref }: Asked): string | undefined => placeId(where(kindNamed(run.kinds, kind)?.scope === 'account' ? undefined : ref))
  const results = new Map<Declared, Result>([
    ...open.map((one) => [one, one.importBy?.(scopeOf(one, (each) => lookedUp(found, each.kind, each.name, placed(each))))] as const),
    ...adopted.map((one) => [one, adoptedBy(one, found, placed({ kind: one.kind.name, name: '', ref: one.workspace }), digest)] as const),
  ])
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

/** The object that stands for a manifest whose kind is never made: the only one there is, or the one of its name. */
function adoptedBy({ address, kind, position, resolve }: Declared, found: Found, workspaceId: string | undefined, digest: Digest): Result {
  const told = (text: string): Result => {
    const hint = 'metadata.import takes over one by its id'
    return {
      problems: [
        diagnostic('lookup_failed', `${address}: ${text}; the API has no call that makes ${withArticle(kind.name)}`, { address, position: position(), hint }),
      ],
    }
  }
  if (kind.adopted === 'the only one') {
    const [only] = found.get(`${kind.name} ${workspaceId}`) ?? []
    return only ? { id: only.id } : told('there is none')
  }
  const { spec } = resolve({ attribute: () => ({ is: 'unknown', sensitive: false }), lookup: () => ({ unknown: true }), digest })
  const name = spec['name']
  if (typeof name !== 'string' || hasToken(name)) return told('its name is not known when planning')
  const one = lookedUp(found, kind.name, name, workspaceId)
  return 'id' in one ? { id: one.id } : told(one.problem)
}
