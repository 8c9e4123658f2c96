// Invites to a workspace: sent by mail, changed in their level alone, and the membership itself once they were accepted.
import * as z from 'zod'
import { call } from '../api/calls/call.ts'
import { email } from '../api/routes/fields.ts'
import { routes } from '../api/routes/routes.ts'
import { mark } from './definition/fields.ts'
import { defineKind, pick } from './definition/kind.ts'
import type { Peer, PeerProblem, Seen, Step } from './definition/kind.ts'
import { anyCase, maybe, present } from './definition/live-fields.ts'
import { defineShape, idOf } from './definition/shape.ts'
import { knownText } from './definition/token.ts'

const spec = z.strictObject({
  email: mark(email, { immutable: true, shown: true }).describe('address that the invite is mailed to'),
  access_level: mark(z.enum(['VIEWER', 'EDITOR', 'ADMINISTRATOR']), { shown: true }).describe("role in the workspace, below the caller's own"),
})
type Spec = z.output<typeof spec>

const live = defineShape('WorkspaceInvite', () =>
  z.object({
    id: idOf,
    email: maybe(z.string()),
    access_level: maybe(anyCase(['VIEWER', 'EDITOR', 'ADMINISTRATOR', 'OWNER'])),
    code: maybe(z.string()),
    expires: maybe(z.string()),
    status: maybe(z.string()),
  }),
)

export const WorkspaceInvite = defineKind({
  name: 'WorkspaceInvite',
  plural: 'workspaceinvites',
  about: 'An invite to a workspace; accepted within seven days, it is the membership.',
  section: 'Workspaces, invites, quota',
  scope: 'workspace',
  handle: 'email',
  calls: { making: [routes.createInvite, routes.updateInvite], removing: [routes.deleteInvite] },
  spec,
  live,
  outputs: {
    id: { type: 'string', about: 'id of the invite' },
    code: { type: 'string', about: 'the code that accepts it, told at its creation alone; it is mailed, too', sensitive: true, once: true },
    expires: { type: 'string', about: 'when it expires unless it is accepted' },
  },
  examples: [
    {
      title: 'A colleague who may change things',
      spec: { email: 'ada@example.com', access_level: 'EDITOR' },
      changes: { email: 'grace@example.com', access_level: 'VIEWER' },
    },
  ],
  list: (api, at) => api.all(call(routes.listInvites, { wid: at.workspaceId }), live),
  read: (api, id) => api.one(call(routes.getInvite, { id }), live),
  id: (one) => one.id,
  toSpec: ({ email, access_level }) => ({ email, access_level: access_level === 'OWNER' ? undefined : access_level }),
  // Its code is told by the answer to its create, whatever a read shows.
  outputsOf: (one) => present({ id: one.id, expires: one.expires }),
  status: () => 'ready',
  naturalKey: (one) => `${one.email}`,
  ours: (one) => one.access_level !== 'OWNER',
  whose: () => 'invites an owner, which no manifest can',
  normalise,
  advise: (peers) => peers.filter(isReplaced).map(adviseRevoked),
  steps({ id, workspaceId, desired, live: there, changed }): Step<Spec>[] {
    // Only a level below the caller's own can be given.
    const by = desired.access_level === 'ADMINISTRATOR' ? ({ access: 'owner' } as const) : {}
    if (!there) return [{ name: 'create', creates: true, call: call(routes.createInvite, { wid: workspaceId }, desired), sets: desired, ...by }]
    if (!changed('access_level')) return []
    const sets = pick(desired, ['access_level'])
    return [{ name: 'update', call: call(routes.updateInvite, { id }, sets), sets, ...by }]
  },
  removal: ({ id }) => [{ name: 'delete', removes: true, disruption: 'interruption', call: call(routes.deleteInvite, { id }), sets: {} }],
})

/** A service may keep addresses in small letters: a difference in case alone replaces nothing. */
function normalise(one: Seen<Spec>): Seen<Spec> {
  const email = knownText(one.email)
  return email === undefined ? one : { ...one, email: email.toLowerCase() }
}

function isReplaced({ kind, action }: Peer): boolean {
  return kind === 'WorkspaceInvite' && action === 'replace'
}

/** Whether it was accepted stands in no answer: a new invite ends the membership that the old one has become. */
function adviseRevoked({ address }: Peer): PeerProblem {
  return { address, path: ['email'], message: 'the old invite is revoked, and with it the membership of whoever accepted it' }
}
