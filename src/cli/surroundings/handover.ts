// Files of the project, named by its manifests, that values which are told once are written into, mode 0600, all at once.
import { lstatSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import type { Failure } from '../../base/diagnostic.ts'
import { makeOwnFolder, replaceOwnFile, wayProblem } from '../../base/files/own-files.ts'
import type { UserId } from '../../base/files/own-files.ts'
import type { Handover } from '../../engine/model/run.ts'

/** More than any code has. */
const MOST_BYTES = 4096
/** What a file may hold that is replaced: one code, and nothing that anybody else could have written there. */
const oneCode = /^[\w.~+/=:-]*\r?\n?$/

/**
 * The files below a project's folder. Throws Failures `file_unwritable`: for a path that leads out of it or into a hidden folder, over a link, to a
 * manifest or to a file that holds something else than a code, and for what the disk refuses.
 */
export function handoverIn(folder: string, userId: UserId): Handover {
  const place = (file: string): string => {
    const parts = file.split(/[/\\]/)
    if (isAbsolute(file) || parts.some((part) => part === '' || part.startsWith('.'))) throw refused(file, 'it is no file inside of the project folder')
    if (/\.ya?ml$/i.test(file)) throw refused(file, 'a file that is read as a manifest cannot hold a code')
    const path = join(folder, ...parts)
    const problem = byDisk(file, () => wayProblem(folder, path) ?? (holdsOther(path) ? 'it holds something else than a code' : undefined))
    if (problem !== undefined) throw refused(file, problem)
    if (parts.length > 1) byDisk(file, () => makeOwnFolder(folder, dirname(path), userId))
    return path
  }
  return {
    async check(file) {
      const path = place(file)
      byDisk(file, () => rmdirSync(mkdtempSync(join(dirname(path), '.iac-'))))
    },
    async write(file, text) {
      const path = place(file)
      byDisk(file, () => replaceOwnFile(path, text))
    },
  }
}

function holdsOther(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.size > MOST_BYTES || !oneCode.test(readFileSync(path, 'utf8')))
}

function byDisk<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refused(file, 'the disk refuses it', error instanceof Error ? error.message : '')
  }
}

function refused(file: string, why: string, detail?: string): Failure {
  return failure('file_unwritable', `${file} cannot be written: ${why}`, detail === undefined ? {} : { detail })
}
