// The parse cache of a project in the user's cache folder: one file, the user's alone, and nothing is lost with it.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { readOwnBytes, removeOlderFiles, replaceOwnFile } from '../../base/files/own-files.ts'
import { userCacheFolder } from '../../base/files/user-cache.ts'
import type { ParseCache, Parsed } from '../../project/yaml/parse-cache.ts'
import type { Surroundings } from './surroundings.ts'

/** A cache with what was kept before; `save` writes what this run used, if it added anything. Neither ever fails. */
export interface ParseCacheFile extends ParseCache {
  save(): void
}

type Around = Pick<Surroundings, 'version' | 'build' | 'environment' | 'homeFolder' | 'userId' | 'tuning'>

const FORMAT = 'iac-parsed/v3'
const LARGEST_BYTES = 128 * 1024 * 1024
/** Projects and checkouts come and go: one that has not changed for so long is parsed once more. */
const LONGEST_MS = 30 * 24 * 3_600_000

/** Reads the cache of the project in `folder`; empty where there is none, or one that others could have written or that is damaged. */
export function openParseCache(folder: string, surroundings: Around): ParseCacheFile {
  const { version, build = '-', userId } = surroundings
  const writer = `${version} ${build}`
  const caches = userCacheFolder(surroundings, 'parsed')
  const path = caches === undefined ? undefined : join(caches, `${hash('sha256', folder)}.txt`)
  const end = (): void => {
    if (isParsing) surroundings.tuning.optimise('late')
    isParsing = false
  }
  const before = path === undefined ? new Map<string, Parsed>() : readKept(path, writer, userId)
  const used = new Map<string, Parsed>()
  let added = false
  let isParsing = false
  return {
    get(key) {
      const parsed = used.get(key) ?? before.get(key)
      if (parsed !== undefined) used.set(key, parsed)
      else if (!isParsing) {
        // Whoever parses many documents runs little code very often.
        isParsing = true
        surroundings.tuning.optimise('early')
      }
      return parsed
    },
    put(key, parsed) {
      used.set(key, parsed)
      added = true
    },
    close: end,
    save() {
      end()
      if (added && path !== undefined) writeKept(path, used, writer)
    },
  }
}

function readKept(path: string, writer: string, userId: Surroundings['userId']): ReadonlyMap<string, Parsed> {
  try {
    // What is not this user's own is not read: whoever wrote it could have put other manifests in the place of the project's.
    const content = readOwnBytes(path, userId, LARGEST_BYTES) ?? Buffer.alloc(0)
    const end = content.indexOf('\n')
    const body = content.subarray(end + 1)
    if (end < 0 || content.toString('latin1', 0, end) !== headOf(writer, body)) return new Map()
    const kept: unknown = deserialize(body)
    return isKept(kept) ? kept : new Map()
  } catch {
    return new Map()
  }
}

/** What stands below a head that fits was written by this very build: nothing in it is looked at again. */
function isKept(kept: unknown): kept is ReadonlyMap<string, Parsed> {
  return kept instanceof Map
}

/** What is kept belongs to one build of the program, since another one may find a mistake in what this one took, and a damaged file to none. */
function headOf(writer: string, body: Uint8Array): string {
  return `${FORMAT} ${writer} ${hash('sha256', body)}`
}

function writeKept(path: string, kept: ReadonlyMap<string, Parsed>, writer: string): void {
  try {
    const body = serialize(kept)
    const head = Buffer.from(`${headOf(writer, body)}\n`)
    if (head.length + body.length > LARGEST_BYTES) return
    replaceOwnFile(path, Buffer.concat([head, body]), { durable: false })
    removeOlderFiles(path, LONGEST_MS)
  } catch {
    // Nothing is lost with it.
  }
}
