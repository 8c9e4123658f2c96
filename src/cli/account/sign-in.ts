// Signing in: email and password, and the code of an authenticator where the service wants one.
import { ApiError, call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'
import { checkToken } from '../../api/token.ts'
import { diagnostic, Failure, failure } from '../../base/diagnostic.ts'
import { instantMs } from '../../base/instant.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'

/** A session as the service gave it; `expires` is undefined where it did not say when. */
export interface Session {
  readonly token: string
  readonly tokenId: string | undefined
  readonly expires: string | undefined
}

interface Person {
  readonly email: string
  readonly password: string
  /** A code of the authenticator, or '' where there is none; asked for where the service may want one, and again with why the last one was not taken. */
  readonly code: (isCertain: boolean, refusedFor: string | undefined) => Promise<string>
}

const MOST_CODES = 3
const LOCKED = /\block(?:ed|out)?\b/i
const ABOUT_CODE = /2fa|mfa|totp|otp|two.?factor|second factor|authenticator|one.?time/i

/**
 * Signs in ("Authentication" 6). Codes are asked for up to three times. Throws Failure 4 where the service does not let the person in, `unreachable` where nothing was sent,
 * and Failure 8 where it is not known whether a session was made.
 */
export async function signIn(client: Pick<Client, 'send' | 'secrets'>, { email, password, code }: Person): Promise<Session> {
  client.secrets.add(password)
  let told = await login(client, { email, password })
  for (let count = 0; 'refused' in told; count += 1) {
    const isCertain = ABOUT_CODE.test(told.refused.reason)
    if (!mayBeAboutCode(told.refused) || count === MOST_CODES) throw notLetIn(told.refused)
    const mfa = await code(isCertain, count === 0 ? undefined : told.refused.reason)
    if (mfa === '') throw notLetIn(told.refused)
    client.secrets.add(mfa)
    told = await login(client, { email, password, mfa })
  }
  return sessionIn(told.body)
}

type Told = { readonly body: JsonValue | undefined } | { readonly refused: ApiError }

async function login(client: Pick<Client, 'send'>, body: { readonly email: string; readonly password: string; readonly mfa?: string }): Promise<Told> {
  const outcome = await client.send(call(routes.login, {}, body))
  if (outcome.is === 'accepted') return { body: outcome.answer.body }
  if (outcome.is === 'rejected') return { refused: outcome.error }
  if (outcome.is === 'not sent') throw failure('unreachable', `nothing was sent: ${outcome.why}`)
  throw new Failure(8, [
    diagnostic('operation_unknown', `whether a session was made is not known: ${outcome.why}`, {
      hint: 'sign in again; `iac tokens revoke --sessions` ends those that nobody uses',
    }),
  ])
}

/** A 401 without a reason may be about either. */
function mayBeAboutCode({ status, reason }: ApiError): boolean {
  return (status === 400 || status === 401 || status === 403) && (ABOUT_CODE.test(reason) || (status === 401 && reason === ''))
}

function notLetIn(error: ApiError): unknown {
  if (error.status !== 401 && error.status !== 403) return error
  return failure('unauthorized', error.message, { hint: hintFor(error) })
}

/** Nothing in the API's document unlocks an account, a new password included. */
function hintFor({ reason }: ApiError): string {
  if (LOCKED.test(reason)) return 'the API offers no call that unlocks an account: ask the support of the provider'
  return ABOUT_CODE.test(reason)
    ? 'give the code that the authenticator shows at that moment, or the emergency reset token in its place'
    : 'check email and password; `iac account reset` mails a code for a new password'
}

function sessionIn(answer: JsonValue | undefined): Session {
  const record = isObject(answer) ? answer : {}
  const { code, id, expires } = record
  if (typeof code !== 'string') throw new ApiError(200, 'the answer holds no token', 'POST /v1/login')
  return {
    token: checkToken(code),
    tokenId: typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined,
    expires: typeof expires === 'string' && Number.isFinite(instantMs(expires)) ? expires : undefined,
  }
}
