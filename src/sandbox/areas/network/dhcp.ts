// DHCP settings of instances: section "Floating IPs, reverse DNS, DHCP".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import type { Exchange, RecordReply } from '../../request/exchange.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule, NOT_THERE } from '../../request/rules.ts'
import type { DhcpSettingsRow } from '../../store/machine-rows.ts'
import { dhcpSettingsRow } from '../../store/machine-rows.ts'
import type { IpRow } from '../../store/rows.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { isBusy, startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'

const families = { v4: 'IPv4', v6: 'IPv6' } as const

const rules = [
  workspaceRule('dhcp.v4-workspace', 'v4'),
  workspaceRule('dhcp.v6-workspace', 'v6'),
  familyRule('dhcp.v4', 'v4', '`v4` (IPv4 address ID)'),
  familyRule('dhcp.v6', 'v6', '`v6` (IPv6 address ID)'),
  attachedRule('dhcp.v4-attached', 'v4'),
  attachedRule('dhcp.v6-attached', 'v6'),
  rule({
    id: 'dhcp.instance-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['setDhcp'],
    status: 409,
    message: 'the instance is not available',
    broken: ({ world, params }) => world.tables.instances.get(params.id)?.state !== 'AVAILABLE',
  }),
  rule({
    id: 'dhcp.instance-moving',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['resetDhcp'],
    status: 409,
    message: 'the instance is being made or deleted',
    broken: ({ world, params }) => ['PENDING', 'DELETING'].includes(found(world.tables.instances.get(params.id), 'instance').state),
  }),
  rule({
    id: 'dhcp.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['setDhcp', 'resetDhcp'],
    status: 409,
    message: 'a workflow on the DHCP settings is under way',
    broken: ({ world, params }) => isBusy(world, 'dhcpSettings', params.id),
  }),
]

const updateInput = dhcpSettingsRow.pick({ enabled: true, v4: true, v6: true }).partial()

const effects: Effects = {
  'dhcp.update': {
    done(world, { subject: { id: instanceId }, input }) {
      const { tables } = world
      const { enabled, v4, v6 } = updateInput.parse(input)
      // "omitted fields unchanged" leaves nothing to set where all are.
      if ([enabled, v4, v6].every((one) => one === undefined)) return undefined
      const before = settingsOf(world, instanceId) ?? tables.dhcpSettings.insert({ instanceId, enabled: true, v4: null, v6: null })
      // An address that was detached meanwhile is on the instance no more.
      const kept = (id: string | null = null): string | null => (id !== null && tables.ips.get(id)?.instanceId === instanceId ? id : null)
      tables.dhcpSettings.update(before.id, { enabled: enabled ?? before.enabled, v4: kept(v4) ?? before.v4, v6: kept(v6) ?? before.v6 })
      return undefined
    },
    misses: ({ tables }, { subject: { id } }) => !tables.instances.get(id),
  },
  'dhcp.reset': {
    done(world, { subject: { id: instanceId } }) {
      removeDhcpSettings(world, instanceId)
      return undefined
    },
  },
}

/** Shows, sets and resets the settings. */
export const dhcpArea = area(
  {
    getDhcp({ world, params }) {
      const row = settingsOf(world, params.id)
      return row ? { kind: 'dhcp', view: dhcpView(world, row) } : emptyReply(world)
    },
    setDhcp({ world, params, body: { enabled, v4, v6 } }) {
      return { workflow: startWorkflow(world, { ...startOf(world, 'update', params.id), input: defined({ enabled, v4, v6 }) }) }
    },
    resetDhcp: ({ world, params }) => ({ workflow: startWorkflow(world, startOf(world, 'reset', params.id)) }),
  },
  { rules, effects },
)

/** Takes an address out of the settings of the instance that it leaves. */
export function releaseAddress(world: World, { id, instanceId }: IpRow): void {
  const row = settingsOf(world, instanceId ?? '')
  if (row?.v4 === id) world.tables.dhcpSettings.update(row.id, { v4: null })
  if (row?.v6 === id) world.tables.dhcpSettings.update(row.id, { v6: null })
}

/** Puts an instance back to automatic addressing. */
export function removeDhcpSettings(world: World, instanceId: string): void {
  const row = settingsOf(world, instanceId)
  if (row) world.tables.dhcpSettings.delete(row.id)
}

function familyRule(id: string, field: 'v4' | 'v6', quote: string) {
  return rule({
    id,
    section: 'Floating IP and DHCP',
    quote,
    routes: ['setDhcp'],
    status: 400,
    field,
    message: `no ${families[field]} address`,
    broken: (exchange) => (ipOf(exchange, field)?.family ?? families[field]) !== families[field],
  })
}

function workspaceRule(id: string, field: 'v4' | 'v6') {
  return rule({
    id,
    section: 'Errors',
    quote: NOT_THERE,
    assumed: true,
    routes: ['setDhcp'],
    status: 404,
    open: 'reference',
    field,
    message: 'no such address in the workspace',
    broken: (exchange) => exchange.body[field] !== undefined && ipOf(exchange, field)?.workspaceId !== exchange.workspaceId,
  })
}

function attachedRule(id: string, field: 'v4' | 'v6') {
  return rule({
    id,
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['setDhcp'],
    status: 409,
    message: 'the address is not attached to the instance',
    broken: (exchange) => exchange.body[field] !== undefined && ipOf(exchange, field)?.instanceId !== exchange.params.id,
  })
}

function ipOf({ world, body }: Exchange<'setDhcp'>, field: 'v4' | 'v6'): IpRow | undefined {
  return world.tables.ips.get(body[field] ?? '')
}

function settingsOf({ tables }: World, instanceId: string): DhcpSettingsRow | undefined {
  return tables.dhcpSettings.first('instance', instanceId)
}

/** The subject is the settings, whether they exist or not: the instance itself is not busy meanwhile. */
function startOf({ tables }: World, verb: 'update' | 'reset', instanceId: string) {
  const { workspaceId } = found(tables.instances.get(instanceId), 'instance')
  return { operation: `dhcp.${verb}`, workspaceId, instanceId, subject: { table: 'dhcpSettings', id: instanceId } }
}

function emptyReply({ readings }: World): RecordReply {
  if (readings.emptyDhcp === 'none') return { kind: 'dhcp', view: {}, status: 204 }
  return { kind: 'dhcp', view: readings.emptyDhcp === 'null' ? null : {} }
}

function dhcpView({ tables }: World, { enabled, v4, v6 }: DhcpSettingsRow): JsonObject {
  const addressOf = (id: string | null): JsonObject | null => (id === null ? null : { id, address: found(tables.ips.get(id), 'IP').address })
  return { enabled, v4: addressOf(v4), v6: addressOf(v6) }
}
