// One request to a service that gives keys: short, bounded, and nothing of what it says in a message but its code.
import type { OpenTransport } from '../../../api/transport/socket-transport.ts'
import { createWatch } from '../../../api/transport/watch.ts'
import { TransportError } from '../../../api/transport/wire.ts'
import type { Clock } from '../../../base/clock.ts'
import type { Credentials } from '../../../state/backends/s3/caller.ts'

/** What asking for keys needs from outside. */
export interface KeyServices {
  readonly clock: Clock
  /** Opens a way to an origin: services of this machine or its neighbourhood are never asked through a proxy. */
  readonly wayTo: (origin: string, isNear: boolean) => Promise<OpenTransport>
}

/** Keys as a service or a file gives them; `endsMs` is in milliseconds since 1970, undefined for those that last. */
export interface Issued {
  readonly keys: Credentials
  readonly endsMs: number | undefined
}

/** Gives keys anew each time; Failure 4 where it refuses, TransportError where another try may succeed. */
export type KeySource = () => Promise<Issued>

interface Asked {
  readonly url: URL
  readonly method?: 'GET' | 'PUT' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In milliseconds, for the head and for each further part of the answer. */
  readonly quietMs: number
  readonly isNear: boolean
}

const mostBytes = 64 << 10

/** The answer's status and text. Redirects are answers; throws TransportError where none came whole. */
export async function askForKeys(services: KeyServices, asked: Asked): Promise<{ readonly status: number; readonly text: string }> {
  const { url, method = 'GET', headers = {}, body, quietMs, isNear } = asked
  const { transport, close } = await services.wayTo(url.origin, isNear)
  const watch = createWatch(services.clock, quietMs)
  try {
    const response = await watch.race(transport({ method, path: `${url.pathname}${url.search}`, headers, body, signal: watch.signal }))
    return { status: response.status, text: await watch.race(response.text(mostBytes)) }
  } catch (error) {
    if (error instanceof RangeError) throw new TransportError(`${url.host} answers with more than ${mostBytes >> 10} KiB`, true, 'always')
    throw error
  } finally {
    watch.end()
    await close()
  }
}

/** Keys in the JSON form of machines and containers; undefined for anything else. */
export function issuedOf(text: string): Issued | undefined {
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken, Expiration: ends } = valuesOf(text)
  if (!accessKeyId || !secretAccessKey) return undefined
  return issued({ accessKeyId, secretAccessKey, sessionToken }, ends)
}

/** Keys with the instant at which they end, as ISO 8601; undefined where that is none. */
export function issued(keys: Credentials, ends: string | undefined): Issued | undefined {
  const endsMs = ends === undefined ? undefined : Date.parse(ends)
  return endsMs !== undefined && Number.isNaN(endsMs) ? undefined : { keys, endsMs }
}

/** What of a refusal may be shown: its code. */
export function refusalOf({ status, text }: { readonly status: number; readonly text: string }): string {
  const said = valuesOf(text)
  const code = said['Code'] ?? said['code'] ?? /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? ''
  return /^[A-Za-z0-9.]{1,64}$/.test(code) ? `${status}, ${code}` : String(status)
}

function valuesOf(text: string): Readonly<Record<string, string | undefined>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])))
  } catch {
    return {}
  }
}
