// The row of a state's lock: taken, renewed and given back by whoever still finds it as it was read.
import { stringifyJson } from '../../../base/json.ts'
import { damagedLock } from '../../lease/lock-record.ts'
import type { LockPlace } from '../../lease/shared-lock.ts'
import type { Connection } from './connection.ts'
import { lockRecordIn, lockRecordOf } from './rows.ts'
import type { StateRows } from './rows.ts'
import type { Tables } from './tables.ts'

/** The row of the lock; its version is who wrote it last, and how often. */
export function lockPlace(connection: Connection, { tables, state, where }: StateRows): LockPlace<string> {
  async function row(): Promise<{ readonly text: string; readonly tag: string; readonly quietMs: number | undefined } | undefined> {
    // Read as JSON, since tables of version 1 have no such column.
    const quiet = `greatest(0, round(extract(epoch FROM clock_timestamp() - (to_jsonb(one) ->> 'renewed')::timestamptz) * 1000))::bigint`
    const text = `SELECT record, key || ' ' || renewals AS tag, CASE WHEN to_jsonb(one) ? 'renewed' THEN ${quiet} END AS quiet FROM ${tables.locks} AS one WHERE state = $1`
    const [found] = await connection.snapshot((query) => query(text, [state]))
    if (!found) return undefined
    return { text: String(found['record']), tag: String(found['tag']), quietMs: found['quiet'] === null ? undefined : Number(found['quiet']) }
  }
  return {
    async read() {
      const found = await row()
      if (!found) return undefined
      const record = lockRecordOf(found.text, where)
      // Nobody could replace it by what it says of itself.
      if (tagOf(record) !== found.tag) throw damagedLock(where, 'Its row is that of another record.')
      return { record, tag: found.tag, quietMs: found.quietMs }
    },
    async damaged() {
      const found = await row()
      const record = found && lockRecordIn(found.text)
      return record && tagOf(record) === found.tag ? undefined : found?.tag
    },
    // Lines of earlier runs may stand there although the row does not: those of the next one come behind them.
    async leastEpoch() {
      const [found] = await connection.snapshot((query) =>
        query(`SELECT greatest(max(epoch), max(-1 - epoch), 0) AS epoch FROM ${tables.journal} WHERE state = $1`, [state]),
      )
      return Number(found?.['epoch'] ?? 0)
    },
    async replace(before, record) {
      const written = await connection.statement((literal) => {
        const values = [state, record.key, record.renewals, stringifyJson(record)].map(literal)
        const [at, key, renewals, text] = values
        if (before === undefined)
          return `INSERT INTO ${tables.locks} (state, key, renewals, record) VALUES (${values.join(', ')}) ON CONFLICT (state) DO NOTHING RETURNING state`
        const isThat = `key || ' ' || renewals = ${literal(before)}`
        return `UPDATE ${tables.locks} SET key = ${key}, renewals = ${renewals}, record = ${text}, renewed = clock_timestamp() WHERE state = ${at} AND ${isThat} RETURNING state`
      })
      return written.length > 0 ? tagOf(record) : undefined
    },
  }
}

/** SQL that gives one more sign of life where the lock of the state is still the run's of this key (both as SQL), which keeps others from it until the transaction ends; a row if so. */
export function signOfLife({ locks }: Tables, state: string, key: string): string {
  const next = `jsonb_set(record::jsonb, '{renewals}', to_jsonb(renewals + 1))::text`
  return `UPDATE ${locks} SET renewals = renewals + 1, record = ${next}, renewed = clock_timestamp() WHERE state = ${state} AND key = ${key} RETURNING key`
}

function tagOf({ key, renewals }: { readonly key: string; readonly renewals: number }): string {
  return `${key} ${renewals}`
}
