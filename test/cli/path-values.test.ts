// What stands where a path is expected, and is none that fits: every command that takes one calls it a mistake, and waits for nothing.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandTable } from '../../src/cli/command-table.ts'
import { globalsOf } from '../../src/cli/context/parse-command.ts'
import { manifest } from '../builders/project.ts'
import { newFolder, runCli } from './run-cli.ts'

const called = ['PATH', 'FILE', 'FOLDER', 'PLANFILE']
const api = 'begins with /v1/'

describe.each(Object.keys(commandTable))('%s', (name) => {
  test('takes no empty text for a file or folder', async () => {
    const command = await commandTable[name]?.load()
    const taken = command?.arguments ?? []
    const words = taken.filter((one) => !one.optional).map((one) => one.choices?.[0] ?? 'word')
    const run = (...more: readonly string[]) => runCli([...name.split(' '), ...more], { folder: newFolder() })
    const refused = (shown: string) => ({ code: 3, stdout: '', stderr: expect.stringContaining(`error: ${shown} "" names no file or folder\n`) })
    const flags = command ? { ...globalsOf(command), ...command.flags } : {}
    for (const [flag, one] of Object.entries(flags))
      if ('value' in one && called.includes(one.value)) expect(await run(...words, `--${flag}`, '')).toEqual(refused(`--${flag}`))
    for (const [at, one] of taken.entries()) {
      if (!called.includes(one.name) || one.about === api) continue
      expect(await run(...words.slice(0, at), '')).toEqual(refused(one.name))
      if (one.many) expect(await run(...words.slice(0, at), 'main.yaml', '')).toEqual(refused(one.name))
    }
  })
})

/** A project of one network, an empty folder, one that is called as a file, and a pipe that nobody writes into. */
function project(): string {
  const folder = newFolder()
  for (const name of ['empty', 'x.yaml']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'name: main\ndescription: net\nrange: 10.0.0.0/24'))
  writeFileSync(join(folder, 'page.txt'), 'a text')
  execFileSync('mkfifo', [join(folder, 'pipe')])
  return folder
}

const values = ['.', 'nowhere', 'empty', 'x.yaml', 'pipe', 'nowhere/below', 'page.txt/below']
const folders = ['.', 'empty', 'x.yaml']
const names = ['nowhere']

test.each<[words: string, fits: readonly string[]]>([
  ['validate --dir', folders],
  ['validate -f', ['.']],
  ['validate --var-file', []],
  ['validate --policy', []],
  ['fmt', folders],
  ['fmt --check -f', folders],
  ['apply --sandbox --auto-approve', []],
  ['show', []],
  ['comment gitea --plan', []],
  ['state push --sandbox', []],
  ['state migrate --to', []],
  ['api POST /v1/workspaces --sandbox --input', []],
  ['sandbox --port 0 --catalogue', []],
  ['plan --sandbox --seed', []],
  ['plan --sandbox --out', names],
  ['plan --sandbox --json-into', names],
  ['drift --sandbox --json-into', names],
  ['export --sandbox --kind Vpc --out', [...folders, 'nowhere', 'nowhere/below']],
  ['init', [...folders, 'nowhere', 'nowhere/below']],
])('%s takes what fits alone', { timeout: 60_000 }, async (words, fits) => {
  for (const value of values) {
    const { code, stderr } = await runCli([...words.split(' '), value], { folder: project() })
    expect([value, code, stderr]).toEqual([value, fits.includes(value) ? 0 : 3, expect.not.stringMatching(/internal|a defect|E[A-Z]{4,}|\n {6}at /)])
  }
})

test('an empty standard input is no manifest: what should have written it has most likely failed', async () => {
  for (const words of ['validate -f -', 'plan --sandbox -f -', 'apply --sandbox --auto-approve -f - -f main.yaml']) {
    const { code, stderr } = await runCli(words.split(' '), { folder: project(), stdin: '' })
    expect([words, code, stderr]).toEqual([words, 3, expect.stringContaining('error: - holds no manifest\n  hint: a manifest is a map')])
  }
  expect(await runCli(['fmt', '-'], { folder: project(), stdin: '' })).toMatchObject({ code: 0 })
})
