// Prefixes that a workspace announces over BGP; an update replaces in full, so nothing forces a new one.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { normaliseCidr, parseCidr } from '../base/cidr.ts'
import { hasSession } from './bgp-configuration.ts'
import { cidr, mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Id, Peer, PeerProblem, Problem, Reader, Step } from './definition/kind.ts'
import { allOrNone, anyCase, groupBy, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { knownText } from './definition/token.ts'

const spec = z.strictObject({
  prefix: mark(cidr(), { shown: true }).describe('network to announce, in CIDR form'),
  source: mark(z.enum(['MANUAL']), { shown: true })
    .default('MANUAL')
    .describe('where it comes from'),
  enabled: mark(z.boolean(), { shown: true }).describe('whether it is announced'),
  community: mark(z.enum(['DEFAULT', 'PROTECTED']), { shown: true }).describe('community that it is announced with'),
})
type Spec = z.output<typeof spec>

const live = defineShape('BgpPrefix', () =>
  z.object({
    id: idOf,
    prefix: maybe(z.string()),
    source: maybe(anyCase(['MANUAL'])),
    enabled: maybe(z.boolean()),
    community: maybe(anyCase(['DEFAULT', 'PROTECTED'])),
  }),
)

const fields = ['prefix', 'source', 'enabled', 'community'] as const

export const BgpPrefix = defineKind({
  name: 'BgpPrefix',
  plural: 'bgpprefixes',
  about: 'A network that the workspace announces over its BGP session.',
  section: 'BGP',
  scope: 'workspace',
  handle: 'prefix',
  calls: { making: [routes.createBgpPrefix, routes.updateBgpPrefix], removing: [routes.deleteBgpPrefix] },
  singleRead: false,
  claims: ({ prefix }) => (prefix ? [['prefix', normaliseCidr(prefix) ?? prefix]] : []),
  spec,
  billed: true,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the prefix' },
  },
  examples: [
    {
      title: 'An announced network',
      spec: { prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' },
      beside: [{ kind: 'BgpConfiguration', name: 'session', spec: { asn: 64512, max_prefixes: 8 } }],
      changes: { prefix: '198.51.100.0/24', enabled: false, community: 'PROTECTED' },
    },
  ],
  list: (api, at) => listPrefixes(api, at.workspaceId),
  read: async (api, id, at) => (await listPrefixes(api, at.workspaceId)).find((one) => one.id === id),
  id: (one) => one.id,
  toSpec: (one) => pick(one, fields),
  outputsOf: (one) => present({ id: one.id }),
  status: () => 'ready',
  naturalKey: (one) => (one.prefix ? (normaliseCidr(one.prefix) ?? one.prefix) : ''),
  check: checkPrefix,
  checkAll: checkPrefixes,
  needs: (_, workspaceId) => [`bgp:${workspaceId}`],
  steps({ id, workspaceId, desired, live, changed }) {
    const sets = pick(desired, fields)
    if (!live) return [{ name: 'create', creates: true, call: call(routes.createBgpPrefix, { wid: workspaceId }, sets), sets }]
    if (!changed(...fields)) return []
    const withdraws = changed('prefix') || (changed('enabled') && !desired.enabled)
    const step: Step<Spec> = { name: 'update', call: call(routes.updateBgpPrefix, { wid: workspaceId, id }, sets), sets }
    return [withdraws ? { ...step, disruption: 'interruption' } : step]
  },
  removal: ({ id, workspaceId }) => [
    { name: 'delete', removes: true, disruption: 'interruption', call: call(routes.deleteBgpPrefix, { wid: workspaceId, id }), sets: {} },
  ],
})

function listPrefixes(api: Reader, workspaceId: Id) {
  return allOrNone(api, call(routes.listBgpPrefixes, { wid: workspaceId }), live, () => hasSession(api, workspaceId))
}

function checkPrefix({ prefix }: { readonly prefix?: unknown }): Problem[] {
  const text = knownText(prefix)
  return text === undefined || parseCidr(text) ? [] : [{ path: ['prefix'], message: `"${text}" is not a network in CIDR form` }]
}

/** Twice the same prefix in a workspace, and more of them than its session allows. */
function checkPrefixes(peers: readonly Peer[]): PeerProblem[] {
  const limits = new Map(peers.filter((one) => one.kind === 'BgpConfiguration').map((one) => [one.workspace, one.spec.max_prefixes]))
  const problems: PeerProblem[] = []
  const prefixes = peers.filter((one) => one.kind === 'BgpPrefix')
  for (const [workspace, own] of groupBy(prefixes, (one) => one.workspace)) {
    const limit = limits.get(workspace)
    const first = new Map<string, string>()
    for (const [index, { address, spec }] of own.entries()) {
      if (typeof limit === 'number' && index >= limit) {
        problems.push({ address, path: [], message: `one prefix too many: max_prefixes is ${limit}, and ${own.length} are declared` })
      }
      const text = knownText(spec.prefix)
      if (text === undefined) continue
      const network = normaliseCidr(text) ?? text
      const other = first.get(network)
      if (other === undefined) first.set(network, address)
      else problems.push({ address, path: ['prefix'], message: `${other} announces ${network} too` })
    }
  }
  return problems
}
