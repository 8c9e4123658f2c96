// The file of lines that a backend did not take.
import { expect, test } from 'vitest'
import type { FileSystem, OpenFile } from '../backends/local/file-system.ts'
import { memoryFileSystem } from '../backends/local/memory-file-system.ts'
import { inClear } from '../sealing.ts'
import { undeliveredLines } from './undelivered-lines.ts'

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
  expect([open, (await lines.read())?.header]).toEqual([0, { lineage: 'one', serial: 2 }])
})
