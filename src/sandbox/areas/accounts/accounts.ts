// A user's account from registration to deletion, and the codes that are mailed on the way: section "Account and sign-in".
import { redeemCoupon, usesLeft } from '../../metering/credit.ts'
import { dropCodes, mailCode, mailedCode } from '../../people/mails.ts'
import { joinBy } from '../../people/members.ts'
import { hashPassword, isPassword } from '../../people/passwords.ts'
import { area } from '../../request/area.ts'
import { hashOfCode, isSession, userAt } from '../../request/caller.ts'
import { found, Refusal } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { CodeRow } from '../../store/people-rows.ts'
import type { UserRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { nowMs, secretOf } from '../../world.ts'
import { openInvite } from './invites.ts'
import { userByEmail, userView } from './sign-in.ts'
import { revokeSessions } from './tokens.ts'
import { addWorkspace } from './workspaces.ts'

const rules = [
  rule({
    id: 'register.invite',
    section: 'Errors',
    quote: 'Accepting an invite fails if expired, already accepted or addressed to another email.',
    assumed: true,
    routes: ['register'],
    status: 400,
    field: 'invite_code',
    message: 'the invite code is not valid for this email',
    broken: ({ world, body }) => body.invite_code !== undefined && inviteFor(world, body.invite_code, body.email) === undefined,
  }),
  rule({
    id: 'register.coupon',
    section: 'Account and sign-in',
    quote: 'optional coupon redemption',
    assumed: true,
    routes: ['register'],
    status: 400,
    field: 'coupon',
    message: 'the coupon cannot be redeemed',
    broken: ({ world, body }) => world.readings.registrationCoupon === 'refuse' && body.coupon !== undefined && couponOf(world, body.coupon) === undefined,
  }),
  rule({
    id: 'mails.code',
    section: 'Account and sign-in',
    quote: 'exactly one of',
    assumed: true,
    routes: ['resetPassword', 'verifyEmail'],
    status: 400,
    field: 'code',
    message: 'the code has expired',
    broken: ({ world, body }) => 'code' in body && (world.tables.codes.first('codeHash', hashOfCode(body.code))?.expiresAtMs ?? Infinity) <= nowMs(world),
  }),
  rule({
    id: 'verify.taken',
    section: 'Account and sign-in',
    quote: 'email (a confirmation link goes to the new address first)',
    assumed: true,
    routes: ['verifyEmail'],
    status: 409,
    message: 'the email cannot be used',
    broken({ world, body }) {
      const code = 'code' in body ? mailedCode(world, body.code, ['EMAIL_CHANGE']) : undefined
      return code !== undefined && (userByEmail(world, code.email)?.id ?? code.userId) !== code.userId
    },
  }),
  rule({
    id: 'users.email-session',
    section: 'Authentication',
    quote: "a token's grants limit the resource kinds it may read (READ) or write (WRITE)",
    assumed: true,
    routes: ['updateUser'],
    status: 403,
    message: 'a new email needs a login session',
    broken: ({ world, caller, body }) => world.readings.accountTokens === 'name' && body.email !== undefined && !isSession(caller),
  }),
  rule({
    id: 'users.owner',
    section: 'Account and sign-in',
    quote: 'fails while the account owns workspaces',
    routes: ['deleteUser'],
    status: 409,
    message: 'the account owns workspaces',
    broken({ world, caller, params }) {
      const { id } = userAt(world, caller, params.id)
      return world.tables.workspaces.all().some((workspace) => workspace.ownerId === id)
    },
  }),
  rule({
    id: 'users.last-member',
    section: 'Workspaces, invites, quota',
    quote: 'refused when it is the last membership record of the workspace',
    assumed: true,
    routes: ['deleteUser'],
    status: 409,
    message: 'the account is the last member of a workspace',
    broken({ world, caller, params }) {
      const { members } = world.tables
      const memberships = members.by('user', userAt(world, caller, params.id).id)
      return memberships.some(({ workspaceId }) => members.by('workspace', workspaceId).length < 2)
    },
  }),
  rule({
    id: 'password.old',
    section: 'Account and sign-in',
    quote: 'old_password (required)',
    assumed: true,
    routes: ['changePassword'],
    status: 400,
    field: 'old_password',
    message: 'the old password is wrong',
    broken: ({ world, caller, params, body }) => !isPassword(body.old_password, userAt(world, caller, params.id).passwordHash),
  }),
]

/** Makes, verifies, locks, changes and deletes accounts. */
export const accountsArea = area(
  {
    register({ world, body: { email, invite_code: inviteCode, ...more } }) {
      const known = userByEmail(world, email)
      if (known) mailCode(world, 'PASSWORD_RESET', known)
      else addUser(world, { ...more, email, inviteCode })
      return undefined
    },
    resetPassword({ world, body }) {
      if ('email' in body) {
        const user = userByEmail(world, body.email)
        if (user) mailCode(world, 'PASSWORD_RESET', user)
        return undefined
      }
      const user = ownerOf(world, validCode(world, body.code, ['PASSWORD_RESET']))
      setPassword(world, user, body.password)
      dropCodes(world, user.id, ['PASSWORD_RESET'])
      if (world.readings.unlocking === 'password-reset') world.tables.users.update(user.id, { locked: false })
      return undefined
    },
    verifyEmail({ world, body }) {
      if ('email' in body) {
        const user = userByEmail(world, body.email)
        if (user && !user.emailVerified) mailCode(world, 'EMAIL_VERIFICATION', user)
        return undefined
      }
      const { userId, email, kind } = validCode(world, body.code, ['EMAIL_VERIFICATION', 'EMAIL_CHANGE'])
      world.tables.users.update(userId, { email, emailVerified: true })
      dropCodes(world, userId, kind === 'EMAIL_CHANGE' ? ['EMAIL_VERIFICATION', 'EMAIL_CHANGE', 'PASSWORD_RESET'] : ['EMAIL_VERIFICATION'])
      return undefined
    },
    lockAccount({ world, body }) {
      const user = ownerOf(world, validCode(world, body.code, ['LOGIN']))
      if (user.locked) return undefined
      world.tables.users.update(user.id, { locked: true })
      if (world.readings.lockedSessions === 'revoked') revokeSessions(world, user.id)
      return undefined
    },
    updateUser({ world, caller, params, body }) {
      const user = userAt(world, caller, params.id)
      if (body.email !== undefined && body.email !== user.email) mailCode(world, 'EMAIL_CHANGE', user, body.email)
      return { kind: 'user', view: userView(body.name === undefined ? user : world.tables.users.update(user.id, { name: body.name })) }
    },
    deleteUser({ world, caller, params }) {
      removeUser(world, userAt(world, caller, params.id).id)
      return undefined
    },
    changePassword({ world, caller, params, body }) {
      setPassword(world, userAt(world, caller, params.id), body.password)
      return undefined
    },
  },
  { rules },
)

interface NewUser {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly coupon?: string | undefined
  readonly inviteCode: string | undefined
}

/** "Starts onboarding (verification email, default workspace, optional coupon redemption)". */
function addUser(world: World, { name, email, password, coupon: couponCode, inviteCode }: NewUser): void {
  const passwordHash = hashOfPassword(world, email, password)
  const user = world.tables.users.insert({ name, email, staff: false, emailVerified: false, locked: false, passwordHash, totp: null })
  mailCode(world, 'EMAIL_VERIFICATION', user)
  addWorkspace(world, 'default', user)
  const invite = inviteCode === undefined ? undefined : inviteFor(world, inviteCode, email)
  if (invite) joinBy(world, invite, user.id)
  const coupon = couponCode === undefined ? undefined : couponOf(world, couponCode)
  if (coupon) redeemCoupon(world, user.id, coupon)
}

function couponOf(world: World, code: string) {
  const coupon = world.tables.coupons.first('code', code)
  return coupon && usesLeft(world, coupon) > 0 ? coupon : undefined
}

/** The invite that a new account with this email could accept: it has no 2FA yet. */
function inviteFor(world: World, code: string, email: string) {
  const invite = openInvite(world, code)
  if (invite?.email.toLowerCase() !== email.toLowerCase()) return undefined
  return world.tables.workspaces.get(invite.workspaceId)?.mfaRequired === true ? undefined : invite
}

function hashOfPassword(world: World, email: string, password: string): string {
  return hashPassword(password, secretOf(world, `password/${email}/${nowMs(world)}`))
}

/** "password change … | all active sessions invalidated". */
function setPassword(world: World, { id, email }: UserRow, password: string): void {
  world.tables.users.update(id, { passwordHash: hashOfPassword(world, email, password) })
  revokeSessions(world, id)
}

function validCode(world: World, code: string, kinds: readonly CodeRow['kind'][]): CodeRow {
  const row = mailedCode(world, code, kinds)
  if (!row) throw new Refusal(400, 'the code is not recognized', [{ field: 'code', message: 'not recognized' }])
  return row
}

/** A code goes with its user, so that each has one. */
function ownerOf(world: World, { userId }: CodeRow): UserRow {
  return found(world.tables.users.get(userId), 'user')
}

/** A deleted account leaves nothing to sign in with; workspaces keep no record of it. */
function removeUser(world: World, userId: string): void {
  const { members, invites, tokens, users } = world.tables
  for (const { id, workspaceId } of members.by('user', userId)) {
    for (const record of invites.by('accepted', `${workspaceId}/${userId}`)) invites.delete(record.id)
    members.delete(id)
  }
  for (const { id, createdById } of tokens.all()) if (createdById === userId) tokens.delete(id)
  dropCodes(world, userId)
  users.delete(userId)
}
