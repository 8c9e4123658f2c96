// The way to the service: over sockets to an address, or to the embedded one in this process.
import { join, resolve } from 'node:path'
import { isLoopback } from '../../api/base-url.ts'
import type { Client } from '../../api/client.ts'
import { createClient } from '../../api/client.ts'
import type { Compat } from '../../api/compat.ts'
import type { TraceEvent } from '../../api/exchange.ts'
import type { Transport } from '../../api/transport/wire.ts'
import type { Given } from '../arguments/flags.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { checkOwnPlace, OWN_FOLDER } from '../storage/own-places.ts'
import { findCredentials } from '../surroundings/credentials.ts'
import type { Printer } from '../surroundings/printer.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { createPatience } from './still-trying.ts'

type Closers = (() => Promise<void>)[]

interface Ways {
  readonly surroundings: Surroundings
  readonly globals: Given
  readonly print: Pick<Printer, 'aside'>
  readonly folder: string
}

/** A client for the service that flags and environment name; what it opened is added to `closers`. */
export async function connect(context: Ways, compat: Compat, closers: Closers): Promise<Client> {
  const { surroundings, globals, print } = context
  surroundings.heed()
  const verbose = globals.switch('verbose')
  const { transport, token, unansweredMs } = globals.switch('sandbox') ? await sandboxWay(context, closers) : await networkWay(surroundings, closers)
  const patience = createPatience(surroundings.clock.now, (text) => print.aside(safeLine(text)), unansweredMs)
  const shared = {
    clock: surroundings.clock,
    random: surroundings.random,
    compat,
    userAgent: `iac/${surroundings.version}`,
    parallelism: globals.number('parallelism'),
    onTrace: (event: TraceEvent): void => {
      if (verbose) print.aside(`  ${safeLine(`${event.request} ${event.status ?? event.why ?? ''}`)} ${Math.round(event.ms)} ms`)
      else if (!globals.switch('quiet')) patience(event)
    },
  }
  return createClient({ ...shared, transport, token, budget: { unansweredMs } })
}

// Nothing on this machine takes longer to begin.
const LOOPBACK_UNANSWERED_MS = 5000
const UNANSWERED_MS = 60_000

interface Way {
  readonly transport: Transport
  readonly token: string
  /** How long a service is tried that has not answered anything. */
  readonly unansweredMs: number
}

async function sandboxWay(context: Ways, closers: Closers): Promise<Way> {
  const { openSandbox, sandboxTransport } = await import('../sandbox/folder.ts')
  const data = resolve(context.folder, OWN_FOLDER, 'sandbox')
  checkOwnPlace(context.surroundings, context.folder, join(data, 'any'))
  const opened = await openSandbox(context.surroundings, data, context.folder)
  closers.push(opened.close)
  return { transport: sandboxTransport(opened.sandbox), token: opened.sandbox.token, unansweredMs: UNANSWERED_MS }
}

async function networkWay(surroundings: Surroundings, closers: Closers): Promise<Way> {
  const { baseUrl, token } = await findCredentials(surroundings)
  const { environment } = surroundings
  // The variable is for https alone: what else stands in it is nothing to a service on loopback.
  const httpsProxy = baseUrl.startsWith('https:') ? (environment['HTTPS_PROXY'] ?? environment['https_proxy'] ?? '') : ''
  const noProxy = environment['NO_PROXY'] ?? environment['no_proxy']
  const { socketTransport } = await import('../../api/transport/socket-transport.ts')
  const way = httpsProxy === '' ? undefined : (await import('../../api/transport/proxy.ts')).proxyWay({ httpsProxy, noProxy })
  const { transport, close } = socketTransport({ baseUrl, ...(way && { way }) })
  closers.push(close)
  return { transport, token, unansweredMs: isLoopback(new URL(baseUrl).hostname) ? LOOPBACK_UNANSWERED_MS : UNANSWERED_MS }
}
