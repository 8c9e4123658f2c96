// The row of a state's lock: taken, renewed and given back by whoever still finds it as it was read.
import { stringifyJson } from '../../../base/json.ts'
import { damagedLock } from '../../lease/lock-record.ts'
import type { LockPlace } from '../../lease/shared-lock.ts'
import type { Connection } from './connection.ts'
import { lockRecordIn, lockRecordOf } from './rows.ts'
import type { StateRows } from './rows.ts'
import { readThere } from './tables.ts'
import type { Tables } from './tables.ts'

/** The row of the lock; its version is who wrote it last, and how often. */
export function lockPlace(connection: Connection, { tables, state, where }: StateRows): LockPlace<string> {
  let epoch = 0
  // Read as JSON, since tables of version 1 have no such column.
  const quiet = `greatest(0, round(extract(epoch FROM clock_timestamp() - (to_jsonb(one) ->> 'renewed')::timestamptz) * 1000))::bigint`
  const look = [
    {
      text: `SELECT record, key || ' ' || renewals AS tag, CASE WHEN to_jsonb(one) ? 'renewed' THEN ${quiet} END AS quiet FROM ${tables.locks} AS one WHERE state = $1`,
      values: [state],
    },
    // Lines of earlier runs may stand there although the row does not: those of the next one come behind them.
    { text: `SELECT greatest(max(epoch), -1 - min(epoch), 0) AS epoch FROM ${tables.journal} WHERE state = $1`, values: [state] },
  ]
  async function row(): Promise<{ readonly text: string; readonly tag: string; readonly quietMs: number | undefined } | undefined> {
    const [[found] = [], [least] = []] = await readThere(connection, look)
    epoch = Number(least?.['epoch'] ?? 0)
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
    leastEpoch: async () => epoch,
    async replace(before, record) {
      const values = [state, record.key, record.renewals, stringifyJson(record)]
      const [written = []] = await connection.written([
        before === undefined
          ? {
              text: `INSERT INTO ${tables.locks} (state, key, renewals, record) VALUES ($1, $2, $3, $4) ON CONFLICT (state) DO NOTHING RETURNING state`,
              values,
            }
          : {
              text: `UPDATE ${tables.locks} SET key = $2, renewals = $3, record = $4, renewed = clock_timestamp() WHERE state = $1 AND key || ' ' || renewals = $5 RETURNING state`,
              values: [...values, before],
            },
      ])
      return written.length > 0 ? tagOf(record) : undefined
    },
  }
}

/** Gives one more sign of life where the lock of the state ($1) is still the run's of this key ($2), which keeps others from it until the transaction ends; a row if so. */
export function signOfLife({ locks }: Tables): string {
  const next = `jsonb_set(record::jsonb, '{renewals}', to_jsonb(renewals + 1))::text`
  return `UPDATE ${locks} SET renewals = renewals + 1, record = ${next}, renewed = clock_timestamp() WHERE state = $1 AND key = $2 RETURNING key`
}

function tagOf({ key, renewals }: { readonly key: string; readonly renewals: number }): string {
  return `${key} ${renewals}`
}
