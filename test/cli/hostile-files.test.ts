// Files in the place of a plan or a state that are none: told by the right code, at once, and never as a defect.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
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
    writeFileSync(file, stringifyJson(rehashed({ ...rest, changes: isList(changes) ? changes.filter((one) => isObject(one)).map(alter) : [] })))
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

test.each<readonly [string, JsonObject]>([
  ['was made at no time', { created_at: 'yesterday' }],
  [
    'has a price in words',
    { cost: { currency: 'USD', unit: 'micro', hourly_before: 'x', hourly_after: '1', monthly_before: '1', monthly_after: '1', unpriced: [] } },
  ],
  ['is of a project whose name fills a comment', { project: 'x'.repeat(70_000) }],
])('a plan whose hash fits and that %s is 9 whoever made it: shown, and before anything of it is told to a forge', async (_, members) => {
  const { folder, run } = await project()
  await run('plan', '--out', 'a.plan')
  const plan = parseJson(readFileSync(join(folder, 'a.plan'), 'utf8'))
  if (!isObject(plan)) throw new Error('no plan')
  for (const made of [{}, { tool_version: '9.9.9' }]) {
    writeFileSync(join(folder, 'a.plan'), stringifyJson(rehashed({ ...plan, ...members, ...made })))
    const environment = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/merge' }
    for (const words of [
      ['show', 'a.plan'],
      ['comment', 'github', '--plan', 'a.plan', '--dry-run'],
    ])
      expect(await runCli(words, { folder, environment })).toMatchObject({
        code: 9,
        stdout: '',
        stderr: expect.stringMatching(/^error: (?!a defect)[^]{0,600}$/),
      })
  }
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

describe('a file that is named for what a run writes', () => {
  async function shop() {
    const { folder, run } = await project()
    mkdirSync(join(folder, 'policies'))
    writeFileSync(join(folder, 'policies/own.yaml'), 'policies: []\n')
    writeFileSync(join(folder, 'values.yaml'), '{}\n')
    const file = join(folder, 'iac.yaml')
    writeFileSync(file, `${readFileSync(file, 'utf8')}policies: [{ file: policies/own.yaml }]\nenvironments: { staging: {} }\n`)
    return { folder, run }
  }
  test.each([
    ['the project file', 'iac.yaml', []],
    ['a file of the project that iac reads', 'infra/network.yaml', []],
    ['a file of the project that iac reads', 'policies/own.yaml', []],
    ['read by this run', 'values.yaml', ['--var-file', 'values.yaml']],
    ['read by this run', 'other.yaml', ['--policy', 'other.yaml']],
    ['a state, or stands beside one', '.iac/state.json', []],
    ['a state, or stands beside one', '.iac/state-staging.json.journal', []],
    ["iac's own", '.iac/sandbox/state.json', []],
  ])('is never %s: %s', async (what, file, words) => {
    const { folder, run } = await shop()
    mkdirSync(join(folder, '.iac/sandbox'), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'other.yaml'), 'policies: []\n')
    const path = join(folder, file)
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
    for (const flag of [
      ['--format', `text=${file}`],
      ['--out', file],
      ['--json-into', `./${file}`],
    ]) {
      const done = await run('plan', ...words, ...flag)
      expect([done.code, done.stdout, done.stderr]).toEqual([3, '', expect.stringContaining(`cannot be written: it is ${what}`)])
    }
    expect(existsSync(path) ? readFileSync(path, 'utf8') : undefined).toBe(before)
  })
  test('is no manifest with mistakes, and not the plan that is shown', async () => {
    const { folder, run } = await shop()
    await run('plan', '--out', 'a.plan')
    const saved = readFileSync(join(folder, 'a.plan'))
    for (const words of [
      ['show', 'a.plan', '--format', 'json=a.plan'],
      ['apply', 'a.plan', '--json-into', 'a.plan'],
    ]) {
      const done = await run(...words)
      expect([done.code, done.stderr, readFileSync(join(folder, 'a.plan'))]).toEqual([3, expect.stringContaining('it is read by this run'), saved])
    }
    writeFileSync(join(folder, 'infra/bad.yaml'), 'apiVersion: iac/v1\nkind: Vpcc\n')
    expect(await runCli(['validate', '--format', 'text=infra/bad.yaml'], { folder })).toMatchObject({ code: 3 })
    expect(readFileSync(join(folder, 'infra/bad.yaml'), 'utf8')).toContain('Vpcc')
  })
  test.each(['base/main.yaml', 'base', 'linked'])('is no manifest of the seed %s', async (seed) => {
    const { folder, run } = await shop()
    const base = join(folder, 'base')
    mkdirSync(base)
    symlinkSync(base, join(folder, 'linked'))
    const text = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: before, range: 10.20.0.0/24 }\n'
    writeFileSync(join(base, 'main.yaml'), text)
    for (const flag of [
      ['--format', 'json=base/main.yaml'],
      ['--out', 'base/main.yaml'],
      ['--json-into', './base/main.yaml'],
    ]) {
      const done = await run('plan', '--seed', seed, ...flag)
      expect([done.code, done.stderr, readFileSync(join(base, 'main.yaml'), 'utf8')]).toEqual([3, expect.stringContaining('it is read by this run'), text])
    }
    for (const file of ['base/a.plan', 'base/a.plan', 'base/other.yaml']) expect((await run('plan', '--seed', seed, '--out', file)).code).toBe(0)
  })
  test('stands for one output alone, links in its folders followed', async () => {
    const { folder, run } = await shop()
    for (const words of [
      ['--format', 'json=a', '--format', 'text=./a'],
      ['--out', 'a', '--format', 'json=a'],
      ['--out', 'a', '--json-into', 'a'],
    ]) {
      const done = await run('plan', ...words)
      expect([done.code, done.stdout, done.stderr]).toEqual([3, '', expect.stringContaining('would be written twice')])
    }
    expect(existsSync(join(folder, 'a'))).toBe(false)
    expect((await run('plan', '--format', 'json=a', '--format', 'text=b', '--out', 'c')).code).toBe(0)
    expect((await run('plan', '--format', 'json=a')).code).toBe(0)
  })
})

