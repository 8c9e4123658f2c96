// Sign-in and the caller's own user: section "Account and sign-in".
import type { JsonObject } from '../../../base/json.ts'
import { fullGrants } from '../../people/full-grants.ts'
import { mailCode } from '../../people/mails.ts'
import { isPassword } from '../../people/passwords.ts'
import { isTotp } from '../../people/totp.ts'
import { area } from '../../request/area.ts'
import { userAt } from '../../request/caller.ts'
import { Refusal } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { UserRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { nowMs } from '../../world.ts'
import { SESSION_LIFETIME_MS, tokenReply } from './tokens.ts'

const rules = [
  rule({
    id: 'login.password',
    section: 'Authentication',
    quote: 'POST /v1/login takes email and password',
    assumed: true,
    routes: ['login'],
    status: 401,
    message: 'email or password is wrong',
    broken({ world, body }) {
      const user = userByEmail(world, body.email)
      return user !== undefined && !isPassword(body.password, user.passwordHash)
    },
  }),
  rule({
    id: 'login.locked',
    section: 'Other lifecycles that are shown',
    quote: 'account locked, cannot log in',
    routes: ['login'],
    status: 403,
    message: 'the account is locked',
    broken: ({ world, body }) => userByEmail(world, body.email)?.locked === true,
  }),
  rule({
    id: 'login.mfa',
    section: 'Authentication',
    quote: 'plus `mfa` when 2FA is on',
    assumed: true,
    routes: ['login'],
    status: 401,
    message: 'the 2FA code is missing or wrong',
    broken({ world, body }) {
      const totp = userByEmail(world, body.email)?.totp
      return totp?.active === true && body.mfa !== totp.reset && !isTotp(totp.secret, body.mfa ?? '', nowMs(world))
    },
  }),
]

/** Login, and who the caller is. */
export const signInArea = area(
  {
    login({ world, body }) {
      const user = userByEmail(world, body.email)
      if (!user) throw new Refusal(401, 'email or password is wrong')
      if (user.totp?.active === true && user.totp.reset === body.mfa) world.tables.users.update(user.id, { totp: null })
      const reply = tokenReply(world, {
        name: 'login',
        grants: { ...fullGrants },
        origin: 'SESSION',
        subject: 'USER',
        subjectId: user.id,
        userId: user.id,
        workspaceId: null,
        createdById: user.id,
        expiresAtMs: nowMs(world) + SESSION_LIFETIME_MS,
      })
      mailCode(world, 'LOGIN', user)
      return { ...reply, status: 200 }
    },
    getUser: ({ world, params, caller }) => ({ kind: 'user', view: userView(userAt(world, caller, params.id)) }),
  },
  { rules },
)

/** A user as the answers show it (section "User"). */
export function userView({ id, name, email, emailVerified }: UserRow): JsonObject {
  return { id, name, email, flags: emailVerified ? ['EMAIL_VERIFIED'] : [] }
}

/** The account with an email, in any letter case. */
export function userByEmail(world: World, email: string): UserRow | undefined {
  return world.tables.users.first('email', email.toLowerCase())
}
