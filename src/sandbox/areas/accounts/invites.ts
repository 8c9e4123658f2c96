// Invites, which are the records of membership too: section "Workspaces, invites, quota".
import type { JsonObject } from '../../../base/json.ts'
import { sendMail } from '../../people/mails.ts'
import { joinBy, recordAt, recordsOf } from '../../people/members.ts'
import { hasTotp } from '../../people/totp.ts'
import { area } from '../../request/area.ts'
import { atLeast } from '../../request/authorization.ts'
import { hashOfCode, isAccount, userAt } from '../../request/caller.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOf, summaryOrNull } from '../../request/summaries.ts'
import type { InviteRow } from '../../store/people-rows.ts'
import type { World } from '../../world.ts'
import { isoOf, nowMs, secretOf } from '../../world.ts'

/** "Invites expire after seven days". */
const LIFETIME_MS = 7 * 86_400_000

const changeRules = [
  rule({
    id: 'invites.level',
    section: 'Authentication',
    quote: 'A creator cannot grant an invite level equal to or above their own.',
    routes: ['createInvite', 'updateInvite'],
    status: 403,
    field: 'access_level',
    message: 'access_level must be lower than your own',
    broken: ({ body, level }) => level !== undefined && atLeast(body.access_level, level),
  }),
  rule({
    id: 'invites.above',
    section: 'Errors',
    quote: "Mutating invite or workspace settings above the caller's role is rejected.",
    routes: ['updateInvite', 'deleteInvite'],
    status: 403,
    message: 'the level of the invite is above your own',
    broken: ({ world, params, level }) => level !== undefined && !atLeast(level, found(recordAt(world, params.id), 'invite').accessLevel),
  }),
  rule({
    id: 'invites.own',
    section: 'Workspaces, invites, quota',
    quote: 'cannot edit own invite',
    routes: ['updateInvite'],
    status: 403,
    message: 'this is your own invite',
    broken: ({ world, params, caller }) => isAccount(caller) && recordAt(world, params.id)?.acceptedById === caller.user.id,
  }),
  rule({
    id: 'invites.last',
    section: 'Workspaces, invites, quota',
    quote: 'refused when it is the last membership record of the workspace',
    routes: ['deleteInvite'],
    status: 409,
    message: 'this is the last membership record of the workspace',
    broken: ({ world, params, workspaceId = '' }) =>
      recordAt(world, params.id)?.acceptedById !== null && world.tables.members.by('workspace', workspaceId).length < 2,
  }),
  rule({
    id: 'invites.second',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['createInvite'],
    status: 409,
    field: 'email',
    message: 'an invite to this email is open',
    broken: ({ world, params, body }) =>
      world.readings.secondInvite === 'refuse' &&
      world.tables.invites.by('email', body.email.toLowerCase()).some((row) => row.workspaceId === params.wid && isOpen(world, row)),
  }),
]

const presentRule = rule({
  id: 'invites.present',
  section: 'Errors',
  quote: NOT_ALLOWED,
  assumed: true,
  routes: ['createInvite'],
  status: 409,
  open: 'taken',
  field: 'email',
  message: 'the address is that of a member',
  broken: ({ world, params, body }) =>
    world.readings.memberInvites === 'refuse' &&
    world.tables.users.by('email', body.email.toLowerCase()).some(({ id }) => world.tables.members.first('pair', `${params.wid}/${id}`) !== undefined),
})

const acceptRules = [
  rule({
    id: 'invites.lookup',
    section: 'Workspaces, invites, quota',
    quote: 'no authentication; 404 once accepted or expired',
    routes: ['lookupInvite'],
    status: 404,
    message: 'the invite was accepted or has expired',
    broken: ({ world, query }) => inviteByCode(world, query.code) !== undefined && openInvite(world, query.code) === undefined,
  }),
  rule({
    id: 'invites.expired',
    section: 'Workspaces, invites, quota',
    quote: 'error if expired, already accepted or addressed to another email',
    routes: ['acceptInvite'],
    status: 409,
    message: 'the invite has expired',
    broken: ({ world, body }) => isExpired(world, inviteByCode(world, body.code)),
  }),
  rule({
    id: 'invites.accepted',
    section: 'Workspaces, invites, quota',
    quote: 'error if expired, already accepted or addressed to another email',
    routes: ['acceptInvite'],
    status: 409,
    message: 'the invite was accepted already',
    broken: ({ world, body }) => (inviteByCode(world, body.code)?.acceptedById ?? null) !== null,
  }),
  rule({
    id: 'invites.email',
    section: 'Workspaces, invites, quota',
    quote: 'error if expired, already accepted or addressed to another email',
    routes: ['acceptInvite'],
    status: 403,
    message: 'the invite is addressed to another email',
    broken: ({ world, caller, body }) => !isSameEmail(inviteByCode(world, body.code)?.email ?? caller.user.email, caller.user.email),
  }),
  rule({
    id: 'invites.member',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['acceptInvite'],
    status: 409,
    message: 'you are a member already',
    broken({ world, caller, body }) {
      const invite = inviteByCode(world, body.code)
      return invite?.acceptedById === null && world.tables.members.first('pair', `${invite.workspaceId}/${caller.user.id}`) !== undefined
    },
  }),
  rule({
    id: 'invites.mfa',
    section: 'Authentication',
    quote: 'A workspace with `mfa_required` true requires every member to have 2FA.',
    assumed: true,
    routes: ['acceptInvite'],
    status: 403,
    message: 'the workspace requires 2FA',
    broken: ({ world, caller, body }) =>
      world.tables.workspaces.get(inviteByCode(world, body.code)?.workspaceId ?? '')?.mfaRequired === true && !hasTotp(caller.user),
  }),
]

