// What the disk does not let us look at is told as that, and as no defect of ours.
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOwnPlace } from './own-places.ts'

test('a folder that cannot be looked at is Failure 1, and named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'iac-own-'))
  mkdirSync(join(folder, '.iac'), { mode: 0o700 })
  const long = join(folder, '.iac', 'a'.repeat(300))
  const summary = `${long}: the name is too long`
  expect(() => checkOwnPlace({ userId: process.geteuid?.(), environment: {}, workingFolder: folder }, folder, join(long, 'state.json'))).toThrow(
    expect.objectContaining({ exitCode: 1, diagnostics: [expect.objectContaining({ code: 'state_io', summary })] }),
  )
})
