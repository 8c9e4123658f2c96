// VPCs: private networks of a workspace, made at once and deleted when nothing is attached.
import * as z from 'zod'
import { ApiError, call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { isPrivateCidr, normaliseCidr, parseCidr } from '../base/cidr.ts'
import { inTurns } from '../base/in-turns.ts'
import { cidr, mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { At, Problem, Reader, Step } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { knownText } from './definition/token.ts'
import { doings, holdersOf, nothingStays } from './vpc-members.ts'
import type { HoldingMember } from './vpc-members.ts'

const spec = z.strictObject({
  name: mark(z.string().min(4).max(32), { shown: true }).describe('name, 4 to 32 characters'),
  description: mark(z.string().max(240), { shown: true }).describe('what it is for, up to 240 characters'),
  range: mark(cidr(), { immutable: true, shown: true }).describe('private IPv4 network in CIDR form (RFC 1918), normalised to its network address'),
})
type Spec = z.output<typeof spec>

/** What is read of a VPC; its last member is composed where it goes, never part of an answer. */
const live = defineShape('Vpc', () =>
  z.object({
    id: idOf,
    name: maybe(z.string()),
    description: maybe(z.string()),
    range: maybe(z.string()),
    vlan: maybe(
      z.union([
        z.int(),
        z
          .string()
          .regex(/^\d{1,4}$/)
          .transform(Number),
      ]),
    ),
    holders: maybe(z.array(z.object({ kind: z.string(), id: z.string(), does: z.enum(doings), instance: z.string() }))),
  }),
)

type Live = z.output<typeof live.schema>

export const Vpc = defineKind({
  name: 'Vpc',
  plural: 'vpcs',
  about: 'A private network; instances join it through their `vpcs` or a VpcAttachment.',
  section: 'VPCs',
  scope: 'workspace',
  confirmedByLists: true,
  calls: { making: [routes.createVpc, routes.updateVpc], removing: [routes.leaveVpc, routes.deleteVpc] },
  removalWants: ['holders'],
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the VPC' },
    range: { type: 'string', about: 'its network, normalised' },
    vlan: { type: 'integer', about: 'the VLAN tag that the service assigned' },
  },
  examples: [
    {
      title: 'A private network',
      spec: { name: 'main', description: 'between the web servers', range: '10.20.0.0/24' },
      changes: { name: 'main-2', description: 'renamed', range: '10.21.0.0/24' },
    },
  ],
  list: async (api, at) => inTurns(await api.all(call(routes.listVpcs, { wid: at.workspaceId }), live), (one) => withHolders(api, at, one)),
  async read(api, id, at) {
    const one = await api.one(call(routes.getVpc, { vid: id }), live)
    return one && withHolders(api, at, one)
  },
  id: (one) => one.id,
  toSpec: (one) => pick(one, ['name', 'description', 'range']),
  outputsOf: (one) => present({ id: one.id, range: one.range && (normaliseCidr(one.range) ?? one.range), vlan: one.vlan }),
  status: () => 'ready',
  naturalKey: (one) => `${one.name} ${one.range}`,
  check: checkRange,
  quota: () => ({ max_vpcs: 1 }),
  steps({ id, workspaceId, desired, live, changed }) {
    if (!live) return [{ name: 'create', creates: true, call: call(routes.createVpc, { wid: workspaceId }, desired), sets: desired }]
    const steps: Step<Spec>[] = []
    if (changed('name', 'description')) {
      const sets = pick(desired, ['name', 'description'])
      steps.push({ name: 'update', call: call(routes.updateVpc, { vid: id }, sets), sets })
    }
    return steps
  },
  removal: ({ id, live: there }) => [...leavings(id, there), { name: 'delete', removes: true, call: call(routes.deleteVpc, { vid: id }), sets: {} }],
  holders: (one) => one.holders ?? [],
})

/** Where it goes, with what is attached to it: its delete is refused while anything is. Whoever may not look goes without. */
async function withHolders(api: Reader, at: At, one: Live): Promise<Live> {
  if (!at.wants('holders') || at.outcomes?.ends('Vpc', one.id) !== true) return one
  try {
    if (await nothingStays(api, at.workspaceId, at.outcomes)) return one
    const found = await holdersOf(api, one.id, at.outcomes)
    // What has joined since the plan was shown is taken off by the next one.
    const { shows } = at.outcomes
    const isUnseen = (each: HoldingMember): boolean =>
      shows !== undefined && leavings(one.id, { ...one, holders: [each] }).some((step) => !shows('Vpc', one.id, step.name))
    return { ...one, holders: found.map((each) => (isUnseen(each) ? { ...each, does: 'stays' as const } : each)) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return one
    throw error
  }
}

/** Members of the state that nothing else makes leave. */
function leavings(vid: string, there: Live | undefined): Step<Spec>[] {
  const off = there?.holders?.filter((one) => one.does === 'to be taken off') ?? []
  return off.map(({ instance: iid }) => ({
    name: `detach instance ${iid}`,
    disruption: 'interruption',
    call: call(routes.leaveVpc, { iid, vid }),
    sets: {},
  }))
}

function checkRange({ range: given }: { readonly range?: unknown }): Problem[] {
  const range = knownText(given)
  if (range === undefined) return []
  if (parseCidr(range)?.family !== 4) return [{ path: ['range'], message: `"${range}" is not an IPv4 network in CIDR form` }]
  if (isPrivateCidr(range)) return []
  return [
    { path: ['range'], message: `${range} is not a private network`, hint: 'use a network inside 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16 (RFC 1918)' },
  ]
}
