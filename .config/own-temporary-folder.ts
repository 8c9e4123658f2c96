// Gives the tests a folder for temporary files of their own, so that none of them leaves anything behind on the machine.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Room for what the short form leaves there until its end, many times over. */
const leastBytes = 4 * 2 ** 30

/** Before the first test; what it gives is called after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(inMemory() ?? tmpdir(), 'iac-tests-'))
  // Tests run programs as somebody else, too.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Where files need no disk, which takes a twelfth of the time of tests that write many; undefined for the long form, which writes more, to a real one. */
function inMemory(): string | undefined {
  const shared = '/dev/shm'
  if (process.env['TEST_FORM'] === 'long' || process.env['TMPDIR'] !== undefined) return undefined
  try {
    const { bavail, bsize } = statfsSync(shared)
    if (bavail * bsize < leastBytes) return undefined
    runProgramIn(shared)
    return shared
  } catch {
    return undefined
  }
}

/** Throws where nothing can be written, or run. */
function runProgramIn(folder: string): void {
  const own = mkdtempSync(join(folder, 'iac-tests-'))
  try {
    const program = join(own, 'program')
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 })
    execFileSync(program)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
