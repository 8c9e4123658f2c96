// Floating IPs: addresses of a workspace, attached to one instance at a time, with reverse DNS.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { undocumentedRoutes } from '../api/routes/commands.ts'
import { hostname } from '../api/routes/fields.ts'
import { routes } from '../api/routes/routes.ts'
import { immutable, mark, ref, region } from './definition/fields.ts'
import type { Alters } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Price, Problem, Seen, Step, Wanted } from './definition/kind.ts'
import { anyCase, filled, isSet, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf, regionOf } from './definition/shape.ts'
import { isToken, knownText } from './definition/token.ts'
import { addressPart } from './instance-cost.ts'

/** The first address of a family is told, and one that comes stands behind it; no answer says in which order they are listed. */
const alters: Alters = {
  outputs: ['ips', 'ip4', 'ip6'],
  isAltered(output, { spec: { type }, own, there, comes }) {
    if (output === 'ips') return true
    const first = there[output] ?? null
    return (output === 'ip4') === (type === 'IPv4') && (comes ? first === null : first === (own['address'] ?? first))
  },
}

const spec = z.strictObject({
  type: immutable(z.enum(['IPv4', 'IPv6'])).describe('family of the address'),
  region: immutable(region()).describe('code of its region'),
  ddos: immutable(z.boolean()).describe('whether it is protected against DDoS; IPv4 alone can be'),
  dns: mark(hostname, { clearable: true, form: 'hostname' })
    .optional()
    .describe('host name that reverse DNS gives (PTR record); removed, the default comes back'),
  instance: mark(ref('Instance'), { shown: true, clearable: true, released: true, declarer: true, disruptive: 'interruption', alters })
    .nullable()
    .optional()
    .describe('the instance that it is attached to; null or removed detaches it'),
})
type Spec = z.output<typeof spec>

const live = defineShape('FloatingIp', () =>
  z.object({
    id: idOf,
    type: maybe(anyCase(['IPv4', 'IPv6'])),
    address: maybe(z.string()),
    dns: maybe(z.string()),
    instance: maybe(idOf),
    region: maybe(regionOf),
    ddos: maybe(z.boolean()),
  }),
)
type Live = z.output<typeof live.schema>

const created = ['type', 'region', 'ddos'] as const

export const FloatingIp = defineKind({
  name: 'FloatingIp',
  plural: 'floatingips',
  about: 'An address of its own, attached to an instance or to none; the service chooses it among those that are free.',
  section: 'Floating IPs, reverse DNS, DHCP',
  scope: 'workspace',
  handle: 'address',
  confirmedByLists: true,
  calls: {
    making: [routes.createFloatingIp, routes.setDns, routes.resetDns, undocumentedRoutes.attachIp, undocumentedRoutes.detachIp],
    removing: [undocumentedRoutes.detachIp, routes.deleteFloatingIp],
  },
  identifies: false,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the address' },
    address: { type: 'string', about: 'the address itself' },
  },
  examples: [
    {
      title: 'An address for a mail server',
      spec: { type: 'IPv4', region: 'fra-1', ddos: false, dns: 'mail.example.com', instance: 'web' },
      beside: ['web', 'api'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
      changes: { ddos: true, dns: 'mx.example.com', instance: 'api' },
    },
    {
      title: 'An address in reserve',
      spec: { type: 'IPv6', region: 'fra-1', ddos: false },
      changes: { type: 'IPv4', region: 'ams-1' },
    },
  ],
  list: (api, at) => api.all(call(routes.listFloatingIps, { wid: at.workspaceId }), live),
  read: (api, id) => api.one(call(routes.getFloatingIp, { id }), live),
  id: (one) => one.id,
  // Region and protection stand in no answer: they are what was asked for.
  toSpec: (one) => ({ ...pick(one, ['dns', 'instance']), ...filled(one, ['type']) }),
  outputsOf: (one) => present({ id: one.id, address: one.address }),
  status: () => 'ready',
  // No answer shows a state; what is on an instance is in use.
  showsReady: (one) => isSet(one.instance),
  naturalKey,
  canBe,
  check: checkProtection,
  price: priceOfAddress,
  quota: ({ type }) => ({ max_floating_ipv4: type === 'IPv4' ? 1 : 0, max_floating_ipv6: type === 'IPv6' ? 1 : 0, max_floating_ips: 1 }),
  steps: (view) => [...(view.live ? [] : [create(view)]), ...leave(view), ...name(view), ...attach(view)],
  removal: ({ id, live: there }) => [
    ...(isSet(there?.instance) ? [detach(id)] : []),
    { name: 'delete', removes: true, disruption: 'address_loss', call: call(routes.deleteFloatingIp, { fid: id }), sets: {} },
  ],
})

