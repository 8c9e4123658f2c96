// Threads that parse beside the reader: each text is parsed once, by one of the two, and nothing waits for a thread that came to nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lineOf } from '../../project/yaml/aside.ts'
import { createAside } from './parse-aside.ts'

const folder = mkdtempSync(join(tmpdir(), 'iac-aside-'))
afterAll(() => rmSync(folder, { recursive: true }))
const built = join(import.meta.dirname, '../../../dist/parse-worker.cjs')
const texts = Array.from({ length: 3000 }, (_, at) =>
  at % 50 === 49 ? `a: [${at},\n` : `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: net-${at} }\nspec: { number: ${at} }\n`,
)

function program(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('the last texts are parsed by a thread as soon as it runs, and their lines are what parsing here gives', async () => {
  if (!createAside(built)) return // on one processor
  let taken = 0
  for (const waitMs of [200, 1000, 5000, 20_000]) {
    const aside = createAside(built)
    aside?.begin(texts)
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    for (const text of texts) {
      const line = aside?.take(text)
      if (line === undefined) continue
      taken += 1
      expect(line).toBe(lineOf(text))
    }
    if (taken > 0) break
  }
  expect(taken).toBeGreaterThan(0)
})

test('what is left out, asked for twice or never begun with is for the reader', () => {
  const aside = createAside(built)
  expect(aside?.take('a: 1\n')).toBeUndefined()
  aside?.begin(['a: 1\n', 'b: 1\n', 'c: 1\n'])
  expect(['a: 1\n', 'c: 1\n', 'a: 1\n', 'x: 1\n'].map((text) => [undefined, lineOf(text)].includes(aside?.take(text)))).toEqual([true, true, true, true])
})

test.each([
  ['fails', 'throw new Error("broken")'],
  ['ends', ''],
  ['is no program', '}'],
  ['is nowhere', undefined],
])('a thread that %s leaves all to the reader', (name, text) => {
  const aside = createAside(text === undefined ? join(folder, 'nowhere.cjs') : program(`${name}.cjs`, text))
  aside?.begin(texts)
  expect(texts.filter((one) => aside?.take(one) !== undefined)).toEqual([])
})

test('one that begins and never ends is waited for once', () => {
  const aside = createAside(
    program(
      'stuck.cjs',
      "const { workerData: { shared } } = require('node:worker_threads'); for (let at = 1; at < shared.length; at += 1) Atomics.compareExchange(shared, at, 0, 2); setInterval(() => undefined, 1000)",
    ),
  )
  aside?.begin(texts)
  const started = performance.now()
  while (aside && performance.now() - started < 400) continue
  expect(texts.filter((one) => aside?.take(one) !== undefined)).toEqual([])
  expect(performance.now() - started).toBeLessThan(10_000)
})
