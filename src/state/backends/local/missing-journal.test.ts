// A journal that went while its state stayed: what a run that was interrupted has left in it would be made once more.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../base/clock.ts'
import { emptyDocument } from '../../document.ts'
import type { Entry, StateDocument } from '../../record.ts'
import { inClear } from '../../sealing.ts'
import type { Lease, StateStore } from '../../store.ts'
import { localStore } from './local-store.ts'
import { memoryFileSystem } from './memory-file-system.ts'
import type { MemoryFileSystem } from './memory-file-system.ts'
import { memoryMachine } from './memory-machine.ts'

const path = '/s/state.json'
const owner = { id: 'lock', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }
const empty = emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' })
const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: 'c2FsdA==' } as const satisfies Entry

function documentOf(serial: number): StateDocument {
  return { ...empty, serial }
}

function storeOn(fileSystem: MemoryFileSystem): StateStore {
  return localStore({ path, fileSystem: fileSystem.process(), clock: virtualClock(), randomBytes, machine: memoryMachine().start(), sealing: inClear })
}

async function leased(store: StateStore, work: (lease: Lease) => Promise<void>): Promise<void> {
  const lease = await store.lock(owner, 0)
  await work(lease)
  expect(await lease.release()).toBeUndefined()
}

/** What is left of a state that was written once, without these files. */
async function without(...names: string[]): Promise<StateStore> {
  const fileSystem = memoryFileSystem()
  await leased(storeOn(fileSystem), async (lease) => {
    await lease.append([begin])
    await lease.write(documentOf(1), [])
    await lease.append([{ ...begin, serial: 1 }])
  })
  for (const name of names) await fileSystem.process().remove(`${path}${name}`)
  return storeOn(fileSystem)
}

test('is missed where history or lock tell that it stood there', async () => {
  for (const [sign, names] of [
    [`history/1`, ['.journal']],
    ['lock', ['.journal', '.history/1']],
  ] as const) {
    const store = await without(...names)
    const missed = { exitCode: 9, message: expect.stringMatching(/state\.json\.journal is damaged/), diagnostics: [{ detail: expect.stringContaining(sign) }] }
    await expect(store.read()).rejects.toMatchObject(missed)
    await leased(store, async (lease) => {
      expect(lease.valid()).toBe(false)
      await expect(lease.append([begin])).rejects.toMatchObject(missed)
      // As a state that is restored is written.
      await lease.write(documentOf(2), [])
    })
    expect((await store.read()).document).toEqual(documentOf(2))
  }
})

test('is not missed beside a state that was put there by itself', async () => {
  const store = await without('.journal', '.history/1', '.lock')
  expect(await store.read()).toEqual({ document: documentOf(1), entries: [], torn: false })
})
