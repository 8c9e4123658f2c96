// Keeping the rows of a state's history as a write of today would keep them.
import { isUnreadable } from '../../document.ts'
import type { Query } from './connection.ts'
import { headPlace, openRecord, recordPlace } from './rows.ts'
import type { StateRows } from './rows.ts'

/** Seals the generations and records anew that are not kept by the first key; lines that were set aside as damaged go. */
export async function resealRows(query: Query, rows: StateRows): Promise<readonly number[]> {
  const { tables, state } = rows
  await query(`DELETE FROM ${tables.journal} WHERE state = $1 AND epoch < 0`, [state])
  const left = await resealHeads(query, rows)
  return [...new Set([...left, ...(await resealRecords(query, rows))])]
}

async function resealHeads(query: Query, { tables, state, where, sealing }: StateRows): Promise<readonly number[]> {
  const left: number[] = []
  const [current] = await query(`SELECT lineage FROM ${tables.states} WHERE state = $1`, [state])
  for (const row of await query(`SELECT serial, head FROM ${tables.generations} WHERE state = $1`, [state])) {
    const [serial, kept] = [Number(row['serial']), String(row['head'])]
    if (sealing.isCurrent(kept)) continue
    const text = unlessUnreadable(() => sealing.open(kept, headPlace, `generation ${serial} of ${where}`))
    if (text === undefined) {
      left.push(serial)
      continue
    }
    const head = sealing.seal(text, headPlace, { lineage: String(current?.['lineage']), serial })
    await query(`UPDATE ${tables.generations} SET head = $3 WHERE state = $1 AND serial = $2`, [state, serial, head])
  }
  return left
}

/** A row that is damaged is told by the first generation that it is part of. */
async function resealRecords(query: Query, rows: StateRows): Promise<readonly number[]> {
  const left: number[] = []
  const { tables, state, sealing } = rows
  const found = await query(`SELECT address, since, record FROM ${tables.resources} WHERE state = $1`, [state])
  const old = found.filter((row) => !sealing.isCurrent(String(row['record'])))
  const anew = old.flatMap((row) => {
    const [name, since] = [String(row['address']), Number(row['since'])]
    const opened = unlessUnreadable(() => openRecord(String(row['record']), rows, recordPlace(state, name, since)))
    if (!opened) {
      left.push(since)
      return []
    }
    const next = sealing.name(opened.address)
    return [{ name, since, next, record: sealing.seal(opened.text, recordPlace(state, next, since)) }]
  })
  await query(
    `UPDATE ${tables.resources} AS held SET address = one.next, record = one.record
      FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[]) AS one (name, since, next, record)
      WHERE held.state = $1 AND held.address = one.name AND held.since = one.since`,
    [state, anew.map((one) => one.name), anew.map((one) => one.since), anew.map((one) => one.next), anew.map((one) => one.record)],
  )
  return left
}

function unlessUnreadable<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (isUnreadable(error)) return undefined
    throw error
  }
}
