// Tokens of users, workspaces and resources: section "Tokens".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { filled, grantKind, id, idOut, idsQuery, known, name, open, record, secret, summary, timestamp } from '../fields.ts'
import { paged } from '../pagination.ts'
import { route } from '../route.ts'

const section = 'Tokens'
const origin = lazy(() => z.enum(['SESSION', 'API', 'SYSTEM', 'OAUTH']))
const subject = lazy(() => z.enum(['USER', 'WORKSPACE', 'RESOURCE']))

// A kind set to NONE is dropped, so a map of NONE alone is as empty as {}.
const grantLevel = lazy(() => z.enum(['NONE', 'READ', 'WRITE']))
const grants = lazy(() =>
  z
    .strictObject(Object.fromEntries(grantKind.options.map((kind) => [kind, grantLevel().optional()])))
    .refine((map) => Object.values(map).some((level) => level !== 'NONE'), 'at least one kind with READ or WRITE'),
)

const settings = lazy(() => ({ name: name(4, 48), expires: timestamp, grants: grants() }))
const body = lazy(() => z.strictObject(settings()))

const common = lazy(() => ({
  name: z.string(),
  created: z.string(),
  expires: z.string().nullable(),
  origin: known(origin()),
  subject: known(subject()),
  subject_id: idOut,
  workspace_id: idOut.nullable(),
  grants: z.record(z.string(), z.string()),
}))
const token = lazy(() =>
  record({ ...common(), user: summary.nullable(), created_by: summary.nullable(), last_ip: z.string().optional(), last_used: z.string().optional() }),
)

/** A token at its creation: the only answer that carries `code`, the token in plain text. */
export const newToken = lazy(() => record({ ...common(), code: secret(z.string()) }))

const filters = lazy(() => ({ q: z.string(), id: idsQuery, name: z.string(), origin: origin(), subject: subject() }))

export const tokens = {
  createToken: route(section, 'POST', '/v1/tokens', { body, answer: { shape: 'object', item: newToken }, access: 'session', session: true }),
  createUserToken: route(section, 'POST', '/v1/users/{uid}/tokens', {
    params: { uid: 'user' },
    body,
    answer: { shape: 'object', item: newToken },
    access: 'self',
    session: true,
  }),
  listUserTokens: route(section, 'GET', '/v1/users/{uid}/tokens', { params: { uid: 'user' }, ...paged(token, () => filters()), access: 'self' }),
  deleteSessions: route(section, 'DELETE', '/v1/users/{uid}/tokens', {
    params: { uid: 'user' },
    answer: { shape: 'empty' },
    statuses: [202],
    access: 'self',
  }),
  // The roles of the next two are for tokens of a workspace or resource; a user's token is its owner's.
  getToken: route(section, 'GET', '/v1/tokens/{id}', { answer: { shape: 'object', item: token }, access: 'editor' }),
  deleteToken: route(section, 'DELETE', '/v1/tokens/{id}', { answer: { shape: 'empty' }, statuses: [202], access: 'administrator' }),
  refreshToken: route(section, 'POST', '/v1/tokens/refresh', {
    body: lazy(() => z.strictObject({ code: secret(filled) })),
    answer: { shape: 'object', item: lazy(() => open({ expires: z.string() })) },
    access: 'any',
  }),
  listWorkspaceTokens: route(section, 'GET', '/v1/workspaces/{wid}/tokens', { ...paged(token, () => filters()), access: 'editor' }),
  createWorkspaceToken: route(section, 'POST', '/v1/workspaces/{wid}/tokens', {
    body: lazy(() =>
      z.discriminatedUnion(
        'subject',
        [
          z.strictObject({ ...settings(), subject: z.literal('WORKSPACE').optional(), subject_id: id.optional() }),
          z.strictObject({ ...settings(), subject: z.literal('RESOURCE'), subject_id: id }),
        ],
        { error: ({ code }) => (code === 'invalid_union' ? 'WORKSPACE or RESOURCE' : undefined) },
      ),
    ),
    answer: { shape: 'object', item: newToken },
    access: 'administrator',
    session: true,
  }),
}
