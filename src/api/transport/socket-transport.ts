// The transport over sockets: connections that are kept for a while, straight to the service or through a proxy.
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { directWay } from './direct.ts'
import { wireResponse } from './received.ts'
import { transportError } from './transport-error.ts'
import type { Sighting, WayTo } from './way.ts'
import type { Transport, WireRequest } from './wire.ts'
import { TransportError } from './wire.ts'

/** A transport, and what closes its connections. */
export interface OpenTransport {
  readonly transport: Transport
  close(): Promise<void>
}

/**
 * Sends to `baseUrl`, an address that `checkBaseUrl` has passed, by way of a proxy where one is given. Redirects are answers, never followed;
 * no timeout but that of connecting.
 */
export function socketTransport(options: { readonly baseUrl: string; readonly way?: WayTo }): OpenTransport {
  const { host } = new URL(options.baseUrl)
  const way = (options.way ?? directWay)(options.baseUrl.replace(/\/$/, ''))

  const transport: Transport = async (request) => {
    const headers = headersOf(request, host)
    const seen: Sighting = { reach: undefined }
    try {
      return wireResponse(await way.send({ ...request, headers }, seen), host)
    } catch (error) {
      throw transportError(error, host, seen.reach, way.used?.())
    }
  }
  return Object.freeze({ transport, close: () => way.close() })
}

/** Throws a TransportError without the value, which may be a secret: the built-in's error may hold it. */
function headersOf({ headers }: WireRequest, host: string): Readonly<Record<string, string>> {
  try {
    const trimmed = Object.entries(headers).map(([name, value]) => [name, value.trim()] as const)
    for (const [name, value] of trimmed) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return Object.fromEntries(trimmed)
  } catch {
    throw new TransportError(`${host}: a header holds what cannot be sent`, false, 'always')
  }
}
