// When the built program counts as stale: whatever goes into it is newer, came or went; and that what runs it is given a fresh one.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isFresh } from '../.config/fresh-build.ts'
import { programs } from '../.config/vitest.config.ts'

const [old, built, late] = [1000, 2000, 3000]

/** A project whose sources are older than what was built of them. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'iac-fresh-'))
  for (const name of ['dist', 'src/cli']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['src/main.ts', 'src/cli/program.ts', 'src/cli/program.test.ts', 'package.json']) dated(join(folder, name), old)
  dated(join(folder, 'dist/main.js'), built)
  for (const name of ['src', 'src/cli']) utimesSync(join(folder, name), old, old)
  return folder
}

function dated(path: string, seconds: number): void {
  writeFileSync(path, '')
  utimesSync(path, seconds, seconds)
}

test.each([
  ['nothing changed', true, () => undefined],
  ['a test changed', true, (folder: string) => dated(join(folder, 'src/cli/program.test.ts'), late)],
  ['a source changed', false, (folder: string) => dated(join(folder, 'src/cli/program.ts'), late)],
  ['a source went', false, (folder: string) => rmSync(join(folder, 'src/cli/program.ts'))],
  ['what it needs changed', false, (folder: string) => dated(join(folder, 'package.json'), late)],
  ['nothing was built', false, (folder: string) => rmSync(join(folder, 'dist/main.js'))],
])('%s: %s', (_, fresh, change) => {
  const folder = project()
  change(folder)
  expect(isFresh(folder)).toBe(fresh)
})

const root = resolve(import.meta.dirname, '..')

/** Whether a file of tests runs the built program, by itself or by a builder that it imports. */
function runsProgram(path: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false
  seen.add(path)
  const text = readFileSync(path, 'utf8')
  if (/(\.\.\/|'|\()dist\/main\.js/.test(text)) return true
  const imported = [...text.matchAll(/ from '(\.[^']+\.ts)'/g)].map(([, name = '']) => resolve(path, '..', name))
  return imported.some((one) => one.startsWith(join(root, 'test')) && runsProgram(one, seen))
}

test.each(['src', 'test/cli', 'test/conformance', 'test/scenarios', 'test/stories'])(
  'what runs the built program below %s is among the tests that build it first',
  (folder) => {
    const named = programs.flatMap((glob) => glob.replace(/.*\{(.*)\}.*/, '$1').split(',')).map((name) => `test/cli/${name}.test.ts`)
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))
    const running = files.map((name) => join(root, folder, name)).filter((path) => runsProgram(path))
    expect(running.map((path) => relative(root, path)).filter((name) => !named.includes(name))).toEqual([])
  },
)
