// Where a running sandbox leaves its address for `iac sandbox env`.
import { join } from 'node:path'

/** The file with address and token, mode 0600. */
export function runningFile(folder: string): string {
  return join(folder, '.iac', 'sandbox-running.json')
}
