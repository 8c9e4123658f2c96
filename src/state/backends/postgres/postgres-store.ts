// A state in a PostgreSQL database: one row for each resource and each line of the journal, several states beside each other.
import type { Clock } from '../../../base/clock.ts'
import { failure } from '../../../base/diagnostic.ts'
import { noDamagedLock, noSuchLock } from '../../lease/lock-record.ts'
import type { LockPlace, SharedLock, SharedLockSettings } from '../../lease/shared-lock.ts'
import { breakSharedLock, mendSharedLock, sharedHolder, takeSharedLock } from '../../lease/shared-lock.ts'
import type { Machine } from '../../process-identity.ts'
import type { Sealing } from '../../sealing.ts'
import type { Stamps, StateStore } from '../../store.ts'
import { createConnection } from './connection.ts'
import type { Connection, DatabaseAddress, Rows } from './connection.ts'
import { lockPlace } from './lock-place.ts'
import { openPostgresLease } from './postgres-lease.ts'
import { generationAsked, generationIn, stampAsked, stampIn, stateAsked, stateIn } from './rows.ts'
import type { StateRows } from './rows.ts'
import type { Statement } from './statement.ts'
import { makeTables, readTables, tablesIn } from './tables.ts'

export interface PostgresStoreOptions {
  readonly address: DatabaseAddress
  readonly schema: string
  /** The state's name among those of the schema. */
  readonly name: string
  readonly clock: Clock
  readonly randomBytes: (sizeBytes: number) => Uint8Array
  readonly machine: Pick<Machine, 'identity' | 'isGone'>
  readonly leaseMs: number
  readonly sealing: Sealing
}

/** How long what is refused for a moment is tried again before the lock is held, at least. */
const patienceMs = 5000

/** Connects when it is asked for something. Without its tables, which the first lock makes, nothing is there. */
export function postgresStore(options: PostgresStoreOptions): StateStore {
  const { address, schema, name, clock, leaseMs } = options
  const where = `the state ${name} in ${address.where}, schema ${schema}`
  const rows: StateRows = { tables: tablesIn(schema), state: name, where, sealing: options.sealing }

  async function once<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const untilMs = clock.now() + Math.max(patienceMs, leaseMs)
    const connection = createConnection({ address, clock, leaseMs, patience: () => untilMs - clock.now() })
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }
  /** What the statements find; undefined where there are no tables. */
  const looked = (statements: readonly Statement[]): Promise<readonly Rows[] | undefined> => once((connection) => readTables(connection, schema, statements))
  const settingsOn = (connection: Connection): SharedLockSettings<string> => lockSettings(options, lockPlace(connection, rows))
  return Object.freeze({
    where,
    async read() {
      const found = await looked(stateAsked(rows))
      if (!found) return { document: undefined, entries: [], torn: false }
      const { document, entries, torn } = stateIn(found, rows)
      return { document, entries, torn }
    },
    stamps: stampsOf(rows, looked),
    async lock(owner, timeoutMs, signal) {
      let lock: SharedLock | undefined
      const untilMs = clock.now() + Math.max(timeoutMs, patienceMs)
      // Once the lock is ours a lost session is opened anew for as long as nobody else may take it.
      const patience = (): number => lock?.leftMs() ?? (signal?.aborted ? 0 : untilMs - clock.now())
      const connection = createConnection({ address, clock, leaseMs, patience })
      try {
        await makeTables(connection, schema)
        lock = await takeSharedLock(settingsOn(connection), owner, timeoutMs, signal)
        return await openPostgresLease({ connection, rows, lock })
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
        if (!(await isMade(connection, schema))) throw noSuchLock(id)
        await makeTables(connection, schema)
        await breakSharedLock(settingsOn(connection), id)
      }),
    unlockDamaged: () =>
      once(async (connection) => {
        if (!(await isMade(connection, schema))) throw noDamagedLock()
        await makeTables(connection, schema)
        await mendSharedLock(settingsOn(connection))
      }),
    async history() {
      const [found = []] =
        (await looked([{ text: `SELECT serial FROM ${rows.tables.generations} WHERE state = $1 ORDER BY serial DESC`, values: [name] }])) ?? []
      return found.map((row) => Number(row['serial']))
    },
    async generation(serial) {
      const results = await looked(generationAsked(rows, serial))
      const found = results && generationIn(results, rows, serial)
      if (!found) throw failure('state_command', `there is no generation ${serial} of ${where}`, { hint: 'see `iac state history`' })
      return found
    },
  } satisfies StateStore)
}

function stampsOf(rows: StateRows, looked: (statements: readonly Statement[]) => Promise<readonly Rows[] | undefined>): Stamps {
  return {
    async read() {
      const [state, stamp] = [stateAsked(rows), stampAsked(rows)]
      const found = await looked([...state, ...stamp])
      if (!found) return { loaded: { document: undefined, entries: [], torn: false }, stamp: stampIn(undefined) }
      const { document, entries, torn } = stateIn(found, rows)
      return { loaded: { document, entries, torn }, stamp: stampIn(found.slice(state.length)) }
    },
    now: async () => stampIn(await looked(stampAsked(rows))),
  }
}

function lockSettings({ clock, machine, randomBytes, leaseMs }: PostgresStoreOptions, place: LockPlace<string>): SharedLockSettings<string> {
  return { place, clock, randomBytes, identity: machine.identity, isGone: (other) => machine.isGone(other, false), leaseMs }
}

async function isMade(connection: Connection, schema: string): Promise<boolean> {
  return (await readTables(connection, schema, [])) !== undefined
}