/** By what a create asks for, and what is seen to be unattached: any other may have come with its instance. */
function naturalKey({ type, ddos, instance }: Seen<Spec>): string | undefined {
  return instance === null || (instance === undefined && ddos !== undefined) ? `${type}` : undefined
}

/** Region and protection are no part of what an answer must show; one that shows other ones is not what was asked for. A region may be shown by its name, which says nothing. */
function canBe(one: Live, { region, ddos }: Seen<Spec>): boolean {
  const isOtherRegion = isCode(one.region) && isCode(region) && one.region.toLowerCase() !== region.toLowerCase()
  return !isOtherRegion && !(typeof one.ddos === 'boolean' && typeof ddos === 'boolean' && one.ddos !== ddos)
}

function isCode(region: string | null | undefined): region is string {
  return typeof region === 'string' && /^[a-z]+(?:-[a-z]*\d+)+$/i.test(region)
}

function create({ workspaceId, desired }: Wanted<Spec, Live>): Step<Spec> {
  const sets = pick(desired, created)
  return { name: 'create', creates: true, call: call(routes.createFloatingIp, { wid: workspaceId }, sets), sets }
}

function leave({ id, live: there, changed }: Wanted<Spec, Live>): Step<Spec>[] {
  return isSet(there?.instance) && changed('instance') ? [detach(id)] : []
}

function name({ id, desired: { dns }, live: there, changed }: Wanted<Spec, Live>): Step<Spec>[] {
  if (there && !changed('dns')) return []
  if (dns !== undefined) return [{ name: 'set reverse DNS', call: call(routes.setDns, { id }, { dns }), sets: { dns } }]
  return there ? [{ name: 'reset reverse DNS', call: call(routes.resetDns, { id }), sets: {}, clears: ['dns'] }] : []
}

function attach({ id, desired: { instance }, live: there, changed }: Wanted<Spec, Live>): Step<Spec>[] {
  if (!isSet(instance) || (there && !changed('instance'))) return []
  return [{ name: 'attach', call: call(undocumentedRoutes.attachIp, {}, { ip_id: id, instance_id: instance }), sets: { instance } }]
}

function detach(id: string): Step<Spec> {
  return { name: 'detach', disruption: 'interruption', call: call(undocumentedRoutes.detachIp, {}, { ip_id: id }), sets: {}, clears: ['instance'] }
}

function checkProtection({ type, ddos }: Seen<Spec>): Problem[] {
  if (type !== 'IPv6' || ddos !== true || isToken(type)) return []
  return [{ path: ['ddos'], message: 'only an IPv4 address is protected against DDoS', hint: 'ddos: false' }]
}

/** The estimate of its address; undefined where a part of it is not known. */
function priceOfAddress({ type, region, ddos }: Seen<Spec>): Price | undefined {
  const [family, code] = [knownText(type), knownText(region)]
  if (family === undefined || code === undefined || typeof ddos !== 'boolean') return undefined
  return { rateMicroUsd: 0, estimate: { region: code, parts: [addressPart({ family, ddos })] } }
}
