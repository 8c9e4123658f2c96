// Stores of the backend postgres for its tests, at a server of their own.
import { randomBytes } from 'node:crypto'
import { realClock } from '../../src/base/clock.ts'
import { postgresStore } from '../../src/state/backends/postgres/postgres-store.ts'
import { emptyDocument } from '../../src/state/document.ts'
import type { Entry, ResourceRecord, StateDocument } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'
import { postgresPrograms } from '../builders/postgres.ts'

if (postgresPrograms === undefined) console.error('SKIPPED: PostgreSQL is not installed (initdb, postgres and psql on the PATH or below /usr/lib/postgresql)')

/** What a journal begins with, whoever takes the lock, and its process. */
export const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: Buffer.alloc(32).toString('base64') } as const
export const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const identity = { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }

/** A state in the database that this address names. */
export function storeAt(
  connectionString: string,
  { schema = 'iac', name = 'shop', leaseMs = 3000, clock = realClock(), process = identity, sealing = inClear } = {},
): StateStore {
  const machine = { identity: process, isGone: async () => false }
  return postgresStore({
    address: { where: 'the database tests', config: { connectionString } },
    schema,
    name,
    clock,
    randomBytes,
    machine,
    leaseMs,
    sealing,
  })
}

export function documentOf(serial: number, resources: readonly ResourceRecord[] = []): StateDocument {
  return { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: begin.salt, toolVersion: '1' }), serial, resources }
}

export function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}
