// The parse cache on a disk: kept for the user alone, and left aside when anything about it is odd.
import { chmod, chown, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openParseCache } from './parse-cache-file.ts'

const key = 'a'.repeat(64)
let home = ''

beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'iac-cache-'))))
afterEach(() => rm(home, { recursive: true, force: true }))

const opened = (version = '1.0.0') => openParseCache('/project', { version, environment: {}, homeFolder: home, userId: process.geteuid?.() })

async function keep(text: string): Promise<string> {
  const cache = opened()
  cache.put(key, text)
  cache.save()
  const folder = join(home, '.cache/iac/parsed')
  const [name = ''] = await readdir(folder)
  return join(folder, name)
}

test('what was put comes back in the next run, from a file of the user alone', async () => {
  const path = await keep('0 {"a":"line\\nbreak"}')
  expect(opened().get(key)).toBe('0 {"a":"line\\nbreak"}')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test.each([
  ['the folder of caches can be written by others', (folder: string) => chmod(folder, 0o777)],
  ['it is a link to another folder', async (folder: string) => rename(folder, `${folder}.real`).then(() => symlink(`${folder}.real`, folder))],
])('nothing is read or written where %s', async (_, harm) => {
  const path = await keep('0 1')
  await harm(join(home, '.cache/iac'))
  const cache = opened()
  expect(cache.get(key)).toBeUndefined()
  cache.put(key, '0 2')
  cache.save()
  expect(await readFile(path, 'utf8')).toContain('0 1')
})

test('another user’s file is not believed', async () => {
  const path = await keep('0 1')
  const [stranger, reader] = process.geteuid?.() === 0 ? [4242, 0] : [process.geteuid?.() ?? 0, 4242]
  await chown(path, stranger, stranger)
  expect(openParseCache('/project', { version: '1.0.0', environment: {}, homeFolder: home, userId: reader }).get(key)).toBeUndefined()
})

test('an entry that a run did not use goes when it adds another', async () => {
  await keep('0 1')
  const next = opened()
  next.put('b'.repeat(64), '0 2')
  next.save()
  expect(opened().get(key)).toBeUndefined()
})

test.each([
  ['another version wrote it', () => Promise.resolve(), '2.0.0'],
  ['it was changed', async (path: string) => writeFile(path, (await readFile(path, 'utf8')).replace('0 1', '0 2')), '1.0.0'],
  ['it is cut off', async (path: string) => writeFile(path, (await readFile(path, 'utf8')).slice(0, -3)), '1.0.0'],
  ['others can write it', (path: string) => chmod(path, 0o666), '1.0.0'],
])('it counts as empty where %s', async (_, harm, version) => {
  const path = await keep('0 1')
  expect(opened().get(key)).toBe('0 1')
  await harm(path)
  expect(opened(version).get(key)).toBeUndefined()
})

test('a place that takes no folders is no failure either', () => {
  const cache = openParseCache('/project', {
    version: '1.0.0',
    environment: { XDG_CACHE_HOME: '/proc/cache' },
    homeFolder: home,
    userId: process.geteuid?.(),
  })
  cache.put(key, '0 1')
  expect(() => cache.save()).not.toThrow()
})

test('a folder that cannot be written is no failure', async () => {
  await writeFile(join(home, '.cache'), 'a file in the way')
  const cache = opened()
  cache.put(key, '0 1')
  cache.save()
  expect(opened().get(key)).toBeUndefined()
})
