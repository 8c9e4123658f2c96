// The parse cache of a project in the user's cache folder: one file, the user's alone, and nothing is lost with it.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { readOwnFile, replaceOwnFile } from '../../base/own-files.ts'
import { userCacheFolder } from '../../base/user-cache.ts'
import type { ParseCache } from '../../project/yaml/parse-cache.ts'
import type { Surroundings } from './surroundings.ts'

/** A cache with what was kept before; `save` writes what this run used, if it added anything. Neither ever fails. */
export interface ParseCacheFile extends ParseCache {
  save(): void
}

type Around = Pick<Surroundings, 'version' | 'environment' | 'homeFolder' | 'userId'>

const FORMAT = 'iac-parsed/v2'
const LARGEST_BYTES = 128 * 1024 * 1024

/** Reads the cache of the project in `folder`; empty where there is none, or one that others could have written or that is damaged. */
export function openParseCache(folder: string, surroundings: Around): ParseCacheFile {
  const caches = userCacheFolder(surroundings, 'parsed')
  const path = caches === undefined ? undefined : join(caches, `${hash('sha256', folder)}.txt`)
  const before = path === undefined ? new Map<string, string>() : readKept(path, surroundings)
  const used = new Map<string, string>()
  let added = false
  return {
    get(key) {
      const text = used.get(key) ?? before.get(key)
      if (text !== undefined) used.set(key, text)
      return text
    },
    put(key, text) {
      used.set(key, text)
      added = true
    },
    save() {
      if (added && path !== undefined) writeKept(path, used, surroundings)
    },
  }
}

function readKept(path: string, surroundings: Around): ReadonlyMap<string, string> {
  const kept = new Map<string, string>()
  const content = textOf(path, surroundings)
  const end = content.indexOf('\n')
  const body = content.slice(end + 1)
  if (end < 0 || content.slice(0, end) !== headOf(surroundings.version, body)) return kept
  for (const line of body.split('\n')) {
    const at = line.indexOf(' ')
    if (at > 0) kept.set(line.slice(0, at), line.slice(at + 1))
  }
  return kept
}

/** What is kept belongs to one version of the program, and a damaged file to none. */
function headOf(version: string, body: string): string {
  return `${FORMAT} ${version} ${hash('sha256', body)}`
}

/** What is not this user's own is not read: whoever wrote it could have put other manifests in the place of the project's. */
function textOf(path: string, surroundings: Around): string {
  try {
    return readOwnFile(path, surroundings.userId, LARGEST_BYTES) ?? ''
  } catch {
    return ''
  }
}

function writeKept(path: string, kept: ReadonlyMap<string, string>, surroundings: Around): void {
  const body = Array.from(kept, ([key, text]) => `${key} ${text}\n`).join('')
  if (body.length > LARGEST_BYTES) return
  try {
    replaceOwnFile(path, `${headOf(surroundings.version, body)}\n${body}`, { durable: false })
  } catch {
    // Nothing is lost with it.
  }
}
