// Copies a folder with the modes of what is in it, which node's own copying drops for folders from version 22 on.
import { chmodSync, cpSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Copies everything below `from` to `to`. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true, recursive: true })) {
    if (!entry.isDirectory()) continue
    const path = join(entry.parentPath, entry.name)
    chmodSync(path.replace(from, to), statSync(path).mode)
  }
}
