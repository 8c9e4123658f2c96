// How records look in answers: one table of what the document leaves open for each kind, read by the readings chosen.
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import type { Readings } from '../readings/assumptions.ts'

/** An open field: what the record calls it in the document where requests do not, its other names, one likely and one not, the object it may stand in, and which member stands for it when it is no summary. */
interface OpenField {
  readonly record?: string
  readonly alias?: string
  readonly unheard?: string
  readonly group?: string
  readonly summary?: 'id' | 'code'
}

interface OpenShape {
  /** What a slim list item keeps; absent where the document shows the list's fields. */
  readonly slim?: readonly string[]
  /** The fields that the document names for the record; absent where it names all. */
  readonly named?: readonly string[]
  /** What an item of its lists holds as one value, a summary among them: what lists can be sorted by. */
  readonly sorts?: string
  /** The member of an item that holds the record, where it is wrapped. */
  readonly wrapped?: string
  readonly fields?: Readonly<Record<string, OpenField>>
}

const summary = { summary: 'id' } as const
const region = { summary: 'code' } as const
const specs = { group: 'specs' } as const
const instance = { alias: 'instance_id', unheard: 'server', ...summary } as const

// Views name their fields as requests do, with summaries {id, name} or {code, name} where another object is meant.
const shapes = {
  record: {},
  workspace: { sorts: 'id name access_level' },
  token: { sorts: 'id name created expires origin subject subject_id workspace_id last_ip last_used' },
  user: {},
  invite: { sorts: 'id email expires access_level' },
  plan: { sorts: 'id name group cpu memory disk_size upload download rate disabled' },
  node: { sorts: 'id name group region max_memory cores' },
  workflow: { sorts: 'id name state duration started' },
  instance: {
    sorts:
      'id name type state online plan region node group cpu memory_bytes image iso boot uefi secure_boot attach_virtio_cd sync_hostname firewall_enabled os_name created_at',
    slim: ['id', 'name', 'online', 'plan', 'state'],
    named: ['id', 'name', 'online', 'plan', 'state'],
    fields: {
      plan: summary,
      region,
      node: summary,
      image: summary,
      iso: summary,
      group: specs,
      cpu: specs,
      memory_bytes: { alias: 'memory', unheard: 'ram', group: 'specs' },
      storage: specs,
      bandwidth: specs,
      ips: { group: 'networking' },
      vpcs: { group: 'networking' },
      firewall_enabled: { group: 'networking' },
      boot: { group: 'settings' },
      uefi: { group: 'settings' },
      secure_boot: { group: 'settings' },
      attach_virtio_cd: { group: 'settings' },
      sync_hostname: { group: 'settings' },
      os_name: { group: 'settings' },
    },
  },
  disk: {
    sorts: 'id name backend boot size instance state region created_at',
    slim: ['id', 'name'],
    named: ['id', 'name', 'backend', 'boot', 'size', 'instance', 'state', 'region', 'live'],
    fields: { instance, region },
  },
  ip: {
    sorts: 'id address type instance region created_at dns',
    slim: ['id', 'address', 'type'],
    named: ['id', 'address', 'type', 'instance', 'range'],
    // "IP record has family", and a request type.
    fields: { type: { record: 'family', alias: 'family', unheard: 'version' }, instance, region },
  },
  dhcp: { fields: { v4: summary, v6: summary } },
  vpc: {
    sorts: 'id name description range vlan created_at',
    slim: ['id', 'name', 'range'],
    named: ['id', 'name', 'description', 'range', 'vlan'],
    fields: { vlan: { alias: 'vlan_tag', unheard: 'tag', group: 'network' } },
  },
  membership: {
    sorts: 'address created_at',
    named: ['instance', 'address'],
    fields: { address: { alias: 'private_ip', unheard: 'inside', group: 'networking' } },
  },
  firewall_rule: {
    sorts: 'id instance type protocol action port_start port_end remote local bps_limit pps_limit priority description created_at',
    slim: ['id', 'type', 'protocol', 'action', 'priority'],
    named: 'id type protocol action port_start port_end remote local bps_limit pps_limit priority description'.split(' '),
    fields: { instance },
  },
  ssh_key: { sorts: 'id name public_key created_at' },
  recipe: { sorts: 'id name category icon description' },
  app: { fields: { instance, template: { alias: 'template_id', ...summary } } },
  app_template: { sorts: 'id name description image category' },
  dedibox: { sorts: 'id name region online plan', fields: { plan: summary, region, iso: summary } },
  dedibox_ip: { sorts: 'id address type created_at' },
  cluster: {},
  cluster_node: { wrapped: 'node', sorts: 'id node_name status' },
  // Wrapped as in a single fetch, an item keeps both parts.
  service: { wrapped: 'service', sorts: 'id name image mode replicas update_strategy status', slim: ['id', 'name', 'mode', 'status', 'service', 'live'] },
  secret: { sorts: 'id name' },
  coupon: { sorts: 'id code amount expiry_days note max_uses uses_remaining created_at' },
  price: {},
  movement: { sorts: 'id type amount memo reference created_at' },
  bgp_prefix: { sorts: 'id prefix source enabled community' },
} as const satisfies Readonly<Record<string, OpenShape>>

