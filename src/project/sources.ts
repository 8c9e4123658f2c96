// Finds the files of a project and reads their documents.
import { createHash } from 'node:crypto'
import { diagnostic } from '../diagnostic.ts'
import type { Diagnostic } from '../diagnostic.ts'
import { decodeUtf8, maxManifestBytes } from './files.ts'
import type { Files } from './files.ts'
import { projectFileName } from './find-project.ts'
import { matchesBelow, matchesGlob } from './glob.ts'
import type { Parses } from './parse-cache.ts'
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
}

interface Found {
  readonly parses: Parses | undefined
  readonly documents: YamlDocument[]
  readonly problems: Diagnostic[]
  readonly hashes: Record<string, string>
  readonly broken: Head[]
  readonly seen: Set<string> // absolute paths: what -f names twice, or in a folder too, is read once
  again: number // files that were read before
  foreign: number
}

/** The hint where none is found. */
export const whatManifestsAre = 'a manifest is a map that begins with apiVersion: iac/v1 and kind'

const defaultPatterns = ['**/*.yaml', '**/*.yml']

/** The documents of the project's list, or of what the command line names. */
export function readSources(files: Files, folder: string, patterns: readonly string[] | undefined, named: Named | undefined, parses?: Parses): Sources {
  const found: Found = { parses, documents: [], problems: [], hashes: {}, broken: [], seen: new Set(), again: 0, foreign: 0 }
  if (!named) readFolder(files, folder, '', patterns ?? defaultPatterns, found)
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

function readFolder(files: Files, folder: string, prefix: string, patterns: readonly string[], found: Found): void {
  const listing = files.list(folder, (path) => patterns.some((pattern) => matchesBelow(pattern, path)))
  const shown = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  if (listing.problem !== undefined) found.problems.push(unreadable(prefix === '' ? '.' : prefix, listing.problem))
  for (const path of listing.outside) found.problems.push(unreadable(shown(path), 'the link leads out of the project'))
  for (const path of listing.files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === projectFileName || !patterns.some((pattern) => matchesGlob(pattern, path))) continue
    const whole = `${folder}/${path}`
    if (found.seen.has(whole)) {
      found.again += 1
      continue
    }
    found.seen.add(whole)
    const read = files.read(whole, { root: folder, limitBytes: maxManifestBytes })
    if (read.bytes === undefined) found.problems.push(unreadable(shown(path), read.problem))
    else readBytes(shown(path), read.bytes, found, false)
  }
}

function readBytes(file: string, bytes: Uint8Array, found: Found, named: boolean): void {
  found.hashes[file] = createHash('sha256').update(bytes).digest('hex')
  const decoded = decodeUtf8(bytes)
  if (decoded.problem === undefined) return readText(file, decoded.text, found, named)
  if (named || holdsOurLine(decoded.guess)) found.problems.push(unreadable(file, decoded.problem))
  else found.foreign += 1
}

function readText(file: string, text: string, found: Found, named: boolean): void {
  const yaml = readYaml(createSource(printable(file), text), { named, parses: found.parses })
  found.documents.push(...yaml.documents)
  found.problems.push(...yaml.problems)
  found.broken.push(...yaml.broken)
  found.foreign += yaml.foreign
}

function unreadable(file: string, problem: string): Diagnostic {
  return diagnostic('file_unreadable', `${printable(file)} cannot be read: ${problem}`, { position: { file: printable(file), line: 1, column: 1 } })
}
