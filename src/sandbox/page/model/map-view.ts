// The map as data: a workspace's areas, in each the cards of what is in it, and a tray of what is attached to nothing.
import type { RowOf } from '../view-wire.ts'
import type { PageModel } from './page-model.ts'
import { grouped, within } from './page-model.ts'
import { countText, sizeText } from './plain-text.ts'
import type { StateWord } from './state-words.ts'
import { instanceState, stateWord } from './state-words.ts'

/** One line on a card: what it is, by its sign, and its words. */
export interface CardLine {
  readonly sign: 'address' | 'disk' | 'network' | 'firewall' | 'app' | 'image'
  readonly words: string
}

/** Something on the map; `key` is its table and id. */
export interface Card {
  readonly key: string
  readonly title: string
  readonly state: StateWord
  readonly side: string
  readonly lines: readonly CardLine[]
}

/** A part of the map; one that is a resource of its own has its key. */
export interface Area {
  readonly key: string
  readonly sort: 'network' | 'loose' | 'cluster' | 'tray'
  readonly title: string
  readonly about: string
  readonly cards: readonly Card[]
  readonly empty: string
}

export interface MapView {
  readonly areas: readonly Area[]
  readonly counts: string
  readonly isEmpty: boolean
}

/** Where a card shows what it has; beyond so many lines it says how many more. */
const MOST_LINES = 4

/** The map of a workspace. An instance stands in the first VPC that it is a member of, and as a guest, with its address alone, in others. */
export function mapOf(model: PageModel, workspace: string): MapView {
  const { rows } = model
  const instances = within(rows.instances, workspace)
  const vpcs = within(rows.vpcs, workspace)
  const known = new Set(vpcs.map((one) => one.id))
  const memberships = [...rows.memberships.values()].filter((one) => known.has(one.vpc))
  const ofInstance = grouped(memberships, (one) => one.instance)
  const ofVpc = grouped(memberships, (one) => one.vpc)
  const cardOf = cardMaker(model, workspace, ofInstance)
  const homes = grouped(instances, (one) => ofInstance.get(one.id)?.[0]?.vpc ?? '')
  const networks = vpcs.map((vpc): Area => {
    const members = ofVpc.get(vpc.id) ?? []
    const own = (homes.get(vpc.id) ?? []).map((one) => cardOf(one, vpc.id))
    const guests = members.flatMap((one) => guestOf(model, one, ofInstance.get(one.instance)?.[0]?.vpc))
    const about = `VPC ${vpc.range} · ${countText(members.length, 'member')}`
    return { key: `vpcs/${vpc.id}`, sort: 'network', title: vpc.name, about, cards: [...own, ...guests], empty: 'No members yet.' }
  })
  const loose = (homes.get('') ?? []).map((one) => cardOf(one, undefined))
  const tray = trayOf(model, workspace)
  const areas = [
    ...networks,
    ...(loose.length > 0 ? [part('loose', vpcs.length > 0 ? 'In no VPC' : 'Instances', countText(loose.length, 'instance'), loose)] : []),
    ...clustersOf(model, workspace),
    ...(tray.length > 0 ? [part('tray', 'Unattached', countText(tray.length, 'thing'), tray)] : []),
  ]
  return { areas, counts: countsOf(model, workspace), isEmpty: areas.length === 0 }
}

function part(sort: 'loose' | 'tray', title: string, about: string, cards: readonly Card[]): Area {
  return { key: sort, sort, title, about, cards, empty: '' }
}

type Instance = RowOf<'instances'>

/** Makes the cards of instances; what belongs to them is grouped once. */
function cardMaker(model: PageModel, workspace: string, ofInstance: ReadonlyMap<string, readonly RowOf<'memberships'>[]>) {
  const { rows } = model
  const ips = grouped(within(rows.ips, workspace), (one) => one.instance)
  const disks = grouped(within(rows.disks, workspace), (one) => (one.boot ? null : one.instance))
  const rules = grouped(within(rows.firewallRules, workspace), (one) => one.instance)
  const apps = grouped(within(rows.apps, workspace), (one) => one.instance)
  return (one: Instance, home: string | undefined): Card => {
    const members = ofInstance.get(one.id) ?? []
    const addresses = (ips.get(one.id) ?? []).toSorted((a, b) => Number(b.floating) - Number(a.floating))
    const guarded = rules.get(one.id)?.length ?? 0
    const lines: CardLine[] = [
      ...members.filter(({ vpc }) => vpc === home).map(({ address }) => line('network', address)),
      ...addresses.map(({ address, floating }) => line('address', floating ? `${address} floating` : address)),
      ...(disks.get(one.id) ?? []).map(({ name, size_bytes }) => line('disk', `${name} ${sizeText(size_bytes)}`)),
      ...(guarded > 0 || one.firewall ? [line('firewall', guarded === 0 ? 'firewall on' : countText(guarded, 'firewall rule'))] : []),
      ...(apps.get(one.id) ?? []).map(({ name }) => line('app', name)),
    ]
    return { key: `instances/${one.id}`, title: one.name, state: instanceState(one), side: one.plan ?? `${one.cpu} cpu`, lines: shortened(lines) }
  }
}

