// Network file systems are told by what statfs says of the nearest folder that is there.
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { networkFileSystem } from './network-folder.ts'

const answering = (types: Readonly<Record<string, number>>) => async (path: string) => {
  const type = types[path]
  if (type === undefined) throw new Error('ENOENT')
  return { type }
}

test.each([
  ['NFS', 0x6969],
  ['CIFS', -11317950],
  ['9P (a folder of the host)', 0x01021997],
  [undefined, 0xef53],
])('says %s', async (name, type) => {
  expect(await networkFileSystem('/net/shop/.iac/state.json', answering({ '/': 0xef53, '/net': type }))).toBe(name)
})

test('knows nothing where nothing answers', async () => {
  expect(await networkFileSystem('/a/b', answering({}))).toBeUndefined()
})

test('asks the system itself', async () => {
  await expect(networkFileSystem(`${tmpdir()}/not/there`, statfs)).resolves.toSatisfy((name) => name === undefined || typeof name === 'string')
})
