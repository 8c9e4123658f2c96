// A state in a PostgreSQL database: one row for each resource and each line of the journal, several states beside each other.
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { parseJson, stringifyJson } from '../../../base/json.ts'
import { damaged } from '../../document.ts'
import { lockRecordSchema } from '../../lease/lock-record.ts'
import type { LockPlace, SharedLock, SharedLockSettings } from '../../lease/shared-lock.ts'
import { breakSharedLock, sharedHolder, takeSharedLock } from '../../lease/shared-lock.ts'
import type { Machine } from '../../process-identity.ts'
import type { Loaded, StateStore } from '../../store.ts'
import { createConnection } from './connection.ts'
import type { Connection, DatabaseAddress, Query } from './connection.ts'
import { openPostgresLease } from './postgres-lease.ts'
import { readGeneration, readState } from './rows.ts'
import type { StateRows } from './rows.ts'
import { haveTables, makeTables, tablesIn } from './tables.ts'

export interface PostgresStoreOptions {
  readonly address: DatabaseAddress
  readonly schema: string
  /** The state's name among those of the schema. */
  readonly name: string
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly machine: Pick<Machine, 'identity' | 'isGone'>
  readonly leaseMs: number
}

const snapshotMode = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Connects when it is asked for something. Without its tables, which the first lock makes, nothing is there. */
export function postgresStore(options: PostgresStoreOptions): StateStore {
  const { address, schema, name, clock } = options
  const where = `the state ${name} in ${address.where}, schema ${schema}`
  const rows: StateRows = { tables: tablesIn(schema), state: name, where }

  async function once<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = createConnection(address, clock, () => 0)
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }
  function looked<T>(none: T, work: (query: Query) => Promise<T>): Promise<T> {
    return once((connection) => connection.transaction(async (query) => ((await haveTables(query, schema)) ? work(query) : none), snapshotMode))
  }
  function settingsOn(connection: Connection): SharedLockSettings<string> {
    const { machine, randomBytes, leaseMs } = options
    return {
      place: lockPlace(connection, rows),
      clock,
      randomBytes,
      identity: machine.identity,
      isGone: (other) => machine.isGone(other, false),
      leaseMs,
    }
  }
  return Object.freeze({
    where,
    read: () =>
      looked<Loaded>({ document: undefined, entries: [], torn: false }, async (query) => {
        const { document, entries, torn } = await readState(query, rows)
        return { document, entries, torn }
      }),
    async lock(owner, timeoutMs, signal) {
      let lock: SharedLock | undefined
      // Once the lock is ours a lost session is opened anew for as long as nobody else may take it.
      const connection = createConnection(address, clock, () => lock?.leftMs() ?? 0)
      try {
        await makeTables(connection, schema)
        lock = await takeSharedLock(settingsOn(connection), owner, timeoutMs, signal)
        return await openPostgresLease({ connection, rows, lock, command: owner.operation })
      } catch (error) {
        await lock?.release(lock.serialBefore).catch(() => undefined)
        await connection.close()
        throw error
      }
    },
    holder: () => once(async (connection) => ((await isMade(connection, schema)) ? sharedHolder(settingsOn(connection)) : undefined)),
    obstacle: async () => undefined,
    unlock: (id) =>
      once(async (connection) => {
        await makeTables(connection, schema)
        await breakSharedLock(settingsOn(connection), id)
      }),
    history: () =>
      looked<readonly number[]>([], async (query) => {
        const found = await query(`SELECT serial FROM ${rows.tables.generations} WHERE state = $1 ORDER BY serial DESC`, [name])
        return found.map((row) => Number(row['serial']))
      }),
    async generation(serial) {
      const found = await looked(undefined, (query) => readGeneration(query, rows, serial))
      if (!found) throw failure('state_command', `there is no generation ${serial} of ${where}`, { hint: 'see `iac state history`' })
      return found
    },
  } satisfies StateStore)
}

function isMade(connection: Connection, schema: string): Promise<boolean> {
  return connection.transaction((query) => haveTables(query, schema), snapshotMode)
}

/** The row of the lock; its version is who wrote it last, and how often. */
function lockPlace(connection: Connection, { tables, state, where }: StateRows): LockPlace<string> {
  return {
    read: () =>
      connection.transaction(async (query) => {
        const [found] = await query(`SELECT record FROM ${tables.locks} WHERE state = $1`, [state])
        if (!found) return undefined
        const record = lockRecordSchema.safeParse(parseJson(String(found['record'])))
        if (!record.success) throw damaged(`the lock of ${where}`, record.error.issues[0]?.message ?? 'unreadable')
        return { record: record.data, tag: tagOf(record.data) }
      }),
    replace: (before, record) =>
      connection.transaction(async (query) => {
        const text = stringifyJson(record)
        const values = [state, record.key, record.renewals, text]
        const written =
          before === undefined
            ? await query(
                `INSERT INTO ${tables.locks} (state, key, renewals, record) VALUES ($1, $2, $3, $4) ON CONFLICT (state) DO NOTHING RETURNING state`,
                values,
              )
            : await query(`UPDATE ${tables.locks} SET key = $2, renewals = $3, record = $4 WHERE state = $1 AND key || ' ' || renewals = $5 RETURNING state`, [
                ...values,
                before,
              ])
        return written.length > 0 ? tagOf(record) : undefined
      }),
  }
}

function tagOf({ key, renewals }: { readonly key: string; readonly renewals: number }): string {
  return `${key} ${renewals}`
}
