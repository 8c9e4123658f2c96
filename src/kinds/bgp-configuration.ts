// The BGP session of a workspace: a singleton that PATCH makes and changes alike.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { mark, ref, secret } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Id, Reader, Step } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

const spec = z.strictObject({
  asn: mark(z.int().min(1).max(4_294_967_295), { shown: true }).optional().describe('number of the autonomous system'),
  password: secret(z.string().min(1)).optional().describe('password of the session'),
  instance: mark(ref('Instance'), { shown: true, clearable: true, disruptive: 'interruption' })
    .nullable()
    .optional()
    .describe('the instance that speaks BGP; null or removed takes it off'),
  max_prefixes: mark(z.int().min(0), { shown: true }).optional().describe('how many prefixes may be announced'),
})
type Spec = z.output<typeof spec>

const live = defineShape('BgpConfiguration', () =>
  z.object({
    id: idOf,
    asn: maybe(z.number()),
    password: maybe(z.string()),
    instance: maybe(idOf),
    max_prefixes: maybe(z.number()),
  }),
)

const fields = ['asn', 'password', 'instance', 'max_prefixes'] as const

export const BgpConfiguration = defineKind({
  name: 'BgpConfiguration',
  plural: 'bgpconfigurations',
  about: 'The BGP session of a workspace; a workspace has one.',
  section: 'BGP',
  scope: 'workspace',
  calls: { making: [routes.updateBgp], removing: [routes.deleteBgp] },
  unique: 'singleton',
  takes: ['BgpPrefix'],
  spec,
  billed: true,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the configuration' },
  },
  examples: [
    {
      title: 'A BGP session on one instance',
      spec: { asn: 64512, password: '${vars.bgp_password}', instance: 'router', max_prefixes: 8 },
      beside: ['router', 'spare'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
      changes: { asn: 64513, password: '${vars.bgp_password_2}', instance: 'spare', max_prefixes: 16 },
    },
  ],
  async list(api, at) {
    const one = await readSession(api, at.workspaceId)
    return one ? [one] : []
  },
  async read(api, id, at) {
    const one = await readSession(api, at.workspaceId)
    return one?.id === id ? one : undefined
  },
  id: (one) => one.id,
  toSpec: (one) => pick(one, fields),
  outputsOf: (one) => present({ id: one.id }),
  status: () => 'ready',
  naturalKey: () => 'singleton',
  provides: (_, workspaceId) => [`bgp:${workspaceId}`],
  steps({ workspaceId, desired, live, changed }) {
    const names = fields.filter((name) => desired[name] !== undefined && (!live || changed(name)))
    const cleared = live && desired.instance === undefined && changed('instance')
    if (live && names.length === 0 && !cleared) return []
    const sets = pick(desired, names)
    const { instance, ...rest } = sets
    const body = { ...rest, ...(cleared ? { instance_id: null } : instance === undefined ? {} : { instance_id: instance }) }
    const step: Step<Spec> = { name: live ? 'update' : 'create', call: call(routes.updateBgp, { wid: workspaceId }, body), sets }
    if (!live) return [{ ...step, creates: true }]
    return [{ ...step, ...(cleared ? { clears: ['instance'] } : {}), ...(changed('instance') ? { disruption: 'interruption' } : {}) }]
  },
  removal: ({ workspaceId }) => [{ name: 'delete', removes: true, disruption: 'interruption', call: call(routes.deleteBgp, { wid: workspaceId }), sets: {} }],
})

/** Whether a workspace has one: nothing is announced without. */
export async function hasSession(api: Reader, workspaceId: Id): Promise<boolean> {
  return (await readSession(api, workspaceId)) !== undefined
}

function readSession(api: Reader, workspaceId: Id) {
  return api.one(call(routes.getBgp, { wid: workspaceId }), live)
}
