// The files of lines that a backend did not take.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readKeyText } from '../../base/words/key-text.ts'
import type { FileSystem, OpenFile } from '../backends/local/file-system.ts'
import { diskError } from '../backends/local/file-system.ts'
import { memoryFileSystem } from '../backends/local/memory-file-system.ts'
import type { Entry } from '../record.ts'
import type { SealingKey } from '../sealing.ts'
import { inClear, sealedBy } from '../sealing.ts'
import type { UndeliveredLines } from './undelivered-lines.ts'
import { undeliveredLines } from './undelivered-lines.ts'

function keyOf(fill: number): SealingKey {
  const key = readKeyText(Buffer.alloc(32, fill).toString('base64'))
  if (!key) throw new Error('no key')
  return key
}

function done(seq: number): Entry {
  return { t: 'done', seq, id: String(seq) }
}

test('lines that are begun anew, as after a write that failed, leave no file open', async () => {
  const fileSystem = memoryFileSystem().process()
  let open = 0
  const counted = (file: OpenFile): OpenFile => {
    open += 1
    return {
      ...file,
      close() {
        open -= 1
        return file.close()
      },
    }
  }
  const counting: FileSystem = {
    ...fileSystem,
    create: async (path) => counted(await fileSystem.create(path)),
    append: async (path) => counted(await fileSystem.append(path)),
  }
  const lines = undeliveredLines({ fileSystem: counting, path: '/p/.iac/undelivered', sealing: inClear })
  for (const serial of [1, 2, 2]) await lines.begin({ lineage: 'one', serial }, [])
  expect(open).toBe(1)
  await lines.close()
  await lines.close()
  expect([open, (await lines.read()).map((one) => one.header)]).toEqual([0, [{ lineage: 'one', serial: 2 }]])
})

test('lines of earlier runs that were not delivered stay beside those of the next, in their order, whatever the key', async () => {
  const fileSystem = memoryFileSystem().process()
  const path = '/p/.iac/undelivered/x.journal'
  const by = (fill: number, ...more: readonly number[]) =>
    undeliveredLines({ fileSystem, path, sealing: sealedBy({ keys: [keyOf(fill), ...more.map(keyOf)], randomBytes }) })
  for (let serial = 1; serial <= 11; serial += 1) {
    const lines = by((serial % 2) + 1)
    // After a write that failed it is begun anew, over what this run began.
    for (const entries of [[], [done(serial)]]) await lines.begin({ lineage: 'one', serial }, entries)
    await lines.close()
  }
  const serials = async (lines: UndeliveredLines) => (await lines.read()).map((one) => one.header.serial)
  expect(await serials(by(2))).toEqual([1, 3, 5, 7, 9, 11])
  expect((await by(2).problems()).map((one) => one.path)).toEqual([2, 4, 6, 8, 10].map((number) => `${path}.${number}`))
  const both = by(1, 2)
  const all = await both.read()
  expect(all.map((one) => [one.header.serial, one.entries])).toEqual(Array.from({ length: 11 }, (_, at) => [at + 1, [done(at + 1)]]))
  for (const one of all.slice(0, 10)) await both.clear(one)
  expect([await serials(both), await fileSystem.list('/p/.iac/undelivered')]).toEqual([[11], ['x.journal']])
})

test('a folder of lines that is none is told as the lines that cannot be read', async () => {
  const fileSystem = memoryFileSystem().process()
  await fileSystem.makeFolder('/p/.iac')
  const refuse = (path: string) => Promise.reject(diskError('ENOTDIR', path))
  const broken: FileSystem = { ...fileSystem, list: refuse, read: refuse }
  const lines = undeliveredLines({ fileSystem: broken, path: '/p/.iac/undelivered/x', sealing: inClear })
  expect([await lines.read(), await lines.problems()]).toEqual([[], [{ path: '/p/.iac/undelivered/x', problem: expect.stringContaining('ENOTDIR') }]])
})
