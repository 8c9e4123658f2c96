// Addresses of dedicated servers; an update replaces in full.
import { isIP } from 'node:net'
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { routes } from '../api/routes/routes.ts'
import { normaliseCidr } from '../base/cidr.ts'
import { inTurns } from '../base/in-turns.ts'
import { lazy } from '../base/lazy.ts'
import { immutable, mark, ref } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { At, Problem, Reader, Remnant, Seen, Step } from './definition/kind.ts'
import { allOrNone, anyCase, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf, refOf } from './definition/shape.ts'
import { knownText } from './definition/token.ts'

const spec = z.strictObject({
  dedibox: immutable(ref('Dedibox')).describe('the dedibox that has it'),
  address: mark(z.string(), { shown: true }).describe('the address, which nothing else may have'),
  type: mark(z.enum(['IPv4', 'IPv6']), { shown: true }).describe('address family'),
})
type Spec = z.output<typeof spec>

const record = lazy(() => z.object({ id: idOf, address: maybe(z.string()), type: maybe(anyCase(['IPv4', 'IPv6'])) }))
const answer = defineShape('DediboxIp', record)
// The list is of one dedibox, whether the answer names it or not.
const live = defineShape('DediboxIp', () => record().extend({ dedibox: idOf }))
const owner = defineShape('Dedibox', () => z.object({ id: idOf }))
const listed = defineShape('DediboxIp', () => record().extend({ dedibox: maybe(refOf) }))
const floating = defineShape('FloatingIp', () => z.object({ id: idOf, address: maybe(z.string()), instance: maybe(refOf) }))

const fields = ['address', 'type'] as const

export const DediboxIp = defineKind({
  name: 'DediboxIp',
  plural: 'dediboxips',
  about: 'An address of a dedibox.',
  section: 'Dediboxes',
  scope: 'parent',
  parentField: 'dedibox',
  handle: 'address',
  calls: { making: [routes.createDediboxIp, routes.updateDediboxIp], removing: [routes.deleteDediboxIp] },
  unique: ['address'],
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'ids of dedibox and record, `<dedibox>/<ip>`' },
    address: { type: 'string', about: 'the address' },
  },
  examples: [
    {
      title: 'An address of a dedicated server',
      spec: { dedibox: 'metal-1', address: '203.0.113.7', type: 'IPv4' },
      beside: ['metal-1', 'metal-2'].map((name) => ({ kind: 'Dedibox', name, spec: { name } })),
      changes: { dedibox: 'metal-2', address: '203.0.113.8' },
    },
    {
      title: 'An IPv6 address of a dedicated server',
      spec: { dedibox: 'metal-1', address: '2001:db8::7', type: 'IPv6' },
      beside: [{ kind: 'Dedibox', name: 'metal-1', spec: { name: 'metal-1' } }],
      changes: { address: '2001:db8::8' },
    },
  ],
  list: async (api, at) => (await inTurns(at.parents, (dedibox) => addressesOf(api, dedibox))).flat(),
  async read(api, id) {
    const { id: dedibox, ip } = partsOf(id)
    const one = await api.one(call(routes.getDediboxIp, { id: dedibox, ip }), answer)
    return one && { ...one, dedibox }
  },
  id: wholeId,
  toSpec: (one) => pick(one, ['dedibox', ...fields]),
  outputsOf: (one) => present({ id: wholeId(one), address: one.address }),
  status: () => 'ready',
  naturalKey: (one) => `${one.address}`,
  idForm: /^[1-9]\d{0,18}\/[1-9]\d{0,18}$/,
  idOfMade: (id, { dedibox }) => `${dedibox}/${id}`,
  normalise,
  check: checkFamily,
  inUseBy,
  steps({ id, desired, live: there, changed }): Step<Spec>[] {
    const body = pick(desired, fields)
    if (!there) return [{ name: 'create', creates: true, call: call(routes.createDediboxIp, { id: desired.dedibox }, body), sets: desired }]
    return changed(...fields) ? [{ name: 'update', call: call(routes.updateDediboxIp, partsOf(id), body), sets: body }] : []
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, call: call(routes.deleteDediboxIp, partsOf(id)), sets: {} }],
})

/** Of what the state says of it the id is whole already. */
function wholeId({ dedibox, id }: z.output<typeof live.schema>): string {
  return id.includes('/') ? id : `${dedibox}/${id}`
}

function partsOf(id: string): { readonly id: string; readonly ip: string } {
  const [dedibox = '', ip = ''] = id.split('/')
  return { id: dedibox, ip }
}

async function addressesOf(api: Reader, dedibox: string) {
  const isThere = async (): Promise<boolean> => (await api.one(call(routes.getDedibox, { id: dedibox }), owner)) !== undefined
  return (await allOrNone(api, call(routes.listDediboxIps, { id: dedibox }), answer, isThere)).map((one) => ({ ...one, dedibox }))
}

/** The one spelling of an address; anything else stays as it is. */
function canonical(text: string): string {
  return isIP(text) === 0 ? text : (normaliseCidr(text)?.replace(/\/\d+$/, '') ?? text)
}

function normalise(one: Seen<Spec>): Seen<Spec> {
  const address = knownText(one.address)
  return address === undefined ? one : { ...one, address: canonical(address) }
}

function checkFamily({ address, type }: { readonly address?: unknown; readonly type?: unknown }): Problem[] {
  const text = knownText(address)
  if (text === undefined) return []
  const family = isIP(text)
  if (family === 0) return [{ path: ['address'], message: `"${text}" is no IP address` }]
  const word = knownText(type)
  return word === undefined || word === `IPv${family}` ? [] : [{ path: ['address'], message: `"${text}" is of the family IPv${family}, not ${word}` }]
}

/** What of the workspace has an address. */
async function inUseBy(api: Reader, { address }: Seen<Spec>, { workspaceId }: At): Promise<Remnant | undefined> {
  const isIt = (one: { readonly address?: string | null | undefined }): boolean =>
    typeof one.address === 'string' && typeof address === 'string' && canonical(one.address) === canonical(address)
  const own = (await api.all(call(routes.listWorkspaceDediboxIps, { workspace: workspaceId }), listed)).find(isIt)
  const ownId = own && `${own.dedibox ?? '?'}/${own.id}`
  if (ownId !== undefined) return { kind: 'DediboxIp', id: ownId, words: `DediboxIp ${ownId}` }
  const other = (await api.all(call(routes.listFloatingIps, { wid: workspaceId }), floating)).find(isIt)
  return other && { kind: 'FloatingIp', id: other.id, words: `FloatingIp ${other.id}${other.instance ? ` of instance ${other.instance}` : ''}` }
}
