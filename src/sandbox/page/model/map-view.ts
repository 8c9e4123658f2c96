// The map as data: a workspace's areas, in each the cards of what is in it; what is not there is not drawn.
import type { RowOf } from '../view-wire.ts'
import { accessArea } from './access-area.ts'
import { bgpAreas, clusterAreas, metalArea, recipesArea, trayArea } from './area-views.ts'
import { instanceCards } from './instance-cards.ts'
import type { Area, Card } from './map-parts.ts'
import { line, part } from './map-parts.ts'
import type { PageModel } from './page-model.ts'
import { grouped, isFloating, within } from './page-model.ts'
import { countText } from './plain-text.ts'
import { instanceState } from './state-words.ts'

/** The map; `isEmpty` where nothing was made: dedicated servers come with a workspace. */
export interface MapView {
  readonly areas: readonly Area[]
  readonly counts: string
  readonly isEmpty: boolean
}

/** The map of a workspace. An instance stands in the first VPC that it is a member of, and as a guest, with its address alone, in others. */
export function mapOf(model: PageModel, workspace: string): MapView {
  const { rows } = model
  const instances = within(rows.instances, workspace)
  const vpcs = within(rows.vpcs, workspace)
  const known = new Set(vpcs.map((one) => one.id))
  const memberships = [...rows.memberships.values()].filter((one) => known.has(one.vpc_id))
  const ofInstance = grouped(memberships, (one) => one.instance_id)
  const ofVpc = grouped(memberships, (one) => one.vpc_id)
  const cardOf = instanceCards(model, workspace, ofInstance)
  const homes = grouped(instances, (one) => ofInstance.get(one.id)?.[0]?.vpc_id ?? '')
  const networks = vpcs.map((vpc): Area => {
    const members = ofVpc.get(vpc.id) ?? []
    const own = (homes.get(vpc.id) ?? []).map((one) => cardOf(one, vpc.id))
    const guests = members.flatMap((one) => guestOf(model, one, ofInstance.get(one.instance_id)?.[0]?.vpc_id))
    const about = `VPC ${vpc.range} · ${countText(members.length, 'member')}`
    return { key: `vpcs/${vpc.id}`, sort: 'network', title: vpc.name, about, cards: [...own, ...guests], empty: 'No members yet.' }
  })
  const loose = (homes.get('') ?? []).map((one) => cardOf(one, undefined))
  const areas = [
    ...networks,
    ...part('loose', vpcs.length > 0 ? 'In no VPC' : 'Instances', countText(loose.length, 'instance'), loose),
    ...clusterAreas(model, workspace),
    ...bgpAreas(model, workspace),
    ...trayArea(model, workspace),
    ...accessArea(model, workspace),
    ...recipesArea(model, workspace),
    ...metalArea(model, workspace),
  ]
  return { areas, counts: countsOf(model, workspace), isEmpty: areas.every((one) => one.sort === 'metal') }
}

/** The card of a member that stands in another VPC. */
function guestOf({ rows }: PageModel, { id, vpc_id: vpc, instance_id, address }: RowOf<'memberships'>, home: string | undefined): readonly Card[] {
  const one = rows.instances.get(instance_id)
  if (!one || home === vpc || home === undefined) return []
  const lines = [line('network', address)]
  return [{ key: `memberships/${id}`, title: one.name, state: instanceState(one), side: `in ${rows.vpcs.get(home)?.name ?? home}`, lines }]
}

function countsOf({ rows }: PageModel, workspace: string): string {
  const counts = [
    [within(rows.instances, workspace).length, 'instance'],
    [within(rows.vpcs, workspace).length, 'VPC'],
    [within(rows.disks, workspace).length, 'disk'],
    [within(rows.ips, workspace).filter(isFloating).length, 'floating IP'],
    [within(rows.firewallRules, workspace).length, 'firewall rule'],
    [within(rows.sshKeys, workspace).length, 'SSH key'],
  ] as const
  return counts.flatMap(([count, noun]) => (count === 0 ? [] : [countText(count, noun)])).join(' · ')
}
