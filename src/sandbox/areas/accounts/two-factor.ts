// Two-factor authentication by one-time codes: section "Authentication", 10.
import type { JsonObject } from '../../../base/json.ts'
import { hasTotp, isTotp, printBase32 } from '../../people/totp.ts'
import { area } from '../../request/area.ts'
import { userAt } from '../../request/caller.ts'
import type { Caller } from '../../request/exchange.ts'
import { Refusal } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import type { UserRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { nowMs, secretOf } from '../../world.ts'
import { revokeSessions } from './tokens.ts'

const ISSUER = 'Sandbox'

const rules = [
  rule({
    id: 'totp.on',
    section: 'Authentication',
    quote: 'POST /v1/users/{uid}/totp starts setup',
    assumed: true,
    routes: ['createTotp', 'activateTotp'],
    status: 409,
    message: '2FA is on already',
    broken: ({ world, caller, params }) => hasTotp(userAt(world, caller, params.uid)),
  }),
  rule({
    id: 'totp.code',
    section: 'Authentication',
    quote: 'PUT confirms with a code and invalidates all sessions',
    assumed: true,
    routes: ['activateTotp'],
    status: 400,
    field: 'code',
    message: 'the code is wrong',
    broken({ world, caller, params, body }) {
      const { totp } = userAt(world, caller, params.uid)
      return totp !== null && !isTotp(totp.secret, body.code, nowMs(world))
    },
  }),
  rule({
    id: 'totp.off',
    section: 'Authentication',
    quote: 'DELETE disables with header `X-MFA`',
    assumed: true,
    routes: ['deleteTotp'],
    status: 409,
    message: '2FA is not on',
    broken: ({ world, caller, params }) => !hasTotp(userAt(world, caller, params.uid)),
  }),
  rule({
    id: 'totp.header',
    section: 'Account and sign-in',
    quote: 'header `X-MFA` (required; current TOTP code)',
    assumed: true,
    routes: ['deleteTotp'],
    status: 400,
    message: 'the code in X-MFA is wrong',
    broken({ world, caller, params, headers }) {
      const { totp } = userAt(world, caller, params.uid)
      return totp?.active === true && !isTotp(totp.secret, String(headers['X-MFA']), nowMs(world))
    },
  }),
  rule({
    id: 'totp.required',
    section: 'Authentication',
    quote: 'A workspace with `mfa_required` true requires every member to have 2FA.',
    assumed: true,
    routes: ['deleteTotp'],
    status: 409,
    message: 'a workspace of the account requires 2FA',
    broken({ world, caller, params }) {
      const memberships = world.tables.members.by('user', userAt(world, caller, params.uid).id)
      return memberships.some(({ workspaceId }) => world.tables.workspaces.get(workspaceId)?.mfaRequired === true)
    },
  }),
]

/** Sets 2FA up, turns it on and off. */
export const twoFactorArea = area(
  {
    createTotp: ({ world, caller, params }) => ({ kind: 'record', view: beginSetup(world, userAt(world, caller, params.uid)) }),
    activateTotp({ world, caller, params }) {
      activate(world, caller, params.uid)
      return undefined
    },
    deleteTotp({ world, caller, params }) {
      world.tables.users.update(userAt(world, caller, params.uid).id, { totp: null })
      return undefined
    },
  },
  { rules },
)

/** A setup that is not confirmed yet is replaced by the next, with another secret. */
function beginSetup(world: World, { id, email, totpSetups: before = 0 }: UserRow): JsonObject {
  const totpSetups = before + 1
  const label = `totp/${id}/${totpSetups}`
  const code = printBase32(Buffer.from(secretOf(world, label), 'hex'))
  const reset = secretOf(world, `${label}/reset`)
  world.tables.users.update(id, { totp: { secret: code, reset, active: false }, totpSetups })
  return { uri: `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?secret=${code}&issuer=${ISSUER}`, code, reset }
}

function activate(world: World, caller: Caller, uid: string): void {
  const { id, totp } = userAt(world, caller, uid)
  if (!totp) throw new Refusal(409, 'the setup of 2FA was not started')
  world.tables.users.update(id, { totp: { ...totp, active: true } })
  revokeSessions(world, id)
}
