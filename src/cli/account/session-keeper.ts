// Keeps a stored session alive: refreshed in the last hours of its lifetime, by whatever the service is asked meanwhile.
import { call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'
import type { Transport } from '../../api/transport/wire.ts'
import { Failure } from '../../base/diagnostic.ts'
import { instantMs } from '../../base/instant.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import type { NamedProfile } from '../surroundings/credentials.ts'
import { readProfiles } from '../surroundings/profiles.ts'
import type { Profile } from '../surroundings/profiles.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { changeProfiles } from './profile-store.ts'

/** "refresh only in the last 6 hours": section "Limits". */
const WINDOW_MS = 6 * 3_600_000
/** After a refresh that failed. */
const PAUSE_MS = 10 * 60_000
/** How long a command that is done waits for it. */
const LAST_MS = 10_000

export interface SessionKeeper {
  /** The transport, its answers telling when the session is to be refreshed. */
  readonly watched: (transport: Transport) => Transport
  /** Resolves once nothing of it is under way, after 10 s at the latest. */
  readonly settled: () => Promise<void>
}

interface Parts {
  readonly surroundings: Surroundings
  readonly stored: NamedProfile
  readonly client: () => Promise<Pick<Client, 'send' | 'read'>>
  readonly note: (text: string) => void
}

/**
 * Refreshes beside what runs, once an answer shows that the token is alive and its last 6 hours have begun ("Authentication" 7). The token stays the same, so processes that
 * refresh at once lose nothing: one is refused, and finds what the other has stored. A refresh that fails is no error of the command.
 */
export function createSessionKeeper({ surroundings, stored, client, note }: Parts): SessionKeeper {
  const { clock } = surroundings
  let expires = stored.profile.expires
  let pausedUntilMs = -Infinity
  let underWay: Promise<void> | undefined

  async function refresh(isDue: (expires: string | undefined) => boolean): Promise<void> {
    const known = await storedNow(surroundings, stored)
    // Signed out, or signed in anew: this session is nobody's to keep any more.
    if (known === undefined) return void (pausedUntilMs = Infinity)
    if (!isDue(known.expires)) return void (expires = known.expires)
    const next = await refreshed(await client(), known)
    if (next === undefined) return
    expires = next
    await changeProfiles(surroundings, (all) => {
      const there = all[stored.name]
      return there?.token === known.token ? { ...all, [stored.name]: { ...there, expires: next } } : undefined
    })
  }
  function heard(status: number, date: string | undefined): void {
    // A refusal may be that of the token.
    if (underWay || status < 200 || status >= 300 || clock.now() < pausedUntilMs) return
    const told = Date.parse(date ?? '')
    const nowMs = Number.isFinite(told) ? told : clock.wall()
    const isDue = (one: string | undefined): boolean => one !== undefined && !(instantMs(one) - nowMs > WINDOW_MS)
    if (!isDue(expires)) return
    pausedUntilMs = clock.now() + PAUSE_MS
    underWay = refresh(isDue)
      .catch((error: unknown) => note(`the session of the profile ${stored.name} was not refreshed: ${reasonOf(error)}`))
      .finally(() => (underWay = undefined))
  }
  return {
    watched: (transport) => async (request) => {
      const response = await transport(request)
      heard(response.status, response.headers['date'])
      return response
    },
    async settled() {
      if (!underWay) return
      const over = new AbortController()
      await Promise.race([underWay, clock.sleep(LAST_MS, over.signal).catch(() => undefined)])
      over.abort()
    },
  }
}

/** The profile as it is stored now; undefined where it is gone or another session has its place. */
async function storedNow(surroundings: Surroundings, { name, profile }: NamedProfile): Promise<Profile | undefined> {
  const now = (await readProfiles(surroundings))[name]
  return now?.token === profile.token ? now : undefined
}

/** When the session now ends; where the refresh was refused or its answer lost, what the service says of the token. Undefined where nothing tells. */
async function refreshed(client: Pick<Client, 'send' | 'read'>, { token, token_id: id }: Profile): Promise<string | undefined> {
  const outcome = await client.send(call(routes.refreshToken, {}, { code: token }))
  const told = outcome.is === 'accepted' ? expiresIn(outcome.answer.body) : undefined
  if (told !== undefined || outcome.is === 'not sent' || id === undefined) return told
  return expiresIn(await client.read(call(routes.getToken, { id })))
}

function expiresIn(answer: JsonValue | undefined): string | undefined {
  const expires = isObject(answer) ? answer['expires'] : undefined
  return typeof expires === 'string' && Number.isFinite(instantMs(expires)) ? expires : undefined
}

function reasonOf(error: unknown): string {
  return error instanceof Failure || error instanceof Error ? error.message : 'unknown error'
}
