// The real file system, read without ever opening a device, a pipe or what lies outside of the project.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { FileBytes, Files, Listing } from './files.ts'

/** Files as node reads them; everything is synchronous, since expressions read files too. */
export const nodeFiles: Files = Object.freeze({ list, read, kindOf })

function list(folder: string, enter: (path: string) => boolean): Listing {
  const files: string[] = []
  const outside: string[] = []
  const root = attempt(() => realpathSync(folder))
  if (typeof root !== 'string') return { files, outside, problem: root.problem }
  const open = ['']
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    const entries = attempt(() => readdirSync(join(folder, below), { withFileTypes: true }))
    if ('problem' in entries) return { files, outside, problem: `${below}: ${entries.problem}` }
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      const skipped = entry.name.startsWith('.') || entry.name === 'node_modules'
      if (entry.isDirectory()) {
        if (!skipped && enter(path)) open.push(path)
      } else if (entry.isSymbolicLink() && kindOf(join(folder, path)) === 'folder') {
        if (!skipped && enter(path) && leadsOut(root, join(folder, path))) outside.push(path)
      } else files.push(path)
    }
  }
  return { files: files.toSorted(byBytes), outside: outside.toSorted(byBytes) }
}

function read(path: string, options: { readonly root?: string; readonly limitBytes: number }): FileBytes {
  const { root, limitBytes } = options
  if (path.includes('\0')) return { problem: 'the path holds a NUL character' }
  const real = attempt(() => realpathSync(path))
  if (typeof real !== 'string') return attemptLink(path) ? { problem: 'the link leads nowhere' } : real
  if (root !== undefined) {
    const realRoot = attempt(() => realpathSync(root))
    if (typeof realRoot !== 'string') return realRoot
    if (!isInside(realRoot, real)) return { problem: 'it lies outside of the project' }
  }
  const before = attempt(() => statSync(real))
  if ('problem' in before) return before
  if (before.isDirectory()) return { problem: 'it is a folder' }
  if (!before.isFile()) return { problem: 'it is not a regular file' }
  const result = attempt(() => readRegular(real, limitBytes))
  return result
}

/** Opened without following a link or waiting for a pipe that took the file's place meanwhile. */
function readRegular(path: string, limitBytes: number): FileBytes {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = fstatSync(file)
    if (!fstatSync(file).isFile()) return { problem: 'it is not a regular file' }
    if (size > limitBytes) return { problem: `it has ${size} bytes, the limit is ${limitBytes}` }
    const bytes = Buffer.alloc(Math.min(size + 1, limitBytes + 1))
    let filled = 0
    for (let count = -1; count !== 0 && filled < bytes.length; filled += count) count = readSync(file, bytes, filled, bytes.length - filled, null)
    return filled > size ? { problem: 'it changed while it was read' } : { bytes: bytes.subarray(0, filled) }
  } finally {
    closeSync(file)
  }
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = path.includes('\0') ? undefined : attempt(() => statSync(path))
  if (!stat || 'problem' in stat) return undefined
  return stat.isDirectory() ? 'folder' : 'file'
}

function leadsOut(root: string, link: string): boolean {
  const real = attempt(() => realpathSync(link))
  return typeof real === 'string' && !isInside(root, real)
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep))
}

function attemptLink(path: string): boolean {
  const stat = attempt(() => lstatSync(path))
  return !('problem' in stat) && stat.isSymbolicLink()
}

function attempt<T>(action: () => T): T | { readonly problem: string } {
  try {
    return action()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const words: Readonly<Record<string, string>> = {
      ENOENT: 'it does not exist',
      EACCES: 'it may not be read',
      ELOOP: 'its links lead in a circle',
      ENOTDIR: 'it is not a folder',
    }
    if (code === '') throw error
    return { problem: words[code] ?? `it cannot be read (${code})` }
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
