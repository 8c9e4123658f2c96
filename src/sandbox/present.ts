// How records look in answers: one table of what the document leaves open for each kind, read by the readings chosen.
import type { JsonObject, JsonValue } from '../json.ts'
import type { Readings } from './assumptions.ts'

/** An open field: its other name, the object it may stand in, and which member stands for it when it is no summary. */
interface OpenField {
  readonly alias?: string
  readonly group?: string
  readonly summary?: 'id' | 'code'
}

interface OpenShape {
  /** What a slim list item keeps; absent where the document shows the list's fields. */
  readonly slim?: readonly string[]
  readonly fields?: Readonly<Record<string, OpenField>>
}

const summary = { summary: 'id' } as const
const region = { summary: 'code' } as const
const specs = { group: 'specs' } as const

// Views name their fields as requests do, with summaries {id, name} or {code, name} where another object is meant.
const shapes = {
  record: {},
  workspace: {},
  token: {},
  user: {},
  plan: {},
  node: {},
  workflow: {},
  instance: {
    slim: ['id', 'name', 'online', 'plan', 'state'],
    fields: {
      plan: summary,
      region,
      node: summary,
      image: summary,
      iso: summary,
      group: specs,
      cpu: specs,
      memory_bytes: { alias: 'memory', group: 'specs' },
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
  disk: { slim: ['id', 'name', 'size', 'boot', 'state'], fields: { instance: { alias: 'instance_id', ...summary }, region } },
  ip: { slim: ['id', 'address', 'type'], fields: { type: { alias: 'family' }, instance: { alias: 'instance_id', ...summary }, region } },
  vpc: { slim: ['id', 'name', 'range'], fields: { vlan: { alias: 'vlan_tag', group: 'network' } } },
  membership: { fields: { address: { alias: 'private_ip', group: 'networking' } } },
  firewall_rule: { slim: ['id', 'type', 'protocol', 'action', 'priority'], fields: { instance: { alias: 'instance_id', ...summary } } },
  ssh_key: {},
  recipe: {},
  app: {},
  app_template: {},
  dedibox: {},
  dedibox_ip: {},
  cluster: {},
  cluster_node: {},
  // Wrapped as in a single fetch, an item keeps both parts.
  service: { slim: ['id', 'name', 'mode', 'status', 'service', 'live'] },
  secret: {},
  coupon: { fields: { uses: { alias: 'max_uses' } } },
  price: {},
} as const satisfies Readonly<Record<string, OpenShape>>

/** The word for what a record is; it also names the member that holds it beside a workflow. */
export type KindWord = keyof typeof shapes

/** A record as a single fetch shows it. */
export function presentDetail(kind: KindWord, view: JsonObject, readings: Readings): JsonObject {
  const { fields }: OpenShape = shapes[kind]
  if (fields === undefined) return view
  const shown: Record<string, JsonValue> = {}
  const groups: Record<string, Record<string, JsonValue>> = {}
  for (const [name, value] of Object.entries(view)) {
    const open = fields[name]
    if (open === undefined) shown[name] = value
    else if (readings.details === 'nested') placeNested(shown, groups, name, value, open)
    else shown[readings.details === 'aliased' ? (open.alias ?? name) : name] = open.summary === undefined ? value : memberOf(value, open.summary)
  }
  return readings.details === 'nested' ? { ...shown, ...groups } : shown
}

/** A record as a list shows it. */
export function presentItem(kind: KindWord, view: JsonObject, readings: Readings): JsonObject {
  const { slim }: OpenShape = shapes[kind]
  if (readings.lists === 'full' || slim === undefined) return presentDetail(kind, view, readings)
  return presentDetail(kind, Object.fromEntries(Object.entries(view).filter(([name]) => slim.includes(name))), readings)
}

/** "Workflow with the new X". */
export function presentWrapped(kind: KindWord, view: JsonObject, workflow: JsonObject, readings: Readings): JsonObject {
  if (readings.resourceInCreate === 'no') return workflow
  const resource = presentDetail(kind, view, readings)
  if (readings.wrapper === 'workflow-top') return { ...workflow, [kind]: resource }
  if (readings.wrapper === 'resource-top') return { ...resource, workflow }
  return { workflow, [kind]: resource }
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
  if (typeof value !== 'object' || value === null || !(member in value)) return value
  return Object.entries(value).find(([name]) => name === member)?.[1] ?? null
}
