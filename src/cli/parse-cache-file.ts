// The parse cache of a project in the user's cache folder: one file, the user's alone, and nothing is lost with it.
import { hash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParseCache } from '../project/parse-cache.ts'
import { makeFolders } from '../state/disk.ts'
import type { Surroundings } from './surroundings.ts'

/** A cache with what was kept before; `save` writes what this run used, if it added anything. Neither ever fails. */
export interface ParseCacheFile extends ParseCache {
  save(): Promise<void>
}

type Around = Pick<Surroundings, 'version' | 'environment' | 'homeFolder' | 'randomBytes'>

const FORMAT = 'iac-parsed/v1'
const LARGEST_BYTES = 128 * 1024 * 1024

/** Reads the cache of the project in `folder`; empty where there is none, or one that others could have written or that is damaged. */
export async function openParseCache(folder: string, surroundings: Around): Promise<ParseCacheFile> {
  const path = join(cacheFolder(surroundings), `${hash('sha256', folder)}.txt`)
  const before = await readKept(path, surroundings.version)
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
    async save() {
      if (added) await writeKept(path, used, surroundings).catch(() => undefined)
    },
  }
}

async function readKept(path: string, version: string): Promise<ReadonlyMap<string, string>> {
  const kept = new Map<string, string>()
  const content = await textOf(path)
  const end = content.indexOf('\n')
  const body = content.slice(end + 1)
  if (end < 0 || content.slice(0, end) !== headOf(version, body)) return kept
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

async function textOf(path: string): Promise<string> {
  try {
    const { mode, size } = await stat(path)
    if ((mode & 0o022) !== 0 || size > LARGEST_BYTES) return ''
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}

async function writeKept(path: string, kept: ReadonlyMap<string, string>, { version, randomBytes, ...surroundings }: Around): Promise<void> {
  const body = Array.from(kept, ([key, text]) => `${key} ${text}\n`).join('')
  if (body.length > LARGEST_BYTES) return
  await makeFolders(cacheFolder(surroundings), 0o700)
  const temporary = `${path}.${Buffer.from(randomBytes(6)).toString('hex')}`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${headOf(version, body)}\n${body}`)
    await file.close()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function cacheFolder({ environment, homeFolder }: Pick<Around, 'environment' | 'homeFolder'>): string {
  const { XDG_CACHE_HOME: configured, LOCALAPPDATA: local } = environment
  const base = [configured, local].find((one) => one !== undefined && one !== '') ?? join(homeFolder, '.cache')
  return join(base, 'iac', 'parsed')
}