/** The card of a member that stands in another VPC. */
function guestOf({ rows }: PageModel, { id, vpc, instance, address }: RowOf<'memberships'>, home: string | undefined): readonly Card[] {
  const one = rows.instances.get(instance)
  if (!one || home === vpc || home === undefined) return []
  const lines = [line('network', address)]
  return [{ key: `memberships/${id}`, title: one.name, state: instanceState(one), side: `in ${rows.vpcs.get(home)?.name ?? home}`, lines }]
}

function line(sign: CardLine['sign'], words: string): CardLine {
  return { sign, words }
}

function shortened(lines: readonly CardLine[]): readonly CardLine[] {
  const [last] = lines.slice(MOST_LINES - 1)
  if (lines.length <= MOST_LINES || !last) return lines
  return [...lines.slice(0, MOST_LINES - 1), line(last.sign, `and ${lines.length - MOST_LINES + 1} more`)]
}

function clustersOf({ rows }: PageModel, workspace: string): readonly Area[] {
  return within(rows.clusters, workspace).map((cluster) => {
    const nodes = within(rows.clusterNodes, workspace).map((one): Card => {
      const on = rows.instances.get(one.instance)?.name
      const lines = on === undefined || on === one.name ? [] : [line('app', `on ${on}`)]
      return { key: `clusterNodes/${one.id}`, title: one.name, state: stateWord(one.status), side: 'node', lines }
    })
    const services = within(rows.clusterServices, workspace).map((one): Card => {
      const copies = one.replicas === null ? one.mode.toLowerCase() : countText(one.replicas, 'replica')
      const ports = one.ports.length === 0 ? [] : [line('address', `port ${one.ports.join(', ')}`)]
      return {
        key: `clusterServices/${one.id}`,
        title: one.name,
        state: stateWord(one.status),
        side: copies,
        lines: shortened([line('image', one.image), ...ports]),
      }
    })
    const about = `k3s cluster · ${stateWord(cluster.status).word} · ${countText(nodes.length, 'node')} · ${countText(services.length, 'service')}`
    return { key: `clusters/${cluster.id}`, sort: 'cluster', title: cluster.name, about, cards: [...nodes, ...services], empty: 'No nodes yet.' }
  })
}

function trayOf({ rows }: PageModel, workspace: string): readonly Card[] {
  const ips = within(rows.ips, workspace).filter((one) => one.instance === null)
  const disks = within(rows.disks, workspace).filter((one) => one.instance === null)
  return [
    ...ips.map((one): Card => ({ key: `ips/${one.id}`, title: one.address, state: freeState(one.state), side: 'address', lines: [] })),
    ...disks.map((one): Card => ({
      key: `disks/${one.id}`,
      title: one.name,
      state: freeState(one.state),
      side: `disk ${sizeText(one.size_bytes)}`,
      lines: [],
    })),
  ]
}

/** What is available and attached to nothing is free. */
function freeState(state: string): StateWord {
  return stateWord(state === 'AVAILABLE' ? 'free' : state)
}

function countsOf({ rows }: PageModel, workspace: string): string {
  const counts = [
    [within(rows.instances, workspace).length, 'instance'],
    [within(rows.vpcs, workspace).length, 'VPC'],
    [within(rows.disks, workspace).length, 'disk'],
    [within(rows.ips, workspace).filter((one) => one.floating).length, 'floating IP'],
    [within(rows.firewallRules, workspace).length, 'firewall rule'],
    [within(rows.sshKeys, workspace).length, 'SSH key'],
  ] as const
  return counts.flatMap(([count, noun]) => (count === 0 ? [] : [countText(count, noun)])).join(' · ')
}
