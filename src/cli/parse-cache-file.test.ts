// The parse cache on a disk: kept for the user alone, and left aside when anything about it is odd.
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openParseCache } from './parse-cache-file.ts'

const key = 'a'.repeat(64)
let home = ''

beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'iac-cache-'))))
afterEach(() => rm(home, { recursive: true, force: true }))

const opened = (version = '1.0.0') => openParseCache('/project', { version, environment: {}, homeFolder: home, randomBytes: (count) => new Uint8Array(count) })

async function keep(text: string): Promise<string> {
  const cache = await opened()
  cache.put(key, text)
  await cache.save()
  const folder = join(home, '.cache/iac/parsed')
  const [name = ''] = await readdir(folder)
  return join(folder, name)
}

test('what was put comes back in the next run, from a file of the user alone', async () => {
  const path = await keep('0 {"a":"line\\nbreak"}')
  expect((await opened()).get(key)).toBe('0 {"a":"line\\nbreak"}')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('an entry that a run did not use goes when it adds another', async () => {
  await keep('0 1')
  const next = await opened()
  next.put('b'.repeat(64), '0 2')
  await next.save()
  expect((await opened()).get(key)).toBeUndefined()
})

test.each([
  ['another version wrote it', () => Promise.resolve(), '2.0.0'],
  ['it was changed', async (path: string) => writeFile(path, (await readFile(path, 'utf8')).replace('0 1', '0 2')), '1.0.0'],
  ['it is cut off', async (path: string) => writeFile(path, (await readFile(path, 'utf8')).slice(0, -3)), '1.0.0'],
  ['others can write it', (path: string) => chmod(path, 0o666), '1.0.0'],
])('it counts as empty where %s', async (_, harm, version) => {
  const path = await keep('0 1')
  expect((await opened()).get(key)).toBe('0 1')
  await harm(path)
  expect((await opened(version)).get(key)).toBeUndefined()
})

test('a place that takes no folders is no failure either', async () => {
  const cache = await openParseCache('/project', {
    version: '1.0.0',
    environment: { XDG_CACHE_HOME: '/proc/cache' },
    homeFolder: home,
    randomBytes: (count) => new Uint8Array(count),
  })
  cache.put(key, '0 1')
  await expect(cache.save()).resolves.toBeUndefined()
})

test('a folder that cannot be written is no failure', async () => {
  await writeFile(join(home, '.cache'), 'a file in the way')
  const cache = await opened()
  cache.put(key, '0 1')
  await cache.save()
  expect((await opened()).get(key)).toBeUndefined()
})
