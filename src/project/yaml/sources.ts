// Finds the files of a project and reads their documents.
import { createHash } from 'node:crypto'
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import type { Budget } from '../files/budget.ts'
import { decodeUtf8, hiddenProblem, maxManifestBytes } from '../files/files.ts'
import type { FileBytes, Files } from '../files/files.ts'
import { projectFileName } from '../files/find-project.ts'
import { matchesBelow, matchesGlob } from '../files/glob.ts'
import { sharedFiles } from '../files/included-files.ts'
import type { Turns } from '../files/turns.ts'
import { createSource, printable } from '../findings/source.ts'
import { chunksOf, readYamlInTurns } from './documents.ts'
import type { Head, YamlDocument } from './documents.ts'
import { seemsToLackVersion, seemsToNameVersion } from './own-documents.ts'
import type { Parses } from './parse-cache.ts'
import type { Hides } from './secret-lines.ts'

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
  readonly foreign: readonly Position[] // documents of other tools, left alone
  readonly hashes: Record<string, string>
  readonly problems: readonly Diagnostic[]
  readonly broken: readonly Head[] // what documents with mistakes seem to declare
  readonly unfit: readonly string[] // patterns that no file fits
}

interface Found {
  readonly kinds: ReadonlySet<string>
  readonly budget: Budget | undefined
  readonly parses: Parses | undefined
  readonly hides: Hides
  readonly documents: YamlDocument[]
  readonly problems: Diagnostic[]
  readonly hashes: Record<string, string>
  readonly broken: Head[]
  readonly shared: string[] // with other names beside these: hard links
  readonly seen: Set<string> // absolute paths: what -f names twice, or in a folder too, is read once
  unfit: readonly string[]
  again: number // files that were read before
  readonly foreign: Position[]
}

/** The hint where none is found. */
export const whatManifestsAre = 'a manifest is a map that begins with apiVersion: iac/v1 and kind'

const stepsPerPattern = 10
const defaultPatterns = ['**/*.yaml', '**/*.yml']

/** How files are read: through a cache, charged to a budget. */
export interface Reading {
  readonly hides: Hides
  readonly parses: Parses | undefined
  readonly budget: Budget | undefined
  readonly kinds: ReadonlySet<string>
}

/** The documents of the project's list, or of what the command line names; of what is no YAML, lines that `hides` speaks of are not shown. With pauses. */
export function* readSourcesInTurns(
  files: Files,
  folder: string,
  patterns: readonly string[] | undefined,
  named: Named | undefined,
  { hides, parses, budget, kinds }: Reading,
): Turns<Sources> {
  const found: Found = {
    kinds,
    budget,
    parses,
    hides,
    documents: [],
    problems: [],
    hashes: {},
    broken: [],
    shared: [],
    seen: new Set(),
    unfit: [],
    again: 0,
    foreign: [],
  }
  if (!named) found.unfit = yield* readFolder(files, { folder, prefix: '' }, patterns ?? defaultPatterns, found)
  for (const one of named?.paths ?? []) yield* readNamed(files, folder, one, found)
  if (named?.stdin !== undefined) {
    const before = countOf(found)
    yield* readText('-', named.stdin, found, true)
    if (countOf(found) === before) found.problems.push(noManifest('-'))
  }
  if (found.shared.length > 0) found.problems.push(sharedFiles(found.shared))
  return found
}

function* readNamed(files: Files, project: string, one: NamedPath, found: Found): Turns<void> {
  if (found.seen.has(one.path)) return
  const kind = files.kindOf(one.path)
  const before = countOf(found)
  if (kind === 'folder') yield* readFolder(files, { folder: one.path, prefix: one.shown.replace(/\/+$/, ''), guard: project }, defaultPatterns, found)
  else {
    found.seen.add(one.path)
    yield* readFile(one.shown, files.read(one.path, { guard: project, limitBytes: maxManifestBytes }), found, true)
  }
  if (countOf(found) > before) return
  found.problems.push(noManifest(one.shown))
}

function noManifest(shown: string): Diagnostic {
  return diagnostic('usage', `${printable(shown)} holds no manifest`, { hint: whatManifestsAre })
}

