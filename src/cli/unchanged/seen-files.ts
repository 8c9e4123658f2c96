// What a run saw of files: noted while it looks, and looked at again by the next one.
import { createHash, hash } from 'node:crypto'
import type { FileBytes, Files, Listing, ReadOptions } from '../../project/files/files.ts'
import { atOnce } from '../../project/files/turns.ts'
import type { Turns } from '../../project/files/turns.ts'

/** One look: which call with what, so that it can be done again. */
export type Look =
  | { readonly is: 'read'; readonly path: string; readonly options: ReadOptions }
  /** `entered`: the folders that came by, and whether they were entered. */
  | { readonly is: 'list'; readonly path: string; readonly guard?: string | undefined; readonly entered: readonly (readonly [string, boolean])[] }
  | { readonly is: 'kind'; readonly path: string }

/** All looks of a run, and a digest of what they saw. */
export interface SeenFiles {
  readonly looks: readonly Look[]
  readonly digest: string
}

/** Files that note every look at them. */
export function notingFiles(files: Files): { readonly files: Files; readonly seen: () => SeenFiles } {
  const looks: Look[] = []
  const digests: string[] = []
  function note<T>(look: Look, saw: T, told: (saw: T) => string): T {
    looks.push(look)
    digests.push(told(saw))
    return saw
  }
  return {
    files: {
      read: (path, options) => note({ is: 'read', path, options }, files.read(path, options), bytesText),
      kindOf: (path) => note({ is: 'kind', path }, files.kindOf(path), String),
      *list(folder, enter, guard): Turns<Listing> {
        const entered: [string, boolean][] = []
        const noting = (path: string): boolean => {
          const isEntered = enter(path)
          entered.push([path, isEntered])
          return isEntered
        }
        const listing = yield* files.list(folder, noting, guard)
        return note({ is: 'list', path: folder, guard, entered }, listing, listingText)
      },
    },
    seen: () => ({ looks, digest: digestOf(digests) }),
  }
}

/** The digest of what these looks see now. */
export function seenNow(files: Files, looks: readonly Look[]): string {
  return digestOf(looks.map((look) => seenBy(files, look)))
}

function seenBy(files: Files, look: Look): string {
  if (look.is === 'read') return bytesText(files.read(look.path, look.options))
  if (look.is === 'kind') return String(files.kindOf(look.path))
  const before = new Map(look.entered)
  let isNew = false
  const enter = (path: string): boolean => {
    const isEntered = before.get(path)
    // Whether this one would be entered is not known here.
    if (isEntered === undefined) isNew = true
    return isEntered ?? false
  }
  const text = listingText(atOnce(files.list(look.path, enter, look.guard)))
  return isNew ? 'a folder that was not there' : text
}

function bytesText({ bytes, ...rest }: FileBytes): string {
  return JSON.stringify([bytes === undefined ? null : hash('sha256', bytes), rest])
}

function listingText({ linked, ...rest }: Listing): string {
  return JSON.stringify([rest, [...(linked ?? [])]])
}

function digestOf(texts: readonly string[]): string {
  const all = createHash('sha256')
  for (const text of texts) all.update(`${text}\n`)
  return all.digest('hex')
}
