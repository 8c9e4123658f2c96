// Invites to a workspace: section "Workspaces, invites, quota".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { email, filled, idsQuery, known, record, secret, summary } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Workspaces, invites, quota'
const assignable = lazy(() => z.enum(['VIEWER', 'EDITOR', 'ADMINISTRATOR']))

/** An invite; `code` comes at its creation alone. */
export const invite = lazy(() =>
  record({
    user: summary.nullable(),
    email: z.string(),
    workspace: summary.nullable(),
    expires: z.string().nullable(),
    access_level: known(assignable()),
    code: secret(z.string().nullable()),
  }),
)

const answer = { shape: 'object', item: invite } as const

export const invites = {
  listInvites: route(section, 'GET', '/v1/workspaces/{wid}/invites', {
    ...paged(invite, () => ({ id: idsQuery, user: idsQuery, target: idsQuery, email: z.string(), access_level: z.enum([...assignable().options, 'OWNER']) })),
    access: 'viewer',
  }),
  createInvite: route(section, 'POST', '/v1/workspaces/{wid}/invites', {
    body: lazy(() => z.strictObject({ email, access_level: assignable() })),
    answer,
    statuses: [201],
    access: 'administrator',
  }),
  lookupInvite: route(section, 'GET', '/v1/invites/lookup', { query: lazy(() => z.strictObject({ code: filled })), answer, access: 'open' }),
  acceptInvite: route(section, 'POST', '/v1/invites', { body: lazy(() => z.strictObject({ code: filled })), answer, access: 'any' }),
  getInvite: route(section, 'GET', '/v1/invites/{id}', { answer, access: 'viewer' }),
  updateInvite: route(section, 'PATCH', '/v1/invites/{id}', {
    body: lazy(() => z.strictObject({ access_level: assignable() })),
    answer,
    access: 'administrator',
  }),
  deleteInvite: route(section, 'DELETE', '/v1/invites/{id}', { answer: { shape: 'empty' }, statuses: [202], access: 'administrator' }),
}
