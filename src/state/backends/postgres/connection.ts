// One connection to the database: opened when it is needed, one piece of work at a time, and opened anew where it is lost.
import type { Client, ClientConfig } from 'pg'
import * as z from 'zod'
import type { Clock } from '../../../base/clock.ts'
import { inWords, troubleOf } from './refusals.ts'

/** What a query gives. */
export type Rows = readonly Readonly<Record<string, unknown>>[]

/** What queries of one piece of work go through. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<Rows>

/** A value as it stands in the text of a statement, quoted. */
export type Literal = (value: string | number) => string

/** Where the database is, as IAC_STATE_URL or the PG* variables say; `where` is how messages name it, without a password. */
export interface DatabaseAddress {
  readonly where: string
  readonly config: ClientConfig
}

export interface ConnectionSettings {
  readonly address: DatabaseAddress
  readonly clock: Clock
  /** How long a holder of the lock lives without a sign of life, in milliseconds: no session that fell silent keeps a row for longer. */
  readonly leaseMs: number
  /** How long what failed for a moment is tried again, in milliseconds: work must bear that. */
  readonly patience: () => number
}

/** Throws Failure 9 where the database cannot be reached, 4 where it refuses the caller. */
export interface Connection {
  /** Runs work alone on the connection, within one transaction that may write. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** The same for work that only reads, and sees one moment. */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** One statement as a transaction of its own, sent at once: a process that is stopped leaves no session within it. */
  statement(text: (literal: Literal) => string): Promise<Rows>
  /** Waits at most 2 s for a host that does not answer any more. */
  close(): Promise<void>
}

const connectMs = 10_000
const queryMs = 60_000
/** What is written takes its time, too: a millisecond for each thousand characters. */
const charactersPerMs = 1000
const partingMs = 2000
const againMs = 250
/** How often a transaction that met another's is tried, whatever the patience. */
const mostConflicts = 20

const snapshotMode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'
/** Said explicitly: the defaults of a role or a database may be others. */
const writeMode = 'ISOLATION LEVEL READ COMMITTED READ WRITE'
const resultsSchema = z.array(z.object({ rows: z.array(z.record(z.string(), z.unknown())) }))

/** Opens nothing yet. The first session of all that is refused is told at once; one that is lost later is opened anew, and its work done once more. */
export function createConnection(settings: ConnectionSettings): Connection {
  const { clock, leaseMs } = settings
  const sessions = createSessions(settings)
  let tail: Promise<unknown> = Promise.resolve()
  const heldMs = Math.ceil(leaseMs / 2)
  const begin = `BEGIN ${writeMode}; SET LOCAL idle_in_transaction_session_timeout = ${heldMs}; SET LOCAL lock_timeout = ${Math.min(heldMs, 5000)}`

  function inTurn<T>(work: (using: Client) => Promise<T>): Promise<T> {
    const run = tail.then(() => sessions.untilDone(work))
    tail = run.catch(() => undefined)
    return run
  }
  return {
    transaction: (work) => inTurn((using) => within(using, begin, work)),
    snapshot: (work) => inTurn((using) => within(using, `BEGIN ${snapshotMode}`, work)),
    statement: (written) =>
      inTurn(async (using) => {
        const text = written((value) => (typeof value === 'number' ? String(value) : using.escapeLiteral(value)))
        const timed = { text: `${begin}; ${text}; COMMIT`, query_timeout: Math.max(heldMs, 5000) + text.length / charactersPerMs }
        const results: unknown = await using.query(timed)
        return resultsSchema.parse(results).at(-2)?.rows ?? []
      }),
    async close() {
      const stop = new AbortController()
      const parting = tail.then(sessions.end)
      await Promise.race([parting, clock.sleep(partingMs, stop.signal)]).catch(() => undefined)
      stop.abort()
      sessions.destroy()
    },
  }
}

async function within<T>(using: Client, begin: string, work: (query: Query) => Promise<T>): Promise<T> {
  const query: Query = async (text, values = []) => {
    const timed = { text, values: [...values], query_timeout: queryMs + sizeOf(values) / charactersPerMs }
    return (await using.query<Record<string, unknown>>(timed)).rows
  }
  await query(begin)
  const result = await work(query)
  await query('COMMIT')
  return result
}

interface Sessions {
  /** Does work on the session, and again on another while that is of use. */
  untilDone<T>(work: (using: Client) => Promise<T>): Promise<T>
  end(): Promise<void>
  /** Ends without a word; work under way fails, and nothing is opened any more. */
  destroy(): void
}

function createSessions({ address, clock, patience }: ConnectionSettings): Sessions {
  let client: Client | undefined
  let [wasOpen, isClosed] = [false, false]

  async function once<T>(work: (using: Client) => Promise<T>): Promise<T> {
    const using = (client ??= await openSession(address, (ended) => {
      if (client === ended) client = undefined
    }))
    wasOpen = true
    try {
      return await work(using)
    } catch (error) {
      if (troubleOf(error) === 'lost') drop(using)
      else await using.query('ROLLBACK').catch(() => drop(using))
      throw error
    }
  }
  function drop(using: Client): void {
    if (client === using) client = undefined
    using.connection.stream.destroy()
  }
  async function untilDone<T>(work: (using: Client) => Promise<T>): Promise<T> {
    const untilMs = clock.now() + patience()
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(work)
      } catch (error) {
        const trouble = troubleOf(error)
        const isLikely = trouble === 'busy' || (trouble === 'lost' && wasOpen)
        const isWorthIt = trouble === 'conflict' ? tries < mostConflicts : isLikely && clock.now() + againMs <= untilMs
        if (!isWorthIt || isClosed) throw inWords(error, address.where)
        await clock.sleep(againMs)
      }
    }
  }
  return {
    untilDone,
    end: async () => client?.end(),
    destroy() {
      isClosed = true
      if (client) drop(client)
    },
  }
}

async function openSession(address: DatabaseAddress, ended: (session: Client) => void): Promise<Client> {
  let opened: Client | undefined
  try {
    const { default: pg } = await import('pg')
    const session = new pg.Client({ ...address.config, connectionTimeoutMillis: connectMs, keepAlive: true, application_name: 'iac' })
    opened = session
    // Told by the query that meets it; without a listener the process would end.
    session.on('error', () => ended(session))
    await session.connect()
    return session
  } catch (error) {
    opened?.connection.stream.destroy()
    throw troubleOf(error) ? error : inWords(error, address.where, true)
  }
}

function sizeOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : Array.isArray(value) ? sizeOf(value) : 0), 0)
}
