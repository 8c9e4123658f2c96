// Firewall rules of instances: section "Firewall rules".
import { normaliseCidr } from '../../../base/cidr.ts'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { listing } from '../../request/exchange.ts'
import { equals, filtered } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import { limitOf } from '../../seed/quota.ts'
import type { FirewallRuleRow } from '../../store/rows.ts'
import { isBusy, startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { dataOf } from '../workflow-data.ts'

const ANYWHERE = { IPv4: '0.0.0.0/0', IPv6: '::/0' } as const
const DEFAULT_PRIORITY = 1

const rules = [
  rule({
    id: 'firewall.instance-state',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['createFirewallRule'],
    status: 409,
    message: 'the instance is not available',
    broken: ({ world, params }) => world.tables.instances.get(params.id)?.state !== 'AVAILABLE',
  }),
  rule({
    id: 'firewall.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['deleteFirewallRule'],
    status: 409,
    message: 'a workflow on the rule is under way',
    broken: ({ world, params }) => isBusy(world, 'firewallRules', params.id),
  }),
  rule({
    id: 'firewall.quota',
    section: 'Limits',
    quote: 'Firewall rules per floating IP | `firewall_rules_per_ip` in quota',
    routes: ['createFirewallRule'],
    status: 403,
    open: 'quota',
    message: 'the quota firewall_rules_per_ip is reached',
    broken: ({ world, params, workspaceId = '' }) => world.tables.firewallRules.by('instance', params.id).length >= allowedRules(world, workspaceId, params.id),
  }),
]

/** Rules that are made and removed, never changed. */
export const firewallRulesArea = area(
  {
    createFirewallRule({ world, params, body }) {
      const { id: instanceId, workspaceId } = found(world.tables.instances.get(params.id), 'instance')
      const row = world.tables.firewallRules.insert({
        workspaceId,
        instanceId,
        type: body.type,
        protocol: body.protocol,
        action: body.action,
        portStart: body.port_start ?? null,
        portEnd: body.port_end ?? null,
        remote: body.remote ?? ANYWHERE[body.type],
        local: body.local ?? null,
        // "exclusive with pps_limit", which "wins when both sent".
        bpsLimit: body.pps_limit === undefined ? (body.bps_limit ?? null) : null,
        ppsLimit: body.pps_limit ?? null,
        priority: body.priority ?? DEFAULT_PRIORITY,
        description: body.description ?? null,
      })
      return { workflow: startWorkflow(world, startOf('create', row)), kind: 'firewall_rule', view: ruleView(world, row) }
    },
    listInstanceFirewallRules({ world, params, query }) {
      const rows = filtered(world.tables.firewallRules.by('instance', params.iid), [
        equals(query.type, (row) => row.type),
        equals(query.protocol, (row) => row.protocol),
        equals(query.action, (row) => row.action),
      ])
      return listing('firewall_rule', rows, (row) => ruleView(world, row))
    },
    getFirewallRule: ({ world, params }) => ({
      kind: 'firewall_rule',
      view: ruleView(world, found(world.tables.firewallRules.get(params.id), 'firewall rule')),
    }),
    deleteFirewallRule({ world, params }) {
      const row = found(world.tables.firewallRules.get(params.id), 'firewall rule')
      const workflow = startWorkflow(world, startOf('delete', row))
      // "effective immediately": the workflow's end changes nothing any more, unless it is to fail.
      if (workflow.leaves === 'done') world.tables.firewallRules.delete(row.id)
      return { workflow }
    },
    listFirewallCounts({ world, params }) {
      const { instances, firewallRules } = world.tables
      const counts = instances.by('workspace', params.wid).map(({ id, name }) => ({ instance: id, name, rules: firewallRules.by('instance', id).length }))
      return { kind: 'record', views: world.readings.firewallCounts === 'all' ? counts : counts.filter((one) => one.rules > 0) }
    },
  },
  {
    rules,
    effects: {
      'firewall.create': {
        done: (world, { subject }) => dataOf(world, 'firewall_rule', subject.id),
        failed(world, { subject }) {
          world.tables.firewallRules.delete(subject.id)
        },
        misses: ({ tables }, { subject }) => !tables.firewallRules.get(subject.id),
      },
    },
  },
)

/** How many rules an instance may have; one without addresses counts as having one. */
function allowedRules(world: World, workspaceId: string, instanceId: string): number {
  const { tables, readings } = world
  if (readings.firewallQuota === 'off') return Infinity
  const limit = limitOf(world, workspaceId, 'firewall_rules_per_ip')
  return readings.firewallQuota === 'instance' ? limit : limit * Math.max(1, tables.ips.by('instance', instanceId).length)
}

function startOf(verb: 'create' | 'delete', { id, workspaceId, instanceId }: FirewallRuleRow) {
  return { operation: `firewall.${verb}`, workspaceId, instanceId, subject: { table: 'firewallRules', id } }
}

function ruleView({ tables, readings }: World, row: FirewallRuleRow): JsonObject {
  const view = {
    id: row.id,
    instance: summaryOf(tables.instances, row.instanceId),
    type: row.type,
    protocol: row.protocol,
    action: row.action,
    port_start: row.portStart,
    port_end: row.portEnd,
    remote: row.remote,
    local: row.local,
    bps_limit: row.bpsLimit,
    pps_limit: row.ppsLimit,
    priority: row.priority,
    description: row.description,
    created_at: row.createdAt,
  }
  if (readings.ruleForm === 'as-sent') return view
  return {
    ...view,
    port_end: row.portEnd ?? row.portStart,
    remote: found(normaliseCidr(row.remote), 'range'),
    local: found(normaliseCidr(row.local ?? ANYWHERE[row.type]), 'range'),
    description: row.description ?? '',
  }
}
