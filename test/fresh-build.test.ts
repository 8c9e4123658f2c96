// When the built program counts as stale: whatever goes into it is newer, came or went.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFresh } from '../.config/fresh-build.ts'

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
