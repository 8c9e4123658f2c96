// One connection to the database: opened when it is needed, one piece of work at a time, and opened anew where it is lost.
import type { Client, ClientConfig } from 'pg'
import type { Clock } from '../../../base/clock.ts'
import { inWords, isAbsent, troubleOf } from './refusals.ts'
import { filled } from './statement.ts'
import type { Statement, Value } from './statement.ts'

/** What a query gives. */
export type Rows = readonly Readonly<Record<string, unknown>>[]

/** What queries of one piece of work go through. */
export type Query = (text: string, values?: readonly Value[]) => Promise<Rows>

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
  /** What changes something and needs nothing of what it finds, as a transaction in one message: a process that is stopped leaves no session within it. The rows of each statement. */
  written(statements: readonly Statement[]): Promise<readonly Rows[]>
  /** What only reads, as a snapshot in one message; undefined where a table or a column of it is not there. */
  found(statements: readonly Statement[]): Promise<readonly Rows[] | undefined>
  /** A transaction of two messages: what is looked at first, and then what follows from that. The rows of the first. */
  exchanged(look: readonly Statement[], then: (found: readonly Rows[]) => readonly Statement[]): Promise<readonly Rows[]>
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
    written: (statements) => inTurn((using) => together(using, { before: [begin], statements, after: ['COMMIT'], timeoutMs: Math.max(heldMs, 5000) })),
    found: (statements) =>
      inTurn(async (using) => {
        try {
          return await together(using, { before: [`BEGIN ${snapshotMode}`], statements, after: ['COMMIT'] })
        } catch (error) {
          if (!isAbsent(error)) throw error
          await using.query('ROLLBACK')
          return undefined
        }
      }),
    exchanged: (look, then) =>
      inTurn(async (using) => {
        const found = await together(using, { before: [begin], statements: look })
        await together(using, { statements: then(found), after: ['COMMIT'] })
        return found
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

/** One message: statements, and what stands before and after them. */
interface Message {
  readonly before?: readonly string[]
  readonly statements: readonly Statement[]
  readonly after?: readonly string[]
  readonly timeoutMs?: number
}

/** The rows of each statement. */
async function together(using: Client, { before = [], statements, after = [], timeoutMs = queryMs }: Message): Promise<readonly Rows[]> {
  const text = [...before, ...statements.map(filled), ...after].join('; ')
  const timed = { text, query_timeout: timeoutMs + text.length / charactersPerMs }
  const results: unknown = await using.query(timed)
  // What stands before may be several; of one statement alone there is no list.
  const all = Array.isArray(results) ? results : [results]
  const end = all.length - after.length
  return all.slice(end - statements.length, end).map(rowsOf)
}

function rowsOf(result: unknown): Rows {
  return isResult(result) ? result.rows : []
}

function isResult(result: unknown): result is { readonly rows: Rows } {
  return typeof result === 'object' && result !== null && 'rows' in result && Array.isArray(result.rows)
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

function sizeOf(values: readonly Value[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : typeof value === 'number' ? 0 : sizeOf(value)), 0)
}
