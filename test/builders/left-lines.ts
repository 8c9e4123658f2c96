// What a run that was killed has left in the journal of a state in a file.
import { randomBytes } from 'node:crypto'
import { realClock } from '../../src/base/clock.ts'
import { realFileSystem } from '../../src/state/backends/local/file-system.ts'
import { localStore } from '../../src/state/backends/local/local-store.ts'
import { realMachine } from '../../src/state/process-identity.ts'
import type { Entry } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import type { StateStore } from '../../src/state/store.ts'

/** The state in this file, in clear. */
export async function storeAt(path: string): Promise<StateStore> {
  return localStore({
    path,
    fileSystem: realFileSystem(),
    clock: realClock(),
    randomBytes: (count) => randomBytes(count),
    machine: await realMachine(process.pid),
    sealing: inClear,
  })
}

/** The begin of a run on what the store holds. */
export async function begunOn(store: StateStore, run: string): Promise<Entry> {
  const { lineage = '', serial = 0, salt = '' } = (await store.read()).document ?? {}
  return { t: 'begin', run, lineage, serial, tool_version: '0.0.0-test', salt }
}

/** Leaves lines as a run does that is killed. */
export async function leave(store: StateStore, lines: readonly Entry[]): Promise<void> {
  const owner = { id: 'killed', operation: 'apply', who: 'tester@here', host: 'here', pid: process.pid, created: new Date(0).toISOString(), run_url: null }
  const lease = await store.lock(owner, 0)
  await lease.append(lines)
  await lease.release()
}
