// What loading needs of a file system, and how bytes become text.
import type { Turns } from './turns.ts'

/** What `read` gives: the bytes of a regular file, or why there are none. */
export type FileBytes =
  | {
      readonly bytes: Uint8Array
      readonly problem?: undefined
      /** How many names a file of a project has, where it has more than this one: hard links. */
      readonly names?: number
      /** A link led to it, and it is a dot file or lies in a dot folder. */
      readonly isHidden?: true
    }
  | { readonly bytes?: undefined; readonly problem: string }

/** Why a file of a project is not read although it could be. */
export const outsideProblem = 'it lies outside of the project'
export const hiddenProblem = 'a link leads to a dot file or into a dot folder'

/** Which folder's rules hold for a file that is read: no link may lead out of it, or to dot files and into dot folders. */
export interface ReadOptions {
  readonly limitBytes: number
  /** The file must lie there. */
  readonly root?: string
  /** Its rules hold for files in it; what lies elsewhere is read as it is. */
  readonly guard?: string
  /** What a link leads to in a dot folder is read, and told. */
  readonly tellsHidden?: true
}

/** Files of a folder and its folders by path relative to it, links inside of it followed; links to folders elsewhere by themselves. */
export interface Listing {
  readonly files: readonly string[]
  readonly outside: readonly string[]
  /** Where files really stand that a link leads to, by path; relative to the folder, too. */
  readonly linked?: ReadonlyMap<string, string>
  readonly problem?: string
}

/** The file system as loading sees it; paths are absolute unless said otherwise. */
export interface Files {
  /** Every file below a folder in byte order of paths, dot folders and node_modules left out, folders entered only if `enter` says so; the rules of `guard` hold for the folder as in `read`. */
  list(folder: string, enter: (path: string) => boolean, guard?: string): Turns<Listing>
  /** A regular file of at most `limitBytes`, where it may be read; what was checked is what is read. */
  read(path: string, options: ReadOptions): FileBytes
  /** What stands there; a link that leads nowhere is a file, which cannot be read. */
  kindOf(path: string): 'file' | 'folder' | undefined
}

/** The largest file that is read as a manifest. */
export const maxManifestBytes = 16 * 1024 * 1024
/** The largest file that file() reads. */
export const maxIncludedBytes = 1024 * 1024

export type Decoded = { readonly text: string; readonly problem?: undefined } | { readonly problem: string; readonly guess: string }

/** UTF-8 as text, a BOM left out unless it is kept; else what is wrong, and the text as far as it can be guessed. */
export function decodeUtf8(bytes: Uint8Array, options: { readonly keepBom?: boolean } = {}): Decoded {
  const utf16 = utf16Of(bytes)
  if (utf16) return { problem: 'the file is UTF-16; save it as UTF-8', guess: new TextDecoder(utf16).decode(bytes) }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: options.keepBom ?? false }).decode(bytes) }
  } catch {
    return { problem: `the file is not UTF-8: byte ${validBytes(bytes) + 1} cannot stand there`, guess: new TextDecoder('latin1').decode(bytes) }
  }
}

/** By its byte order mark, or by the zeros beside ASCII. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  return first === 0 && second !== 0 && third === 0 && fourth !== 0 && second !== undefined && fourth !== undefined ? 'utf-16be' : undefined
}

/** How many bytes from the start are UTF-8. */
function validBytes(bytes: Uint8Array): number {
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (isUtf8(bytes.subarray(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
