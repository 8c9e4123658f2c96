// A disk that is full for a while: nothing that was answered is lost, and nothing that is on it becomes unreadable.
import type * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { openSandboxFolder } from './persistence.ts'
import { printSnapshot } from './store.ts'

const disk = vi.hoisted(() => ({ isFull: false }))

// As it goes on a real one: a part is written, then there is no room for the rest.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const writeFileSync = (file: number | string, text: string): void => {
    real.writeFileSync(file, disk.isFull ? text.slice(0, text.length / 2) : text)
    if (disk.isFull) throw new Error('ENOSPC: no space left on device')
  }
  return { ...real, writeFileSync }
})

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-full-'))))
afterEach(() => {
  disk.isFull = false
  rmSync(folder, { recursive: true })
})

function open() {
  const { snapshot, secret, onChange } = openSandboxFolder(folder)
  const bench = createBench({ secret, onChange, ...(snapshot === undefined ? {} : { snapshot }) })
  const path = `/v1/workspaces/${bench.wid}/vpcs`
  return { ...bench, make: (name: string) => bench.call({ method: 'POST', path, body: { name, description: '', range: '10.0.0.0/24' } }) }
}

const stored = (): string => printSnapshot(open().sandbox.snapshot())

test('a change for which there was no room is written with the next one', async () => {
  const first = open()
  await first.make('before')
  disk.isFull = true
  await expect(first.make('full')).rejects.toThrow('ENOSPC')
  await expect(first.make('still-full')).rejects.toThrow('ENOSPC')
  disk.isFull = false
  await first.make('after')
  const present = printSnapshot(first.sandbox.snapshot())
  expect(stored()).toBe(present)
})

test('what is on the disk can be read while it is full', async () => {
  const first = open()
  await first.make('before')
  disk.isFull = true
  await expect(first.make('full')).rejects.toThrow('ENOSPC')
  disk.isFull = false
  expect(open().tables.vpcs.all()).toMatchObject([{ name: 'before' }])
})

test('a new beginning for which there was no room is made up for, and takes nothing along that came before', async () => {
  const first = open()
  await first.make('before')
  disk.isFull = true
  const { hub } = first.sandbox
  const lastId = hub.lastId
  expect(() => first.sandbox.reset()).toThrow('ENOSPC')
  expect(() => first.sandbox.reset()).toThrow('ENOSPC')
  // Its rows are there all the same, and whoever looks must be told.
  expect(hub.since(lastId).events.map((one) => one.type)).toEqual(['reset', 'reset'])
  disk.isFull = false
  await first.make('after')
  const present = printSnapshot(first.sandbox.snapshot())
  expect(stored()).toBe(present)
  expect(open().tables.vpcs.all()).toMatchObject([{ name: 'after' }])
})
