// What is told of the thing that was selected on the map: its facts, the rules of its firewall, its workflows.
import type { RowOf } from '../view-wire.ts'
import type { PageModel } from './page-model.ts'
import { dollarText, sizeText, timeText, wordsOfName } from './plain-text.ts'
import type { StateWord } from './state-words.ts'
import { instanceState, stateWord, workflowState } from './state-words.ts'

/** A line of the firewall's table; the highest priority comes first, as it is evaluated. */
export interface RuleLine {
  readonly key: string
  readonly priority: string
  readonly action: string
  readonly protocol: string
  readonly ports: string
  readonly from: string
  readonly about: string
}

export interface Details {
  readonly key: string
  readonly kind: string
  readonly title: string
  readonly state: StateWord | undefined
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** Only instances have a firewall; `rest` is what becomes of all else. */
  readonly firewall: { readonly rules: readonly RuleLine[]; readonly rest: string } | undefined
  readonly workflows: readonly string[]
}

type Facts = Details['facts']
type Head = Pick<Details, 'kind' | 'title' | 'state' | 'facts'>

/** The details of what a key names; undefined when it is no longer there. */
export function detailsOf(model: PageModel, key: string): Details | undefined {
  const [table = '', id = ''] = key.split('/')
  const { rows, money } = model
  const member = table === 'memberships' ? rows.memberships.get(id) : undefined
  if (member) return detailsOf(model, `instances/${member.instance}`)
  const head = headOf(model, table, id)
  if (!head) return undefined
  const price = money.prices[id]
  const priced: Facts = price === undefined ? [] : [['price', `${dollarText(price, 4)} an hour`]]
  const about = [...rows.workflows.values()].filter((one) => one.subject.table === table && one.subject.id === id)
  const newest = about.toSorted((a, b) => b.queued_ms - a.queued_ms).slice(0, 5)
  return {
    key,
    ...head,
    facts: [...head.facts, ...priced, ['id', id]],
    firewall: table === 'instances' ? firewallOf(model, id) : undefined,
    workflows: newest.map((one) => `${timeText(one.queued_ms)} ${wordsOfName(one.operation)}: ${workflowState(one.state).word}`),
  }
}

function headOf(model: PageModel, table: string, id: string): Head | undefined {
  const { rows } = model
  const instance = rows.instances.get(id)
  if (table === 'instances' && instance)
    return { kind: 'instance', title: instance.name, state: instanceState(instance), facts: instanceFacts(model, instance) }
  const vpc = rows.vpcs.get(id)
  if (table === 'vpcs' && vpc) return { kind: 'VPC', title: vpc.name, state: undefined, facts: vpcFacts(model, vpc) }
  const ip = rows.ips.get(id)
  if (table === 'ips' && ip) {
    return {
      kind: 'address',
      title: ip.address,
      state: stateWord(ip.state),
      facts: known([
        ['dns', ip.dns],
        ['attached to', nameOf(model, ip.instance)],
      ]),
    }
  }
  const disk = rows.disks.get(id)
  if (table === 'disks' && disk) {
    return {
      kind: 'disk',
      title: disk.name,
      state: stateWord(disk.state),
      facts: known([
        ['size', sizeText(disk.size_bytes)],
        ['attached to', nameOf(model, disk.instance)],
      ]),
    }
  }
  return clusterHead(model, table, id)
}

function clusterHead(model: PageModel, table: string, id: string): Head | undefined {
  const { rows } = model
  const node = rows.clusterNodes.get(id)
  if (table === 'clusterNodes' && node) {
    return { kind: 'cluster node', title: node.name, state: stateWord(node.status), facts: known([['instance', nameOf(model, node.instance)]]) }
  }
  const service = rows.clusterServices.get(id)
  if (table === 'clusterServices' && service) {
    const { image, mode, replicas, ports } = service
    const facts = known([
      ['image', image],
      ['mode', mode.toLowerCase()],
      ['replicas', replicas === null ? null : String(replicas)],
      ['ports', ports.join(', ') || null],
    ])
    return { kind: 'cluster service', title: service.name, state: stateWord(service.status), facts }
  }
  const cluster = rows.clusters.get(id)
  return table === 'clusters' && cluster ? { kind: 'k3s cluster', title: cluster.name, state: stateWord(cluster.status), facts: [] } : undefined
}

function instanceFacts({ rows }: PageModel, one: RowOf<'instances'>): Facts {
  const ips = [...rows.ips.values()].filter((ip) => ip.instance === one.id)
  const disks = [...rows.disks.values()].filter((disk) => disk.instance === one.id)
  const members = [...rows.memberships.values()].filter((member) => member.instance === one.id)
  const apps = [...rows.apps.values()].filter((app) => app.instance === one.id)
  return known([
    ['plan', one.plan],
    ['size', `${one.cpu} cpu · ${sizeText(one.memory_bytes)}`],
    ['region', one.region],
    ['system', one.os],
    ['addresses', ips.map(({ address, floating }) => (floating ? `${address} (floating)` : address)).join('\n') || null],
    ['disks', disks.map(({ name, size_bytes, boot }) => `${name} ${sizeText(size_bytes)}${boot ? ' (boot)' : ''}`).join('\n') || null],
    ['networks', members.map(({ vpc, address }) => `${rows.vpcs.get(vpc)?.name ?? vpc} ${address}`).join('\n') || null],
    ['apps', apps.map(({ name, image, state }) => `${name} ${image} ${stateWord(state).word}`).join('\n') || null],
  ])
}

function vpcFacts(model: PageModel, vpc: RowOf<'vpcs'>): Facts {
  const members = [...model.rows.memberships.values()].filter((one) => one.vpc === vpc.id)
  const lines = members.map(({ instance, address }) => `${address} ${nameOf(model, instance) ?? instance}`)
  return known([
    ['range', vpc.range],
    ['members', lines.join('\n') || 'none'],
  ])
}

function nameOf({ rows }: PageModel, instance: string | null): string | null {
  return instance === null ? null : (rows.instances.get(instance)?.name ?? instance)
}

function known(facts: readonly (readonly [string, string | null])[]): Facts {
  return facts.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]))
}

function firewallOf(model: PageModel, instance: string): Details['firewall'] {
  const rules = rulesOf(model, instance)
  if (model.rows.instances.get(instance)?.firewall === false) return { rules, rest: 'The firewall is off: everything passes.' }
  return { rules, rest: rules.length === 0 ? 'No rules: everything passes.' : 'Everything else is dropped.' }
}

function rulesOf({ rows }: PageModel, instance: string): readonly RuleLine[] {
  const rules = [...rows.firewallRules.values()].filter((one) => one.instance === instance)
  return rules
    .toSorted((a, b) => b.priority - a.priority)
    .map((one) => ({
      key: one.id,
      priority: String(one.priority),
      action: one.action.toLowerCase(),
      protocol: `${one.protocol} ${one.type}`,
      ports: portsOf(one),
      from: one.remote,
      about: one.description ?? '',
    }))
}

function portsOf({ port_start, port_end }: RowOf<'firewallRules'>): string {
  if (port_start === null) return 'all'
  return port_end === null || port_end === port_start ? String(port_start) : `${port_start}–${port_end}`
}
