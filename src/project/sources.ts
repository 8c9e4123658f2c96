// Finds the files of a project and reads their documents.
import { createHash } from 'node:crypto'
import { diagnostic } from '../diagnostic.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { decodeUtf8, maxManifestBytes } from './files.ts'
import type { Files } from './files.ts'
import { projectFileName } from './find-project.ts'
import { matchesBelow, matchesGlob } from './glob.ts'
import type { Parses } from './parse-cache.ts'
import { hidesAll } from './secret-lines.ts'
import type { Hides } from './secret-lines.ts'
import { createSource, printable } from './source.ts'
import { holdsOurLine, readYaml } from './yaml-documents.ts'
import type { Head, YamlDocument } from './yaml-documents.ts'

/** A file or folder that the command line names, absolute; `shown` is how it was written. */
export interface NamedPath {
  readonly path: string
  readonly shown: string
}

/** What is read instead of the project's list: `-f` paths and the text of `-f -`. */
export interface Named {
  readonly paths: readonly NamedPath[]
  readonly stdin: string | undefined
}

export interface Sources {
  readonly documents: readonly YamlDocument[]
  readonly foreign: number // documents of other tools, left alone
  readonly hashes: Record<string, string>
  readonly problems: readonly Diagnostic[]
  readonly broken: readonly Head[] // what documents with mistakes seem to declare
  readonly unfit: readonly string[] // patterns that no file fits
}

interface Found {
  readonly parses: Parses | undefined
  readonly hides: Hides
  readonly documents: YamlDocument[]
  readonly problems: Diagnostic[]
  readonly hashes: Record<string, string>
  readonly broken: Head[]
  readonly seen: Set<string> // absolute paths: what -f names twice, or in a folder too, is read once
  unfit: readonly string[]
  again: number // files that were read before
  foreign: number
}

/** The hint where none is found. */
export const whatManifestsAre = 'a manifest is a map that begins with apiVersion: iac/v1 and kind'

const defaultPatterns = ['**/*.yaml', '**/*.yml']

/** The documents of the project's list, or of what the command line names; of what is no YAML, lines that `hides` speaks of are not shown. */
export function readSources(
  files: Files,
  folder: string,
  patterns: readonly string[] | undefined,
  named: Named | undefined,
  hides: Hides = hidesAll,
  parses?: Parses,
): Sources {
  const found: Found = { parses, hides, documents: [], problems: [], hashes: {}, broken: [], seen: new Set(), unfit: [], again: 0, foreign: 0 }
  if (!named) found.unfit = readFolder(files, folder, '', patterns ?? defaultPatterns, found)
  for (const one of named?.paths ?? []) readNamed(files, one, found)
  if (named?.stdin !== undefined) readText('-', named.stdin, found, true)
  return found
}

function readNamed(files: Files, one: NamedPath, found: Found): void {
  if (found.seen.has(one.path)) return
  const kind = files.kindOf(one.path)
  const before = countOf(found)
  if (kind === 'folder') readFolder(files, one.path, one.shown.replace(/\/+$/, ''), defaultPatterns, found)
  else {
    found.seen.add(one.path)
    const read = files.read(one.path, { limitBytes: maxManifestBytes })
    if (read.bytes === undefined) found.problems.push(unreadable(one.shown, read.problem))
    else readBytes(one.shown, read.bytes, found, true)
  }
  if (countOf(found) > before) return
  found.problems.push(diagnostic('usage', `${printable(one.shown)} holds no manifest`, { hint: whatManifestsAre }))
}

function countOf({ documents, problems, again }: Found): number {
  return documents.length + problems.length + again
}

/** Reads what fits; gives the patterns that nothing fits. */
function readFolder(files: Files, folder: string, prefix: string, patterns: readonly string[], found: Found): readonly string[] {
  const listing = files.list(folder, (path) => patterns.some((pattern) => matchesBelow(pattern, path)))
  const shown = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  if (listing.problem !== undefined) found.problems.push(unreadable(prefix === '' ? '.' : prefix, listing.problem))
  for (const path of listing.outside) found.problems.push(unreadable(shown(path), 'the link leads out of the project'))
  const unfit = new Set(patterns)
  const fitting = listing.files.filter((path) => {
    if (path === projectFileName || path.endsWith(`/${projectFileName}`)) return false
    const fits = patterns.filter((pattern) => matchesGlob(pattern, path))
    for (const pattern of fits) unfit.delete(pattern)
    return fits.length > 0
  })
  // What links lead to is read once, and where it stands if that is read at all.
  const direct = new Set(fitting.filter((path) => !listing.linked?.has(path)))
  for (const path of fitting) {
    const real = listing.linked?.get(path)
    if (real !== undefined && direct.has(real)) continue
    const whole = `${folder}/${real ?? path}`
    if (found.seen.has(whole)) {
      found.again += 1
      continue
    }
    found.seen.add(whole)
    const read = files.read(`${folder}/${path}`, { root: folder, limitBytes: maxManifestBytes })
    if (read.bytes === undefined) found.problems.push(unreadable(shown(path), read.problem))
    else readBytes(shown(path), read.bytes, found, false)
  }
  return listing.problem === undefined ? [...unfit] : []
}

function readBytes(file: string, bytes: Uint8Array, found: Found, named: boolean): void {
  found.hashes[file] = createHash('sha256').update(bytes).digest('hex')
  const decoded = decodeUtf8(bytes)
  if (decoded.problem === undefined) return readText(file, decoded.text, found, named)
  if (named || holdsOurLine(decoded.guess)) found.problems.push(unreadable(file, decoded.problem))
  else found.foreign += 1
}

function readText(file: string, text: string, found: Found, named: boolean): void {
  const yaml = readYaml(createSource(printable(file), text), { named, parses: found.parses, hides: found.hides })
  found.documents.push(...yaml.documents)
  found.problems.push(...yaml.problems)
  found.broken.push(...yaml.broken)
  found.foreign += yaml.foreign
}

function unreadable(file: string, problem: string): Diagnostic {
  return diagnostic('file_unreadable', `${printable(file)} cannot be read: ${problem}`, { position: { file: printable(file), line: 1, column: 1 } })
}
