// Floating IPs, what they are attached to, and their reverse DNS: section "Floating IPs, reverse DNS, DHCP".
import * as z from 'zod'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import type { Reply } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { among, contains, equals, filtered, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { summaryOrNull } from '../../request/summaries.ts'
import { patchRow } from '../../store/patch-row.ts'
import type { IpRow } from '../../store/rows.ts'
import { ipRow } from '../../store/rows.ts'
import type { Effects } from '../../time/workflow-engine.ts'
import { startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { regionView } from '../machines/placement.ts'
import { creation, removal } from '../resource-effects.ts'
import { canonicalAddress, freeAddress, rangeOf } from './addresses.ts'
import { releaseAddress } from './dhcp.ts'
import { floatingIpRules } from './floating-ip-rules.ts'

const attachInput = z.object({ instance_id: z.string() })
const dnsInput = ipRow.pick({ dns: true })

const effects: Effects = {
  'ip.create': creation('ips', 'ip'),
  'ip.attach': {
    done(world, { subject: { id }, input }) {
      const { instance_id: instanceId } = attachInput.parse(input)
      const row = world.tables.ips.get(id)
      // It may have been attached elsewhere meanwhile.
      if (row && row.instanceId !== instanceId) releaseAddress(world, row)
      return patchRow(world.tables.ips, id, { instanceId })
    },
    misses: ({ tables }, { input }) => !tables.instances.get(attachInput.parse(input).instance_id),
  },
  'ip.detach': {
    done(world, { subject: { id } }) {
      detach(world, id)
      return undefined
    },
    misses: ({ tables }, { subject: { id } }) => !tables.ips.get(id),
  },
  'ip.dns': {
    done: (world, { subject: { id }, input }) => patchRow(world.tables.ips, id, dnsInput.parse(input)),
    misses: ({ tables }, { subject: { id } }) => !tables.ips.get(id),
  },
  'ip.delete': removal('ips'),
}

/** Lists, makes, attaches, detaches and deletes addresses; sets and resets their reverse DNS. */
export const floatingIpsArea = area(
  {
    listFloatingIps({ world, params, query }) {
      const rows = filtered(world.tables.ips.by('workspace', params.wid), [
        equals(query.address === undefined ? undefined : canonicalAddress(query.address), (row) => row.address),
        among(query.instance, (row) => row.instanceId),
        query.available === true ? (row) => row.instanceId === null : undefined,
        contains(query.dns, (row) => dnsOf(world, row)),
        equals(query.region, (row) => row.region),
        equals(query.type, (row) => row.family),
        search(query.q, (row) => [row.address, dnsOf(world, row) ?? '', row.id]),
      ])
      return listing('ip', rows, (row) => ipView(world, row), 'oldest')
    },
    createFloatingIp({ world, params, body: { type: family, ddos, region } }) {
      const address = freeAddress(world, family)
      const fields = { workspaceId: params.wid, family, address, region, ddos, dns: null, instanceId: null, grantedWith: null } as const
      const row = world.tables.ips.insert({ ...fields, state: 'PENDING' })
      return { workflow: startWorkflow(world, startOf('create', row)), kind: 'ip', view: ipView(world, row) }
    },
    getFloatingIp: ({ world, params }) => ({ kind: 'ip', view: ipView(world, ipOf(world, params.id)) }),
    deleteFloatingIp({ world, params }) {
      const { state } = ipOf(world, params.fid)
      const row = world.tables.ips.update(params.fid, { state: 'DELETING' })
      return { workflow: startWorkflow(world, { ...startOf('delete', row), input: { state } }) }
    },
    setDns: ({ world, params, body: { dns } }) => ({ workflow: startWorkflow(world, { ...startOf('dns', ipOf(world, params.id)), input: { dns } }) }),
    resetDns: ({ world, params }) => ({ workflow: startWorkflow(world, { ...startOf('dns', ipOf(world, params.id)), input: { dns: null } }) }),
    attachIp({ world, body: { ip_id: id, instance_id: instanceId } }) {
      if (world.readings.ipCommands === 'empty') return patchRow(world.tables.ips, id, { instanceId })
      const start = startOf('attach', { ...ipOf(world, id), instanceId })
      return { workflow: startWorkflow(world, { ...start, input: { instance_id: instanceId } }) }
    },
    detachIp({ world, body: { ip_id: id } }): Reply<'detachIp'> {
      if (world.readings.ipCommands === 'empty') return detach(world, id)
      return { workflow: startWorkflow(world, startOf('detach', ipOf(world, id))) }
    },
  },
  { rules: floatingIpRules, effects },
)

function ipOf({ tables }: World, id: string): IpRow {
  return found(tables.ips.get(id), 'IP')
}

/** What is detached is a floating one from then on, and no longer in the DHCP settings of the instance. */
function detach(world: World, id: string): undefined {
  const row = world.tables.ips.get(id)
  if (row) releaseAddress(world, row)
  patchRow(world.tables.ips, id, { instanceId: null, grantedWith: null })
}

function startOf(verb: 'create' | 'attach' | 'detach' | 'dns' | 'delete', { id, workspaceId, instanceId }: IpRow) {
  return { operation: `ip.${verb}`, workspaceId, instanceId, subject: { table: 'ips', id } }
}

/** The reverse DNS of an address, by default a name of the service or none. */
function dnsOf({ readings }: World, { dns, address }: IpRow): string | null {
  if (dns !== null) return readings.hostnames === 'canonical' ? `${dns.toLowerCase().replace(/\.$/, '')}.` : dns
  return readings.reverseDns === 'name' ? `${address.replaceAll(/[.:]+/g, '-')}.ip.sandbox.test` : null
}

function ipView(world: World, row: IpRow): JsonObject {
  const view = {
    id: row.id,
    address: row.address,
    type: row.family,
    instance: summaryOrNull(world.tables.instances, row.instanceId),
    range: rangeOf(row.family),
    region: regionView(world, row.region),
    created_at: row.createdAt,
  }
  return world.readings.reverseDns === 'hidden' ? view : { ...view, dns: dnsOf(world, row) }
}
