// One connection to the database: opened when it is needed, one piece of work at a time, and its refusals in words.
import type { Client, ClientConfig } from 'pg'
import type { Clock } from '../../../base/clock.ts'
import { Failure, failure } from '../../../base/diagnostic.ts'

/** What queries of one piece of work go through. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Where the database is, as IAC_STATE_URL or the PG* variables say; `where` is how messages name it, without a password. */
export interface DatabaseAddress {
  readonly where: string
  readonly config: ClientConfig
}

export interface Connection {
  /** Runs work alone on the connection, within one transaction. Throws Failure 9 where the database cannot be reached, 4 where it refuses the caller. */
  transaction<T>(work: (query: Query) => Promise<T>, mode?: string): Promise<T>
  close(): Promise<void>
}

const connectMs = 10_000
const queryMs = 60_000
const againMs = 250

/** SQLSTATE classes and codes of a session that is over, while the server may live on: 08 connection, 57P0x shut down or terminated. */
const lostSession = /^(?:08...|57P0[1-5])$/
/** 40001 and 40P01: the same transaction once more is all that is asked for. */
const tryAgain = /^40(?:001|P01)$/

/** Opens nothing yet. A session that is lost is opened anew, and its work done once more, for as long as `patience` says in milliseconds: work must bear that. */
export function createConnection(address: DatabaseAddress, clock: Clock, patience: () => number): Connection {
  let client: Client | undefined
  let tail: Promise<unknown> = Promise.resolve()

  async function open(): Promise<Client> {
    const { default: pg } = await import('pg')
    const opened = new pg.Client({ ...address.config, connectionTimeoutMillis: connectMs, query_timeout: queryMs, keepAlive: true, application_name: 'iac' })
    // Told by the query that meets it; without a listener the process would end.
    opened.on('error', () => {
      if (client === opened) client = undefined
    })
    await opened.connect()
    return opened
  }
  async function once<T>(work: (query: Query) => Promise<T>, mode: string): Promise<T> {
    const using = (client ??= await open())
    const query: Query = async (text, values = []) => (await using.query<Record<string, unknown>>(text, [...values])).rows
    try {
      await query(`BEGIN ${mode}`)
      const result = await work(query)
      await query('COMMIT')
      return result
    } catch (error) {
      if (isLost(error)) await drop(using)
      else await query('ROLLBACK').catch(() => drop(using))
      throw error
    }
  }
  async function drop(using: Client): Promise<void> {
    if (client === using) client = undefined
    await using.end().catch(() => undefined)
  }
  async function untilDone<T>(work: (query: Query) => Promise<T>, mode: string): Promise<T> {
    const untilMs = clock.now() + patience()
    for (;;) {
      try {
        return await once(work, mode)
      } catch (error) {
        const isWorthIt = tryAgain.test(stateOf(error)) || isLost(error)
        if (!isWorthIt || clock.now() + againMs > untilMs) throw inWords(error, address)
        await clock.sleep(againMs)
      }
    }
  }
  return {
    transaction(work, mode = '') {
      const run = tail.then(() => untilDone(work, mode))
      tail = run.catch(() => undefined)
      return run
    },
    async close() {
      await tail
      if (client) await drop(client)
    },
  }
}

function stateOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Whether the session is over, or never came about; what the server refuses has a severity and a SQLSTATE. */
function isLost(error: unknown): boolean {
  if (error instanceof Failure || error instanceof TypeError || error instanceof RangeError) return false
  return lostSession.test(stateOf(error)) || !(error instanceof Error && 'severity' in error)
}

/** What the database said, as a failure that names the setting; a defect of ours stays one. */
function inWords(error: unknown, { where }: DatabaseAddress): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error
  const state = stateOf(error)
  const hint = 'its address is IAC_STATE_URL, or the variables PGHOST, PGPORT, PGDATABASE, PGUSER and PGPASSWORD'
  const detail = `The database says: ${error.message}${state === '' ? '' : ` (${state})`}`
  if (state.startsWith('28')) return failure('state_refused', `${where}: the database refuses the caller`, { detail, hint })
  if (state === '42501') return failure('state_refused', `${where}: the role lacks a right`, { detail, hint: 'what it needs is listed by `iac explain state`' })
  if (state === '3D000') return failure('state_unreachable', `${where}: there is no such database`, { detail, hint })
  if (isLost(error)) return failure('state_unreachable', `${where}: the database cannot be reached`, { detail, hint })
  return error
}
