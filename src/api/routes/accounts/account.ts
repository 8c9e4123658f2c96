// A user's own account, from sign-in to deletion: section "Account and sign-in".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { email, exactlyOne, filled, name, open, record, secret } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'
import { invite } from './invites.ts'
import { newToken } from './tokens.ts'

const section = 'Account and sign-in'
const password = lazy(() => secret(z.string().min(8)))
const userName = lazy(() => name(3, 32))
const user = lazy(() => record({ name: z.string(), email: z.string(), flags: z.array(z.string()) }))
const code = lazy(() => z.strictObject({ code: secret(filled) }))
const emptyLater = { answer: { shape: 'empty' }, statuses: [202] } as const
const self = { params: { id: 'user' }, access: 'self' } as const
const selfTotp = { params: { uid: 'user' }, access: 'self' } as const

export const account = {
  login: route(section, 'POST', '/v1/login', {
    body: lazy(() => z.strictObject({ email, password: secret(filled), mfa: secret(filled).optional() })),
    answer: { shape: 'object', item: newToken },
    access: 'open',
  }),
  register: route(section, 'POST', '/v1/register', {
    body: lazy(() =>
      z.strictObject({ name: userName(), email, password: password(), coupon: secret(filled).optional(), invite_code: secret(filled).optional() }),
    ),
    answer: { shape: 'empty' },
    statuses: [201],
    access: 'open',
  }),
  resetPassword: route(section, 'POST', '/v1/reset-password', {
    body: lazy(() => exactlyOne(z.strictObject({ email }), z.strictObject({ code: secret(filled), password: password() }))),
    ...emptyLater,
    access: 'open',
  }),
  verifyEmail: route(section, 'POST', '/v1/verify-email', { body: lazy(() => exactlyOne(z.strictObject({ email }), code())), ...emptyLater, access: 'open' }),
  lockAccount: route(section, 'POST', '/v1/lock-account', { body: code, ...emptyLater, access: 'open' }),
  getUser: route(section, 'GET', '/v1/users/{id}', { ...self, answer: { shape: 'object', item: user } }),
  updateUser: route(section, 'PATCH', '/v1/users/{id}', {
    ...self,
    body: lazy(() => z.strictObject({ name: userName(), email }).partial()),
    answer: { shape: 'object', item: user },
  }),
  deleteUser: route(section, 'DELETE', '/v1/users/{id}', { ...self, ...emptyLater }),
  changePassword: route(section, 'POST', '/v1/users/{id}/password', {
    ...self,
    body: lazy(() => z.strictObject({ old_password: secret(filled), password: password() })),
    ...emptyLater,
  }),
  createTotp: route(section, 'POST', '/v1/users/{uid}/totp', {
    ...selfTotp,
    answer: { shape: 'object', item: lazy(() => open({ uri: secret(z.string()), code: secret(z.string()), reset: secret(z.string()) })) },
  }),
  activateTotp: route(section, 'PUT', '/v1/users/{uid}/totp', { ...selfTotp, body: code, ...emptyLater }),
  deleteTotp: route(section, 'DELETE', '/v1/users/{uid}/totp', { ...selfTotp, headers: lazy(() => z.object({ 'X-MFA': filled })), ...emptyLater }),
  listUserInvites: route(section, 'GET', '/v1/users/{uid}/invites', { params: { uid: 'user' }, ...paged(invite, () => ({})), access: 'self' }),
}
