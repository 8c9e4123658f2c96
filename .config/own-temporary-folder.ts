// Gives the tests a folder for temporary files of their own, so that none of them leaves anything behind on the machine.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Before the first test; what it gives is called after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'iac-tests-'))
  // Tests run programs as somebody else, too.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
