// The parse cache on a disk: kept for the user alone, and left aside when anything about it is odd.
import { hash } from 'node:crypto'
import { chmod, chown, mkdtemp, readFile, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { serialize } from 'node:v8'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Parsed } from '../../project/yaml/parse-cache.ts'
import { openParseCache } from './parse-cache-file.ts'

const key = 'a'.repeat(64)
let home = ''

beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'iac-cache-'))))
afterEach(() => rm(home, { recursive: true, force: true }))

const told: string[] = []
const tuning = { optimise: (when: string) => void told.push(when), keepHeapSmall: () => undefined }
const opened = (version = '1.0.0', build = 'first') =>
  openParseCache('/project', { version, build, environment: {}, homeFolder: home, userId: process.geteuid?.(), tuning })

const of = (value: JsonValue): Parsed => ({ value, root: 3 })

async function keep(parsed: Parsed): Promise<string> {
  const cache = opened()
  cache.put(key, parsed)
  cache.save()
  const folder = join(home, '.cache/iac/parsed')
  const [name = ''] = await readdir(folder)
  return join(folder, name)
}

test('what was put comes back in the next run, from a file of the user alone', async () => {
  const parsed = of({ a: 'line\nbreak', int: 9_007_199_254_740_993n, whole: 1, nothing: null, list: [true, -0.5] })
  const path = await keep(parsed)
  expect(opened().get(key)).toEqual(parsed)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test.each([
  ['the folder of caches can be written by others', (folder: string) => chmod(folder, 0o777)],
  ['it is a link to another folder', async (folder: string) => rename(folder, `${folder}.real`).then(() => symlink(`${folder}.real`, folder))],
])('nothing is read or written where %s', async (_, harm) => {
  const path = await keep(of('one'))
  await harm(join(home, '.cache/iac'))
  const cache = opened()
  expect(cache.get(key)).toBeUndefined()
  cache.put(key, of('two'))
  cache.save()
  expect(await readFile(path, 'latin1')).toContain('one')
})

test('another user’s file is not believed', async () => {
  const path = await keep(of('one'))
  const [stranger, reader] = process.geteuid?.() === 0 ? [4242, 0] : [process.geteuid?.() ?? 0, 4242]
  await chown(path, stranger, stranger)
  expect(openParseCache('/project', { version: '1.0.0', build: 'first', environment: {}, homeFolder: home, userId: reader, tuning }).get(key)).toBeUndefined()
})

test('an entry that a run did not use goes when it adds another', async () => {
  await keep(of('one'))
  const next = opened()
  next.put('b'.repeat(64), of('two'))
  next.save()
  expect(opened().get(key)).toBeUndefined()
})

test('what a killed run left half written, and what no project has changed for months, goes when something is kept', async () => {
  const path = await keep(of('one'))
  const before = Date.now() / 1000 - 31 * 24 * 3600
  const leftover = `${path}.${'0'.repeat(16)}.new`
  await writeFile(leftover, 'half')
  await utimes(leftover, before, before)
  await keep(of('two'))
  expect(await readdir(join(home, '.cache/iac/parsed'))).toEqual([basename(path)])
})

test.each([
  ['another version wrote it', () => Promise.resolve(), '2.0.0'],
  ['it was changed', async (path: string) => writeFile(path, (await readFile(path, 'latin1')).replace('one', 'two'), 'latin1'), '1.0.0'],
  ['it is cut off', async (path: string) => writeFile(path, (await readFile(path, 'latin1')).slice(0, -3), 'latin1'), '1.0.0'],
  ['others can write it', (path: string) => chmod(path, 0o666), '1.0.0'],
])('it counts as empty where %s', async (_, harm, version) => {
  const path = await keep(of('one'))
  expect(opened().get(key)).toEqual(of('one'))
  await harm(path)
  expect(opened(version).get(key)).toBeUndefined()
})

test('it counts as empty where another build of the same version wrote it', async () => {
  await keep(of('one'))
  expect(opened('1.0.0', 'second').get(key)).toBeUndefined()
})

test('a place that takes no folders is no failure either', () => {
  const cache = openParseCache('/project', {
    version: '1.0.0',
    build: undefined,
    environment: { XDG_CACHE_HOME: '/proc/cache' },
    homeFolder: home,
    userId: process.geteuid?.(),
    tuning,
  })
  cache.put(key, of('one'))
  expect(() => cache.save()).not.toThrow()
})

test('a folder that cannot be written is no failure', async () => {
  await writeFile(join(home, '.cache'), 'a file in the way')
  const cache = opened()
  cache.put(key, of('one'))
  cache.save()
  expect(opened().get(key)).toBeUndefined()
})

test('what stands in a value twice is one value again', async () => {
  const shared = { a: ['b'] }
  await keep(of({ one: shared, two: shared }))
  const found = opened().get(key)?.value
  expect(found).toEqual({ one: shared, two: shared })
  expect(isObject(found) && found['one'] === found['two']).toBe(true)
})

test.each([
  ['nothing that is read', Buffer.from('no value')],
  ['something else', serialize([1])],
])('it counts as empty where its head fits and below it stands %s', async (_, body) => {
  const path = await keep(of('one'))
  const head = (await readFile(path, 'latin1')).split(' ').slice(0, 3).join(' ')
  await writeFile(path, Buffer.concat([Buffer.from(`${head} ${hash('sha256', body)}\n`), body]))
  expect(opened().get(key)).toBeUndefined()
})

test('code is optimised early from the first document that has to be parsed until the last', async () => {
  await keep(of('one'))
  told.length = 0
  const cache = opened()
  cache.get(key)
  cache.close?.()
  expect(told).toEqual([])
  for (const one of ['b', 'c']) cache.get(one.repeat(64))
  cache.close?.()
  cache.close?.()
  expect(told).toEqual(['early', 'late'])
})
