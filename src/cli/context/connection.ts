// The way to the service: over sockets to an address, or to the embedded one in this process.
import { join, resolve } from 'node:path'
import { isLoopback } from '../../api/calls/base-url.ts'
import type { Compat } from '../../api/calls/compat.ts'
import type { Client, Line } from '../../api/client.ts'
import { clientOn, openLine } from '../../api/client.ts'
import type { TraceEvent } from '../../api/exchange.ts'
import type { Redactor } from '../../api/redact.ts'
import type { Transport } from '../../api/transport/wire.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { SessionKeeper } from '../account/session-keeper.ts'
import type { Given } from '../arguments/flags.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { checkOwnPlace, OWN_FOLDER } from '../storage/own-places.ts'
import { findCredentials } from '../surroundings/credentials.ts'
import type { Credentials } from '../surroundings/credentials.ts'
import type { Printer } from '../surroundings/printer.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { wayTo } from '../surroundings/way-to.ts'
import { createPatience, createWaitTeller } from './still-trying.ts'

type Closers = (() => Promise<void>)[]

interface Ways {
  readonly surroundings: Surroundings
  readonly globals: Given
  readonly print: Pick<Printer, 'aside' | 'note'>
  readonly folder: string
  /** Makes known what the project keeps secret. */
  readonly hideOwn: (secrets: Redactor) => Promise<void>
}

/** Where a service is and who calls it; without a token only open calls are sent with success. */
export type Address = NetworkAddress | { readonly sandbox: Pick<Sandbox, 'handle' | 'token'> }

interface NetworkAddress {
  readonly baseUrl: string
  readonly token?: string | undefined
  readonly stored?: Credentials['stored']
}

/** A line to a service, and clients that speak over it. */
export interface OpenedLine {
  readonly line: Line
  /** Where the service is that the line leads to, and who calls: of a network alone. */
  readonly leadsTo: { readonly baseUrl: string; readonly token: string | undefined } | undefined
  /** A client over the line, or over another one that leads there. */
  client(compat: Compat, over?: Line): Client
}

/** The line to the service that flags and environment name, or to the one at an address; what it opened is added to `closers`. */
export async function openLineTo(context: Ways, closers: Closers, address?: Address): Promise<OpenedLine> {
  const { surroundings, globals, print } = context
  const { clock, random } = surroundings
  const [verbose, quiet] = [globals.switch('verbose'), globals.switch('quiet')]
  const { unansweredMs, stored, baseUrl, ...way } = await wayFor(context, closers, address)
  const say = (text: string): void => print.aside(safeLine(text))
  const patience = createPatience(clock.now, say, unansweredMs)
  const onWait = quiet ? undefined : createWaitTeller(clock.now, say)
  let speaking: Client | undefined
  function client(compat: Compat, over = line): Client {
    // Whoever only asks along a line holds nothing that a signal could leave behind.
    surroundings.heed()
    return (speaking = clientOn(over, { clock, random, compat, session: way.session, budget: { unansweredMs }, onWait }))
  }
  const keeper = stored && (await keeperOf(context, stored, async () => speaking ?? client(await usualCompat())))
  if (keeper) closers.push(keeper.settled)
  const line = openLine({
    transport: keeper?.watched(way.transport) ?? way.transport,
    token: way.token,
    clock,
    userAgent: `iac/${surroundings.version}`,
    parallelism: globals.number('parallelism'),
    onRefusal: context.hideOwn,
    onTrace: (event: TraceEvent): void => {
      if (verbose) print.aside(`  ${safeLine(`${event.request()} ${event.status ?? event.why ?? ''}`)} ${Math.round(event.ms)} ms`)
      else if (!quiet) patience(event)
    },
  })
  return { line, leadsTo: baseUrl === undefined ? undefined : { baseUrl, token: way.token }, client }
}

/** Few runs call by a stored session. */
async function keeperOf({ surroundings, print }: Ways, stored: NonNullable<Credentials['stored']>, client: () => Promise<Client>): Promise<SessionKeeper> {
  const { createSessionKeeper } = await import('../account/session-keeper.ts')
  return createSessionKeeper({ surroundings, stored, client, note: (text) => print.note(safeLine(text)) })
}

/** How a service is spoken to that no project says anything of: what keeps a session alive can be read in one way alone. */
async function usualCompat(): Promise<Compat> {
  return (await import('../../api/calls/compat.ts')).compatSchema.parse({})
}

// Nothing on this machine takes longer to begin.
const LOOPBACK_UNANSWERED_MS = 5000
const UNANSWERED_MS = 60_000

async function wayFor(context: Ways, closers: Closers, address: Address | undefined): Promise<Way> {
  const { surroundings, globals } = context
  if (address && 'sandbox' in address) return await wayInto(address.sandbox)
  if (!address && globals.switch('sandbox')) return await sandboxWay(context, closers)
  return await networkWay(surroundings, closers, address ?? (await findCredentials(surroundings)))
}

interface Way {
  readonly transport: Transport
  /** Whether the token is a stored session's; undefined where it was given, and may be any. */
  readonly session: boolean | undefined
  readonly token: string | undefined
  readonly stored?: Credentials['stored']
  /** Absent for the embedded service. */
  readonly baseUrl?: string
  /** How long a service is tried that has not answered anything. */
  readonly unansweredMs: number
}

async function sandboxWay(context: Ways, closers: Closers): Promise<Way> {
  const { openSandbox } = await import('../sandbox/folder.ts')
  context.surroundings.heed()
  const data = resolve(context.folder, OWN_FOLDER, 'sandbox')
  checkOwnPlace(context.surroundings, context.folder, join(data, 'any'))
  const opened = await openSandbox(context.surroundings, data, context.folder, context.globals.number('lock-timeout') ?? 0)
  closers.push(opened.close)
  return await wayInto(opened.sandbox)
}

async function wayInto(sandbox: Pick<Sandbox, 'handle' | 'token'>): Promise<Way> {
  const { sandboxTransport } = await import('../sandbox/folder.ts')
  return { transport: sandboxTransport(sandbox), token: sandbox.token, session: true, unansweredMs: UNANSWERED_MS }
}

async function networkWay(surroundings: Surroundings, closers: Closers, { baseUrl, token, stored }: NetworkAddress): Promise<Way> {
  const open = await wayTo(baseUrl, surroundings)
  const { transport, close } = open()
  closers.push(close)
  const unansweredMs = isLoopback(new URL(baseUrl).hostname) ? LOOPBACK_UNANSWERED_MS : UNANSWERED_MS
  return { transport, token, session: stored === undefined ? undefined : true, stored, baseUrl, unansweredMs }
}
