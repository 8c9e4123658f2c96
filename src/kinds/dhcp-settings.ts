// DHCP settings of an instance: a singleton that a call makes and changes alike; without it addressing is automatic.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { inTurns } from '../base/in-turns.ts'
import { lazy } from '../base/lazy.ts'
import { mark, ref } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Id, Problem, Reader, Seen, Target, Wanted } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

// The call leaves alone what it does not name, so that only a reset takes an address out.
const address = (): z.ZodString => mark(ref('FloatingIp'), { shown: true, clearable: true, resets: true, disruptive: 'interruption' })

const spec = z.strictObject({
  instance: mark(ref('Instance'), { immutable: true, bound: true }).describe('the instance whose settings they are'),
  enabled: mark(z.boolean(), { shown: true, disruptive: 'interruption' }).default(true).describe('whether the instance is given its addresses by DHCP'),
  v4: address().optional().describe('the IPv4 address that it is given, attached to the instance; removed, the settings are made anew'),
  v6: address().optional().describe('the IPv6 address that it is given, attached to the instance; removed, the settings are made anew'),
})

type Spec = z.output<typeof spec>

const settings = lazy(() => z.object({ enabled: maybe(z.boolean()), v4: maybe(idOf), v6: maybe(idOf) }))
const answer = defineShape('DhcpSettings', settings)
// The answer need not name the instance.
const live = defineShape('DhcpSettings', () => settings().extend({ instance: z.string() }))

type Live = z.output<typeof live.schema>

const fields = ['enabled', 'v4', 'v6'] as const
const families = ['v4', 'v6'] as const

export const DhcpSettings = defineKind({
  name: 'DhcpSettings',
  plural: 'dhcpsettings',
  about: 'What an instance is given by DHCP in place of the automatic mode; an instance has one.',
  section: 'Floating IPs, reverse DNS, DHCP',
  scope: 'parent',
  parentField: 'instance',
  calls: { making: [routes.setDhcp], removing: [routes.resetDhcp] },
  unique: ['instance'],
  upserts: true,
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the instance' },
  },
  examples: [
    {
      title: 'An instance that is given an address of its own',
      spec: { instance: 'web', enabled: true, v4: 'mail', v6: 'mail-6' },
      beside: [
        ...['web', 'api'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
        ...['mail', 'news'].map((name) => ({ kind: 'FloatingIp', name, spec: { type: 'IPv4', region: 'fra-1', ddos: false, instance: 'web' } })),
        ...['mail-6', 'news-6'].map((name) => ({ kind: 'FloatingIp', name, spec: { type: 'IPv6', region: 'fra-1', ddos: false, instance: 'web' } })),
      ],
      changes: { enabled: false, v4: 'news', v6: 'news-6' },
    },
    {
      title: 'An instance with addresses of its own making',
      spec: { instance: 'web', enabled: false },
      beside: ['web', 'api'].map((name) => ({ kind: 'Instance', name, spec: { type: 'PLAN', name, plan: 'ryzen-4', region: 'fra-1' } })),
      changes: { instance: 'api' },
    },
  ],
  list: async (api, at) => (await inTurns(at.parents, (instance) => readSettings(api, instance))).flatMap((one) => (one ? [one] : [])),
  read: readSettings,
  id: (one) => one.instance,
  toSpec: (one) => pick(one, ['instance', ...fields]),
  outputsOf: (one) => present({ id: one.instance }),
  status: () => 'ready',
  naturalKey: (one) => `${one.instance}`,
  suits: (one, field, target, isSent) => [...refuseFamily(field, target, isSent), ...refuseElsewhere(one, field, target, isSent)],
  loses: refuseUndeclared,
  derivedId: (one) => one.instance,
  steps({ desired, live: there, changed }) {
    const names = fields.filter((name) => desired[name] !== undefined && (!there || changed(name)))
    if (there && names.length === 0) return []
    const sets = pick(desired, names)
    const step = { disruption: 'interruption', call: call(routes.setDhcp, { id: desired.instance }, sets) } as const
    return [there ? { ...step, name: 'update', sets } : { ...step, name: 'create', creates: true, sets: { instance: desired.instance, ...sets } }]
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, disruption: 'interruption', call: call(routes.resetDhcp, { id }), sets: {} }],
})

const familyOf: Readonly<Record<string, string>> = { v4: 'IPv4', v6: 'IPv6' }

/** "`v4` (IPv4 address ID), `v6` (IPv6 address ID)": found before a reset for it has taken out what stands there. */
function refuseFamily(field: string, { address, now, sets }: Target, isSent: boolean): Problem[] {
  const [due, type] = [familyOf[field], Object.hasOwn(sets, 'type') ? sets['type'] : now?.['type']]
  if (!isSent || due === undefined || typeof type !== 'string' || type === due) return []
  return [{ path: [field], message: `${address} is an ${type} address, and ${field} is given an ${due} one`, hint: `name one of the family ${due}` }]
}

/** An address must be on the instance when it is named; one that is taken off by the same plan is so for nothing. */
function refuseElsewhere({ instance }: Seen<Spec>, field: string, target: Target, isSent: boolean): Problem[] {
  if (field === 'instance' || typeof instance !== 'string') return []
  const { now, sets } = target
  const moves = now === undefined || Object.hasOwn(sets, 'instance')
  if (!isSent && !moves) return []
  const on = Object.hasOwn(sets, 'instance') ? sets['instance'] : now ? now['instance'] : null
  if (on === undefined || on === instance) return []
  const there = typeof on === 'string' ? `is on ${named(on)}, not on ${named(instance)}` : `is on no instance, and not on ${named(instance)}`
  const hint = `in the manifest of a FloatingIp, instance attaches it; or name an address that is on ${named(instance)}`
  return [{ path: [field], message: `${target.address} ${there}`, hint }]
}

/** A reset takes out what nobody declares as well, and after one nothing tells any more what that was: a run that is killed there could not put it back. */
function refuseUndeclared({ desired, recorded, live: there, changed }: Wanted<Spec, Live>): Problem[] {
  // On another instance they are other settings: these go as in a delete.
  if (!there || changed('instance')) return []
  return families.flatMap((name) => {
    const set = there[name]
    if (typeof set !== 'string' || desired[name] !== undefined || recorded[name] !== undefined || changed(name)) return []
    const message = `the settings would be made anew, and without ${name}, which is ${set} there and is not declared`
    return [{ path: [name], message, hint: `declare \`${name}: { id: "${set}" }\`: then it is set again, and can be taken out later` }]
  })
}

function named(instance: string): string {
  return /^\d+$/.test(instance) ? `instance ${instance}` : instance
}

/** Undefined in the automatic mode: `{}`, null, or no body. */
async function readSettings(api: Reader, instance: Id) {
  const one = await api.one(call(routes.getDhcp, { id: instance }), answer)
  return one && fields.some((name) => one[name] !== undefined && one[name] !== null) ? { ...one, instance } : undefined
}
