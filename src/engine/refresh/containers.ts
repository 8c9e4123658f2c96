// Whether there is what objects stand in, or on, where no manifest has it: a cluster for nodes, a session for prefixes, nodes for services.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { withArticle } from '../../base/words/article.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { groupBy } from '../../kinds/definition/live-fields.ts'
import { uncarried, uncarriedText } from '../model/graph/carriers.ts'
import type { Uncarried } from '../model/graph/carriers.ts'
import { isLeaving } from '../model/graph/owners.ts'
import type { LiveObject } from '../model/live.ts'
import type { Planned } from '../model/planned-resource.ts'
import type { Run } from '../model/run.ts'
import { refusable } from './existence.ts'
import { observe } from './observe.ts'
import { readsCaughtUp } from './reads-lag.ts'
import type { Refreshed } from './refresh.ts'

/** An error for what is made or changed where it cannot be: in something, or on something, that neither the plan nor the service has. */
export async function missingGround(run: Run, looked: Refreshed, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const [homeless, unfounded] = await Promise.all([missingContainers(run, looked, planned), missingCarriers(run, looked, planned)])
  const said = new Set(homeless.map((one) => one.address))
  return [...homeless, ...unfounded.filter((one) => !said.has(one.address))]
}

/** An error for each resource that is to be made in something that neither the plan nor the service has; what cannot be read is left open. */
async function missingContainers(run: Run, looked: Refreshed, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
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

/** Whether the plan leaves an object at an address, or makes one: what is left out and gone, it does not make. */
function isToBe({ deposed, desired, leftOut, object, action }: Planned): boolean {
  return !deposed && action !== 'delete' && (leftOut ? object !== undefined : desired !== undefined)
}

/** Asked twice: what somebody has just made may not show yet. */
async function isMissing(run: Run, looked: Refreshed, container: AnyKind, workspaceId: string | null, planned: readonly Planned[]): Promise<boolean> {
  // A workspace that this plan makes has nothing in it.
  if (workspaceId === null) return true
  const going = new Set(planned.filter((one) => one.kind === container && one.action === 'delete').map((one) => one.objectId))
  const looks = async (): Promise<boolean | undefined> => (await staying(run, looked, container, workspaceId))?.some((one) => !going.has(one.id))
  if ((await looks()) !== false) return false
  await readsCaughtUp(run)
  return (await looks()) === false
}

/** What is there of a kind and is not leaving; undefined where it may not be read. */
async function staying(run: Run, looked: Refreshed, kind: AnyKind, workspaceId: string): Promise<readonly LiveObject[] | undefined> {
  const observation = await refusable(observe(looked.looking, [{ kind, workspaceId, id: undefined, fields: [], parents: [] }]))
  const listed = observation === 'refused' ? undefined : observation.listed(kind.name, workspaceId)
  return listed?.filter((one) => !isLeaving(kind, one, run.client.serverNow()))
}

/** An error for each resource that is sent to a place where nothing carries it, a warning for one that is there; what cannot be read is left open. */
async function missingCarriers(run: Run, looked: Refreshed, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const asked = uncarried(run.kinds, planned).filter(({ one }) => !one.leftOut && one.action !== 'import')
  const groups = groupBy(asked, ({ one, carrier, by }) => `${placeOf(carrier, one.workspaceId)} ${by}`)
  const found = await Promise.all([...groups.values()].map((group) => uncarriedLive(run, looked, group, planned)))
  return found.flat().map((each) => {
    const { one, carrier, field } = each
    const rest = { address: one.address, position: one.declared?.positionOf(`/${field}`), hint: `declare ${withArticle(carrier.name)} for it` }
    return diagnostic(one.action === 'no-op' ? 'advice' : 'plan_impossible', uncarriedText(each, planned), rest)
  })
}

/** Those of one workspace and kind that the service has nothing for either; asked twice. */
async function uncarriedLive(run: Run, looked: Refreshed, group: readonly Uncarried[], planned: readonly Planned[]): Promise<readonly Uncarried[]> {
  const [first] = group
  if (!first) return []
  const { carrier, by } = first
  const { workspaceId } = first.one
  if (workspaceId === null) return group
  const going = new Set(planned.filter((one) => one.kind === carrier && (one.action === 'delete' || one.action === 'replace')).map((one) => one.objectId))
  const looks = async (): Promise<readonly Uncarried[]> => {
    const places = (await staying(run, looked, carrier, workspaceId))?.filter((one) => !going.has(one.id)).map((one) => one.seen[by])
    // One that does not say where it is may be anywhere.
    if (!places || places.some((place) => typeof place !== 'string')) return []
    return group.filter(({ place }) => !places.includes(place))
  }
  if ((await looks()).length === 0) return []
  await readsCaughtUp(run)
  return looks()
}

function without({ address, kind, declared }: Planned, container: AnyKind): Diagnostic {
  const text = `${address}: ${withArticle(kind.name)} stands in ${withArticle(container.name)}, and the workspace has none`
  return diagnostic('plan_impossible', text, { address, position: declared?.position(), hint: `declare ${withArticle(container.name)} beside it` })
}

function placeOf(kind: AnyKind, workspace: string | null): string {
  return `${kind.name} ${workspace ?? ''}`
}
