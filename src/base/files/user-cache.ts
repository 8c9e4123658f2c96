// The user's own folder for caches, which must be nobody else's: what lies there is run, or believed, as if this user had made it.
import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { makeOwnFolder } from './own-files.ts'
import type { UserId } from './own-files.ts'

/** Who asks, and where caches of this user lie by the environment. */
export interface CacheOwner {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeFolder: string
  readonly userId: UserId
}

/** The folder `iac/NAME` for caches of this user, made 0700 and checked with those above it; undefined where none can be had. Never throws. */
export function userCacheFolder(owner: CacheOwner, name: string): string | undefined {
  try {
    const path = baseOf(owner)
    if (!isAbsolute(path)) return undefined
    const base = realpathSync(made(path, owner.userId))
    const folder = join(base, 'iac', name)
    makeOwnFolder(dirname(base), folder, owner.userId)
    return folder
  } catch {
    return undefined
  }
}

/** A path that is not absolute would lie in the project. */
function baseOf({ environment, homeFolder }: CacheOwner): string {
  const { XDG_CACHE_HOME: configured, LOCALAPPDATA: local } = environment
  return [configured, local].find((one) => one !== undefined && isAbsolute(one)) ?? join(homeFolder, '.cache')
}

/** People link this folder to another disk: then that one is checked. */
function made(base: string, userId: UserId): string {
  try {
    realpathSync(base)
  } catch {
    makeOwnFolder(dirname(base), base, userId)
  }
  return base
}