function countOf({ documents, problems, again }: Found): number {
  return documents.length + problems.length + again
}

/** A folder that is read: its absolute path, what stands before the paths of its files, and whose rules hold for it. */
interface Place {
  readonly folder: string
  readonly prefix: string
  readonly guard?: string
}

/** Reads what fits; gives the patterns that nothing fits. */
function* readFolder(files: Files, { folder, prefix, guard }: Place, patterns: readonly string[], found: Found): Turns<readonly string[]> {
  const compare = () => found.budget?.whole.spend(stepsPerPattern * patterns.length)
  const enter = (path: string): boolean => {
    compare()
    return patterns.some((pattern) => matchesBelow(pattern, path))
  }
  const listing = yield* files.list(folder, enter, guard)
  const shown = (path: string) => (prefix === '' ? path : `${prefix}/${path}`)
  if (listing.problem !== undefined) found.problems.push(unreadable(prefix === '' ? '.' : prefix, listing.problem))
  for (const path of listing.outside) found.problems.push(unreadable(shown(path), 'the link leads out of the project'))
  const unfit = new Set(patterns)
  const fitting: string[] = []
  for (const path of listing.files) {
    yield
    if (path === projectFileName || path.endsWith(`/${projectFileName}`)) continue
    compare()
    const fits = patterns.filter((pattern) => matchesGlob(pattern, path))
    for (const pattern of fits) unfit.delete(pattern)
    if (fits.length > 0) fitting.push(path)
  }
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
    yield* readFile(shown(path), files.read(`${folder}/${path}`, { root: folder, limitBytes: maxManifestBytes, tellsHidden: true }), found, false)
  }
  return listing.problem === undefined ? [...unfit] : []
}

function* readFile(file: string, read: FileBytes, found: Found, named: boolean): Turns<void> {
  if (read.bytes === undefined) return void found.problems.push(unreadable(file, read.problem))
  if (read.isHidden === true) return yield* readHidden(file, read.bytes, found)
  const before = found.documents.length
  yield* readBytes(file, read.bytes, found, named)
  if (read.names !== undefined && found.documents.length > before) found.shared.push(file)
}

/** What links lead to in dot folders is no manifest of the project; left out silently, its objects would seem to be wanted no more. */
function* readHidden(file: string, bytes: Uint8Array, found: Found): Turns<void> {
  const own: Found = { ...found, documents: [], problems: [], hashes: {}, broken: [], foreign: [] }
  yield* readBytes(file, bytes, own, false)
  if (own.documents.length + own.problems.length === 0) own.foreign.forEach((place) => found.foreign.push(place))
  else found.problems.push(unreadable(file, hiddenProblem))
}

function* readBytes(file: string, bytes: Uint8Array, found: Found, named: boolean): Turns<void> {
  found.hashes[file] = createHash('sha256').update(bytes).digest('hex')
  const decoded = decodeUtf8(bytes)
  if (decoded.problem === undefined) return yield* readText(file, decoded.text, found, named)
  const { guess } = decoded
  const seemsOurs = () => seemsToNameVersion(guess) || chunksOf(guess).some(({ start, end }) => seemsToLackVersion(guess.slice(start, end), found.kinds))
  if (named || seemsOurs()) found.problems.push(unreadable(file, decoded.problem))
  else found.foreign.push({ file: printable(file), line: 1, column: 1 })
}

function* readText(file: string, text: string, found: Found, named: boolean): Turns<void> {
  const { parses, hides, budget, kinds } = found
  const shown = printable(file)
  budget?.admit(text.length)
  budget?.begin(() => ({ file: shown, line: 1, column: 1 }))
  const yaml = yield* readYamlInTurns(createSource(shown, text), { named, parses, hides, kinds, ...(budget ? { meter: budget.whole } : {}) })
  found.documents.push(...yaml.documents)
  found.problems.push(...yaml.problems)
  found.broken.push(...yaml.broken)
  for (const place of yaml.foreign) found.foreign.push(place)
}

function unreadable(file: string, problem: string): Diagnostic {
  return diagnostic('file_unreadable', `${printable(file)} cannot be read: ${problem}`, { position: { file: printable(file), line: 1, column: 1 } })
}