/** Invites people, lets them in, changes what they may do, and sends them away. */
export const invitesArea = area(
  {
    listUserInvites({ world, caller, params }) {
      const { email } = userAt(world, caller, params.uid)
      const rows = filtered(world.tables.invites.by('email', email.toLowerCase()), [
        (row) => row.codeHash !== null,
        isHiding(world) ? (row) => isOpen(world, row) : undefined,
      ])
      return listing('invite', rows, (row) => inviteView(world, row), 'oldest')
    },
    listInvites({ world, params, query }) {
      const rows = filtered(recordsOf(world, params.wid), [
        among(query.id, (row) => row.id),
        among(query.user, (row) => row.creatorId),
        among(query.target, (row) => row.acceptedById),
        query.email === undefined ? undefined : addressedTo(query.email),
        equals(query.access_level, (row) => row.accessLevel),
        isHiding(world) ? (row) => row.acceptedById !== null || isOpen(world, row) : undefined,
      ])
      return listing('invite', rows, (row) => inviteView(world, row), 'oldest')
    },
    createInvite: ({ world, caller, params, body }) => ({
      kind: 'invite',
      view: invite(world, { workspaceId: params.wid, creatorId: caller.user.id, email: body.email, accessLevel: body.access_level }),
    }),
    lookupInvite: ({ world, query }) => ({ kind: 'invite', view: inviteView(world, found(inviteByCode(world, query.code), 'invite')) }),
    acceptInvite: ({ world, caller, body }) => ({
      kind: 'invite',
      view: inviteView(world, joinBy(world, found(inviteByCode(world, body.code), 'invite'), caller.user.id)),
      status: 200,
    }),
    getInvite: ({ world, params }) => ({ kind: 'invite', view: inviteView(world, found(recordAt(world, params.id), 'invite')) }),
    updateInvite({ world, params, body }) {
      const row = world.tables.invites.update(params.id, { accessLevel: body.access_level })
      const member = memberOf(world, row)
      if (member) world.tables.members.update(member.id, { accessLevel: body.access_level })
      return { kind: 'invite', view: inviteView(world, row) }
    },
    deleteInvite({ world, params }) {
      const row = found(recordAt(world, params.id), 'invite')
      const member = memberOf(world, row)
      if (member) world.tables.members.delete(member.id)
      world.tables.invites.delete(row.id)
      return undefined
    },
  },
  { rules: [...changeRules, presentRule, ...acceptRules] },
)

/** The invite of a code while it can be accepted. */
export function openInvite(world: World, code: string): InviteRow | undefined {
  const row = inviteByCode(world, code)
  return row && isOpen(world, row) ? row : undefined
}

function inviteByCode(world: World, code: string): InviteRow | undefined {
  return world.tables.invites.first('codeHash', hashOfCode(code))
}

function isOpen(world: World, row: InviteRow): boolean {
  return row.acceptedById === null && !isExpired(world, row)
}

function isHiding({ readings }: World): boolean {
  return readings.closedInvites === 'hidden'
}

function isExpired(world: World, row: InviteRow | undefined): boolean {
  return (row?.expiresAtMs ?? Infinity) <= nowMs(world)
}

function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function addressedTo(email: string) {
  return (row: InviteRow): boolean => isSameEmail(row.email, email)
}

function memberOf({ tables }: World, { workspaceId, acceptedById }: InviteRow) {
  return acceptedById === null ? undefined : tables.members.first('pair', `${workspaceId}/${acceptedById}`)
}

/** Makes an invite and mails its code; the view is the only one that holds it. */
function invite(world: World, fields: Pick<InviteRow, 'workspaceId' | 'creatorId' | 'email' | 'accessLevel'>): JsonObject {
  const { id } = world.tables.invites.insert({ ...fields, codeHash: null, expiresAtMs: nowMs(world) + LIFETIME_MS, acceptedById: null })
  const code = secretOf(world, `invite/${id}`)
  const row = world.tables.invites.update(id, { codeHash: hashOfCode(code) })
  sendMail(world, 'INVITE', fields.email, code)
  return { ...inviteView(world, row), code }
}

function inviteView({ tables }: World, { id, creatorId, email, workspaceId, expiresAtMs, accessLevel }: InviteRow): JsonObject {
  return {
    id,
    user: summaryOrNull(tables.users, creatorId),
    email,
    workspace: summaryOf(tables.workspaces, workspaceId),
    expires: expiresAtMs === null ? null : isoOf(expiresAtMs),
    access_level: accessLevel,
  }
}
