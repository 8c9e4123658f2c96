// Files in the place of a plan or a state that are none: told by the right code, at once, and never as a defect.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { isList, isObject, parseJson, stringifyJson } from '../../src/base/json.ts'
import { rehashed } from '../builders/rehashed.ts'
import { newFolder, runCli } from './run-cli.ts'

const twoGb = 2 * 2 ** 30

function huge(path: string): void {
  writeFileSync(path, '')
  truncateSync(path, twoGb)
}

async function project(): Promise<{ readonly folder: string; run(...words: string[]): ReturnType<typeof runCli> }> {
  const folder = newFolder()
  await runCli(['init'], { folder })
  return { folder, run: (...words) => runCli([...words, '--sandbox'], { folder }) }
}

test.each([
  ['is not there', 3, () => undefined],
  ['is a folder', 3, (path: string) => mkdirSync(path)],
  ['is a pipe', 3, (path: string) => void execFileSync('mkfifo', [path])],
  ['is a link that leads nowhere', 3, (path: string) => symlinkSync('/nowhere/at/all', path)],
  ['is longer than any', 3, huge],
  ['is empty', 9, (path: string) => writeFileSync(path, '')],
  ['is no text', 9, (path: string) => writeFileSync(path, new Uint8Array([0xff, 0xfe, 0, 1]))],
  ['is deep', 9, (path: string) => writeFileSync(path, '['.repeat(5_000_000))],
  ['holds too much', 9, (path: string) => writeFileSync(path, `[${'[],'.repeat(21_000_000)}[]]`)],
  ['is a list', 9, (path: string) => writeFileSync(path, '[]')],
])('a plan that %s: %d', async (_, code, make) => {
  const { folder, run } = await project()
  make(join(folder, 'a.plan'))
  for (const words of [
    ['apply', 'a.plan'],
    ['show', 'a.plan'],
  ]) {
    const done = await run(...words)
    expect([done.code, done.stdout, done.stderr]).toEqual([code, '', expect.stringMatching(/^error: (?!a defect)/)])
  }
})

describe('a plan file whose hash fits', () => {
  const altered = (file: string, alter: (change: JsonObject) => JsonObject): void => {
    const plan = parseJson(readFileSync(file, 'utf8'))
    if (!isObject(plan)) throw new Error('no plan')
    const { changes = [], ...rest } = plan
    writeFileSync(file, stringifyJson(rehashed({ ...rest, changes: isList(changes) ? changes.filter(isObject).map(alter) : [] })))
  }
  const proto: JsonObject = JSON.parse('{"__proto__": {"x": 1}}')
  test.each<readonly [string, (change: JsonObject) => JsonObject]>([
    ['names an unknown kind', (change) => ({ ...change, kind: 'Balloon', address: 'Balloon/main' })],
    ['waits for itself', (change) => ({ ...change, requires: [change['address'] ?? null], depends_on: [change['address'] ?? null] })],
    ['names a prototype', (change) => ({ ...change, after: proto })],
    ['names a prototype in a pointer', (change) => ({ ...change, unresolved: { '/__proto__/x': '${1}' }, after_unknown: ['/__proto__/x'] })],
    ['holds a very long text', (change) => ({ ...change, after: { name: 'x'.repeat(5_000_000) } })],
    ['holds a very long address', (change) => ({ ...change, address: `Vpc/${'x'.repeat(5_000_000)}` })],
    ['holds a text that never ends', (change) => ({ ...change, unresolved: { '/name': '${'.repeat(10_000) } })],
  ])('and that %s is 9, shown or carried out, in few words', async (_, alter) => {
    const { folder, run } = await project()
    await run('plan', '--out', 'a.plan')
    altered(join(folder, 'a.plan'), alter)
    for (const words of [
      ['apply', 'a.plan'],
      ['show', 'a.plan'],
    ]) {
      const done = await run(...words)
      expect([done.code, done.stdout, done.stderr.length < 2000]).toEqual([9, '', true])
      expect(done.stderr).toMatch(/^error: (?!a defect)/)
    }
  })
})

test('a state of 300 MB is 9, and a restore puts the last good one back', async () => {
  const { folder, run } = await project()
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  const file = join(folder, '.iac/sandbox/state.json')
  truncateSync(file, 300 * 2 ** 20)
  for (const words of [['plan'], ['apply', '--auto-approve'], ['state', 'list'], ['output']]) {
    const done = await run(...words)
    expect([done.code, done.stderr]).toEqual([9, expect.stringContaining('It is longer than 256 MiB')])
  }
  expect((await run('state', 'restore', '--auto-approve')).code).toBe(0)
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0)
})
