// The caller's own account: there already, and never deleted here.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { email } from '../api/routes/fields.ts'
import { routes } from '../api/routes/routes.ts'
import { mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Id, Reader } from './definition/kind.ts'
import { maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'

const spec = z.strictObject({
  name: mark(z.string().min(3).max(32), { shown: true }).describe('display name, 3 to 32 characters'),
  email: mark(email, { shown: true, confirmed: true })
    .optional()
    .describe('address to sign in with; a new one takes effect once the link in the mail that goes to it is followed'),
})

const live = defineShape('UserProfile', () => z.object({ id: idOf, name: maybe(z.string()), email: maybe(z.string()), flags: maybe(z.array(z.string())) }))

const fields = ['name', 'email'] as const

export const UserProfile = defineKind({
  name: 'UserProfile',
  plural: 'userprofiles',
  about: 'The account of the caller. It is there already and is taken over; without its manifest it is forgotten, never deleted.',
  section: 'Account and sign-in',
  scope: 'account',
  adopted: 'the only one',
  calls: { making: [routes.updateUser], removing: [] },
  unique: 'singleton',
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the user' },
    flags: { type: 'list', about: 'EMAIL_VERIFIED once the address was confirmed', follows: ['email'] },
  },
  examples: [
    {
      title: 'The account that the pipeline runs under',
      spec: { name: 'Ada Lovelace', email: 'ada@example.com' },
      changes: { name: 'Grace Hopper', email: 'grace@example.com' },
    },
  ],
  list: async (api) => [await readCaller(api)].filter((one) => one !== undefined),
  async read(api, id: Id) {
    const one = await readCaller(api)
    return one?.id === id ? one : undefined
  },
  id: (one) => one.id,
  toSpec: (one) => pick(one, fields),
  outputsOf: ({ id, flags }) => present({ id, flags }),
  status: () => 'ready',
  naturalKey: () => 'the caller',
  steps({ live: there, desired, changed }) {
    const sets = pick(
      desired,
      fields.filter((name) => changed(name)),
    )
    if (!there || Object.keys(sets).length === 0) return []
    return [{ name: 'update', call: call(routes.updateUser, { id: '@me' }, sets), sets }]
  },
  removal: () => [],
})

function readCaller(api: Reader) {
  return api.one(call(routes.getUser, { id: '@me' }), live)
}