/** The word for what a record is; it also names the member that holds it beside a workflow. */
export type KindWord = keyof typeof shapes

/** A record as a single fetch shows it. */
export function presentDetail(kind: KindWord, view: JsonObject, readings: Readings): JsonObject {
  const { fields, named }: OpenShape = shapes[kind]
  if (fields === undefined) return view
  if (readings.details === 'flat' && readings.emptyMembers !== 'absent') return withSummaries(view, fields)
  const shown: Record<string, JsonValue> = {}
  const groups: Record<string, Record<string, JsonValue>> = {}
  for (const [name, value] of Object.entries(view)) {
    const open = fields[name]
    if (isLeftOut(name, value, named, readings)) continue
    if (open === undefined) shown[name] = value
    else if (readings.details === 'nested') placeNested(shown, groups, name, value, open)
    else shown[nameOf(name, open, readings)] = open.summary === undefined ? value : memberOf(value, open.summary)
    if (open?.record !== undefined && (readings.details === 'flat' || readings.details === 'nested')) shown[open.record] = value
  }
  return readings.details === 'nested' ? { ...shown, ...groups } : shown
}

/** The usual reading: the view's own members. A copy of it is several times faster to make and to print than members put in one by one. */
function withSummaries(view: JsonObject, fields: Readonly<Record<string, OpenField>>): JsonObject {
  const shown: Record<string, JsonValue> = { ...view }
  for (const name in fields) {
    const [value, { summary, record } = {}] = [view[name], fields[name]]
    if (value === undefined) continue
    if (summary !== undefined) shown[name] = memberOf(value, summary)
    if (record !== undefined) shown[record] = value
  }
  return shown
}

/** A record as a list shows it. */
export function presentItem(kind: KindWord, view: JsonObject, readings: Readings): JsonObject {
  const { slim }: OpenShape = shapes[kind]
  if (slim === undefined || readings.lists === 'full') return presentDetail(kind, view, readings)
  return presentDetail(kind, Object.fromEntries(Object.entries(view).filter(([name]) => slim.includes(name))), readings)
}

/** The members of a record that slim lists show; undefined where they show all. */
export function slimMembers(kind: KindWord): readonly string[] | undefined {
  const { slim }: OpenShape = shapes[kind]
  return slim
}

/** The names under which items of a list show one value: it can be sorted by them. */
export function sortNames(kind: KindWord, readings: Readings): ReadonlySet<string> {
  const { sorts = '', fields = {} }: OpenShape = shapes[kind]
  const sample = (name: string): JsonValue => {
    const summary = fields[name]?.summary
    return summary === undefined ? '' : { [summary]: '' }
  }
  const item = presentItem(kind, Object.fromEntries(sorts.split(' ').map((name) => [name, sample(name)])), readings)
  return new Set(Object.keys(item).filter((name) => item[name] === ''))
}

/** An item as sorting sees it: the record itself, as a list shows it. */
export function sortedItem(kind: KindWord, view: JsonObject, readings: Readings): JsonObject {
  const { wrapped }: OpenShape = shapes[kind]
  const record = wrapped === undefined ? undefined : view[wrapped]
  return presentItem(kind, record !== undefined && isObject(record) ? record : view, readings)
}

/** "Workflow with the new X". */
export function presentWrapped(kind: KindWord, view: JsonObject, workflow: JsonObject, readings: Readings): JsonObject {
  if (readings.resourceInCreate === 'no') return workflow
  const resource = presentDetail(kind, view, readings)
  if (readings.wrapper === 'workflow-top') return { ...workflow, [kind]: resource }
  if (readings.wrapper === 'resource-top') return { ...resource, workflow }
  if (readings.wrapper === 'other-members') return { task: workflow, created: resource }
  return { workflow, [kind]: resource }
}

function isLeftOut(name: string, value: JsonValue, named: readonly string[] | undefined, readings: Readings): boolean {
  if (value === null && readings.emptyMembers === 'absent') return true
  return named !== undefined && readings.details === 'named-only' && !named.includes(name)
}

function nameOf(name: string, { record, alias, unheard }: OpenField, { details }: Readings): string {
  if (details === 'named-only') return record ?? name
  if (details === 'aliased') return alias ?? name
  return details === 'renamed' ? (unheard ?? name) : name
}

function placeNested(
  shown: Record<string, JsonValue>,
  groups: Record<string, Record<string, JsonValue>>,
  name: string,
  value: JsonValue,
  open: OpenField,
): void {
  if (open.group === undefined) shown[name] = value
  else (groups[open.group] ??= {})[name] = value
}

function memberOf(value: JsonValue, member: 'id' | 'code'): JsonValue {
  return isObject(value) ? (value[member] ?? value) : value
}
