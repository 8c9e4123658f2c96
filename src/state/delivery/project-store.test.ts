// The store as commands use it: what it adds to what is written, and a state that is elsewhere by now.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { virtualClock } from '../../base/clock.ts'
import { localStore } from '../backends/local/local-store.ts'
import { memoryFileSystem } from '../backends/local/memory-file-system.ts'
import { memoryMachine } from '../backends/local/memory-machine.ts'
import { emptyDocument } from '../document.ts'
import { inClear } from '../sealing.ts'
import type { Owner, StateStore } from '../store.ts'
import { projectStore } from './project-store.ts'

const clock = virtualClock()
const owner: Owner = { id: 'a', operation: 'state mv', who: 'u@h', host: 'h', pid: 1, created: 'now', run_url: null }
const first = { ...emptyDocument({ project: 'shop', environment: null, lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' }), serial: 1 }

function stores(): { readonly plain: StateStore; readonly store: StateStore } {
  const plain = localStore({
    path: '/p/state.json',
    fileSystem: memoryFileSystem().process(),
    clock,
    randomBytes,
    machine: memoryMachine().start(),
    sealing: inClear,
  })
  return { plain, store: projectStore(plain, clock) }
}

test('what is written tells when and by which command, and keeps it in the history', async () => {
  const { store } = stores()
  const lease = await store.lock(owner, 0)
  await lease.write(first, [])
  const written = { time: new Date(clock.wall()).toISOString(), command: 'state mv' }
  await clock.advance(60_000)
  await lease.write({ ...first, serial: 2 }, [])
  await lease.release()
  expect((await store.generation(1)).written).toEqual(written)
  expect((await store.read()).document?.written).toEqual({ time: new Date(clock.wall()).toISOString(), command: 'state mv' })
})

test('a state that was moved away is refused with the place where it went, for reading and for writing', async () => {
  const { plain, store } = stores()
  const moving = await plain.lock(owner, 0)
  await moving.write({ ...first, moved_to: 'the state shop in s3' }, [])
  await moving.release()
  const refused = { exitCode: 9, message: '/p/state.json was moved to the state shop in s3' }
  await expect(store.read()).rejects.toMatchObject(refused)
  const lease = await store.lock(owner, 0)
  await expect(lease.read()).rejects.toMatchObject(refused)
  await lease.release()
  expect((await plain.read()).document?.moved_to).toBe('the state shop in s3')
})
