// What the document refuses about floating IPs and their reverse DNS (section "Floating IPs, reverse DNS, DHCP").
import * as z from 'zod'
import type { Exchange } from '../../request/exchange.ts'
import { found, referred } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { limitOf } from '../../seed/quota.ts'
import type { Quota } from '../../seed/seed.ts'
import type { InstanceRow, IpRow } from '../../store/rows.ts'
import { isBusy } from '../../time/workflow-engine.ts'
import { commandRules } from '../command-rules.ts'
import { ipEnds, isLeaving } from '../machines/instance-removal.ts'
import { isPlace } from '../machines/placement.ts'
import { countAddresses } from './addresses.ts'

type Command = Exchange<'attachIp' | 'detachIp'>
type OneIp = Exchange<'deleteFloatingIp' | 'setDns' | 'resetDns' | 'detachIp'> | Command

const commandBody = z.object({ ip_id: z.string() })
const ATTACHED = 'attached instance (at most one)'

const createRules = [
  rule({
    id: 'ips.region',
    section: 'Floating IPs, reverse DNS, DHCP',
    quote: 'type (required: IPv4 or IPv6), ddos (required boolean), region (required)',
    assumed: true,
    routes: ['createFloatingIp'],
    status: 400,
    field: 'region',
    message: 'no such region',
    broken: ({ world, params, body }) => !isPlace(world, params.wid, body.region),
  }),
  rule({
    id: 'ips.ddos',
    section: 'Billing, usage, wallet, coupons, rates',
    quote: '`FLOATING_IP` (family `IPv4` or `IPv6`; ddos boolean, IPv4 only)',
    assumed: true,
    routes: ['createFloatingIp'],
    status: 400,
    field: 'ddos',
    message: 'only IPv4 has DDoS protection',
    broken: ({ body }) => body.ddos && body.type === 'IPv6',
  }),
  quotaRule('ips.quota-ipv4', 'max_floating_ipv4', 'IPv4'),
  quotaRule('ips.quota-ipv6', 'max_floating_ipv6', 'IPv6'),
  quotaRule('ips.quota', 'max_floating_ips', undefined),
]

const scopeRules = commandRules('ips', 'IP', ['attachIp', 'detachIp'], { body: 'ip_id' }, ({ world, body }) => world.tables.ips.get(body.ip_id))

const attachRules = [
  rule({
    id: 'ips.attach-visible',
    section: 'Errors',
    quote: 'resource missing or not visible to the workspace',
    routes: ['attachIp'],
    status: 404,
    open: 'reference',
    field: 'instance_id',
    message: 'instance not found',
    broken: (exchange) => instanceOf(exchange).workspaceId !== ipOf(exchange).workspaceId,
  }),
  rule({
    id: 'ips.attach-region',
    section: 'Floating IPs, reverse DNS, DHCP',
    quote: 'region (required)',
    assumed: true,
    routes: ['attachIp'],
    status: 400,
    field: 'instance_id',
    message: 'IP and instance are in different regions',
    broken: (exchange) => exchange.world.readings.otherRegion === 'refuse' && instanceOf(exchange).region !== ipOf(exchange).region,
  }),
  rule({
    id: 'ips.attach-instance',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['attachIp'],
    status: 409,
    message: 'the instance is not available',
    broken: (exchange) => instanceOf(exchange).state !== 'AVAILABLE',
  }),
]

const stateRules = [
  rule({
    id: 'ips.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    routes: ['deleteFloatingIp', 'setDns', 'resetDns', 'attachIp', 'detachIp'],
    status: 409,
    message: 'a workflow on the IP is under way',
    broken(exchange) {
      const ip = ipOf(exchange)
      const waits = exchange.world.readings.busyIps === 'refuse' || exchange.name === 'deleteFloatingIp'
      return (waits && isBusy(exchange.world, 'ips', ip.id)) || ['PENDING', 'DELETING'].includes(ip.state)
    },
  }),
  rule({
    id: 'ips.instance-deleting',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['setDns', 'resetDns', 'detachIp'],
    status: 409,
    message: 'the IP is deleted with its instance',
    broken: (exchange) => isLeaving(exchange.world, ipOf(exchange)) && ipEnds(exchange.world, ipOf(exchange)),
  }),
  rule({
    id: 'ips.attach-detached',
    section: 'Floating IP and DHCP',
    quote: ATTACHED,
    routes: ['attachIp'],
    status: 409,
    message: 'the IP is attached',
    broken: (exchange) => ipOf(exchange).instanceId !== null,
  }),
  rule({
    id: 'ips.attach-available',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['attachIp'],
    status: 409,
    message: 'the IP is not AVAILABLE',
    broken: (exchange) => !['AVAILABLE', 'PENDING', 'DELETING'].includes(ipOf(exchange).state),
  }),
  rule({
    id: 'ips.dns-available',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['setDns'],
    status: 409,
    message: 'the IP is not AVAILABLE',
    broken: (exchange) => !['AVAILABLE', 'PENDING', 'DELETING'].includes(ipOf(exchange).state),
  }),
  rule({
    id: 'ips.detach-attached',
    section: 'Floating IP and DHCP',
    quote: ATTACHED,
    assumed: true,
    routes: ['detachIp'],
    status: 409,
    message: 'the IP is not attached',
    broken: (exchange) => ipOf(exchange).instanceId === null,
  }),
  rule({
    id: 'ips.delete-detached',
    section: 'Floating IPs, reverse DNS, DHCP',
    quote: 'IP must be detached',
    routes: ['deleteFloatingIp'],
    status: 409,
    message: 'the IP is attached',
    broken: (exchange) => ipOf(exchange).instanceId !== null,
  }),
]

/** All of them: of a create, of who may command, of what is attached where, of the state. */
export const floatingIpRules = [...createRules, ...scopeRules, ...attachRules, ...stateRules]

function quotaRule(id: string, key: keyof Quota, family: IpRow['family'] | undefined) {
  return rule({
    id,
    section: 'Limits',
    quote: 'max_floating_ipv4, max_floating_ipv6, max_floating_ips',
    routes: ['createFloatingIp'],
    status: 403,
    open: 'quota',
    message: `the quota ${key} is reached`,
    broken: ({ world, params: { wid }, body }) => (family ?? body.type) === body.type && countAddresses(world, wid, family) >= limitOf(world, wid, key),
  })
}

/** By the one placeholder of the path, or by the body of a command, whose path has none. */
function ipOf({ world, params, body }: OneIp): IpRow {
  const [id = commandBody.parse(body).ip_id]: string[] = Object.values(params)
  return found(world.tables.ips.get(id), 'IP')
}

function instanceOf({ world, body }: Exchange<'attachIp'>): InstanceRow {
  return referred(world.tables.instances.get(body.instance_id), 'instance', 'instance_id', world.readings)
}
