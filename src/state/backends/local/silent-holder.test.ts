// The lock of a holder of which nothing tells that it is gone, such as one in a container of before the last boot, and which gave no sign of life for a lease.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { virtualClock } from '../../../base/clock.ts'
import type { FileSystem } from './file-system.ts'
import { takeLock } from './lock-file.ts'
import type { LockSettings } from './lock-file.ts'
import { memoryFileSystem } from './memory-file-system.ts'
import { memoryMachine } from './memory-machine.ts'

const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '2026-01-01T00:00:00Z', run_url: null }

test('is watched for a lease by whoever waits for none too, and taken over then', async () => {
  const disk = memoryFileSystem()
  const clock = virtualClock()
  const contender = (name: string, more: Partial<FileSystem> = {}): LockSettings => ({
    path: '/s/state.json.lock',
    fileSystem: { ...disk.process(), ...more },
    clock,
    randomBytes,
    machine: memoryMachine(name).start(),
  })
  const died = contender('elsewhere')
  await takeLock({ ...died, clock: { ...clock, sleep: () => new Promise(() => undefined) } }, owner, 0)
  const silentFor = (ms: number, isLocal = true): LockSettings => {
    const { fileSystem } = contender('here')
    return contender('here', {
      look: async (path) => {
        const found = await fileSystem.look(path)
        return found && { ...found, modifiedMs: clock.wall() - ms }
      },
      isLocal: async () => isLocal,
    })
  }
  for (const one of [silentFor(59_999), silentFor(60_000, false)])
    await expect(takeLock(one, { ...owner, id: 'two' }, 0)).rejects.toMatchObject({ exitCode: 7 })
  expect(clock.now()).toBe(0)
  const taken = await takeLock(silentFor(60_000), { ...owner, id: 'two' }, 0)
  expect([taken.valid(), clock.now()]).toEqual([true, 60_000])
  await taken.release(1)
})