test('a project file that is a link that leads nowhere is an error by the path that leads to it, and not another project without one', async () => {
  const { folder } = await project()
  rmSync(join(folder, 'iac.yaml'))
  symlinkSync('/nowhere/at/all', join(folder, 'iac.yaml'))
  const here = basename(folder)
  const ways = [
    { at: folder, dir: [], path: 'iac.yaml' },
    { at: join(folder, 'infra'), dir: [], path: '../iac.yaml' },
    { at: dirname(folder), dir: ['--dir', here], path: `${here}/iac.yaml` },
  ]
  for (const { at, dir, path } of ways)
    for (const words of [['validate'], ['plan', '--sandbox'], ['apply', '--auto-approve', '--sandbox'], ['state', 'list'], ['fmt'], ['quota', '--sandbox']]) {
      const { code, stderr } = await runCli([...words, ...dir], { folder: at })
      expect([words, code, stderr]).toEqual([words, 3, expect.stringContaining(`error: ${path} cannot be read: the link leads nowhere`)])
    }
  const other = join(here, 'infra/other.yaml')
  symlinkSync('/nowhere/at/all', join(dirname(folder), other))
  const moved = await runCli(['state', 'migrate', '--to', other], { folder: dirname(folder) })
  expect(moved).toMatchObject({ code: 3, stderr: expect.stringContaining(`error: ${other} cannot be read: the link leads nowhere`) })
  expect(moved.stderr).not.toContain('iac.yaml')
})

test('stored sessions that cannot be read are told as that, with the way without them', async () => {
  const folder = newFolder()
  const file = join(folder, 'home/.config/iac/profiles.json')
  mkdirSync(file, { recursive: true, mode: 0o700 })
  for (const words of [['plan'], ['whoami'], ['logout']]) {
    const { code, stderr } = await runCli(words, { folder })
    expect([words, code, stderr]).toEqual([words, 4, expect.stringMatching(/^error: .*profiles\.json cannot be read \(EISDIR\)\n {2}hint: .*IAC_TOKEN/)])
  }
})
