// Whether there is what new objects stand in where the API knows but one of it for a workspace: a cluster for its nodes, a session for its prefixes.
import { withArticle } from '../../base/article.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { isLeaving } from '../model/owners.ts'
import type { Planned } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import { refusable } from './existence.ts'
import { observe } from './observe.ts'
import { readsCaughtUp } from './reads-lag.ts'
import type { Refreshed } from './refresh.ts'

/** An error for each resource that is to be made in something that neither the plan nor the service has; what cannot be read is left open. */
export async function missingContainers(run: Run, looked: Refreshed, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const containers = run.kinds.filter((kind) => kind.takes.length > 0)
  const within = new Map<string, { readonly container: AnyKind; readonly workspaceId: string | null; readonly made: Planned[] }>()
  const there = new Set(planned.filter(isToBe).map((one) => placeOf(one.kind, one.workspaceId ?? one.workspaceAddress)))
  for (const one of planned) {
    if (one.action !== 'create' && one.action !== 'replace') continue
    for (const container of containers) {
      if (!container.takes.includes(one.kind.name)) continue
      const place = placeOf(container, one.workspaceId ?? one.workspaceAddress)
      if (there.has(place)) continue
      const known = within.get(place) ?? { container, workspaceId: one.workspaceId, made: [] }
      known.made.push(one)
      within.set(place, known)
    }
  }
  const found = await Promise.all(
    [...within.values()].map(async ({ container, workspaceId, made }) =>
      (await isMissing(run, looked, container, workspaceId, planned)) ? made.map((one) => without(one, container)) : [],
    ),
  )
  return found.flat()
}

/** Whether the plan leaves an object at an address, or makes one. */
function isToBe({ deposed, desired, leftOut, record, action }: Planned): boolean {
  return !deposed && action !== 'delete' && (desired !== undefined || (leftOut && record !== undefined))
}

/** Asked twice: what somebody has just made may not show yet. */
async function isMissing(run: Run, looked: Refreshed, container: AnyKind, workspaceId: string | null, planned: readonly Planned[]): Promise<boolean> {
  // A workspace that this plan makes has nothing in it.
  if (workspaceId === null) return true
  const going = new Set(planned.filter((one) => one.kind === container && one.action === 'delete').map((one) => one.objectId))
  const looks = async (): Promise<boolean | undefined> => {
    const observation = await refusable(observe(looked.looking, [{ kind: container, workspaceId, id: undefined, fields: [], parents: [] }]))
    const listed = observation === 'refused' ? undefined : observation.listed(container.name, workspaceId)
    return listed?.some((one) => !going.has(one.id) && !isLeaving(container, one, run.client.serverNow()))
  }
  if ((await looks()) !== false) return false
  await readsCaughtUp(run)
  return (await looks()) === false
}

function without({ address, kind, declared }: Planned, container: AnyKind): Diagnostic {
  const text = `${address}: ${withArticle(kind.name)} stands in ${withArticle(container.name)}, and the workspace has none`
  return diagnostic('plan_impossible', text, { address, position: declared?.position, hint: `declare ${withArticle(container.name)} beside it` })
}

function placeOf(kind: AnyKind, workspace: string | null): string {
  return `${kind.name} ${workspace ?? ''}`
}
