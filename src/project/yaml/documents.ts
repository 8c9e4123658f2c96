// A file's text to its documents: plain values, and where each of them stands.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { unmetered } from '../../base/meter.ts'
import type { Meter } from '../../base/meter.ts'
import { atOnce } from '../files/turns.ts'
import type { Turns } from '../files/turns.ts'
import type { Source } from '../findings/source.ts'
import { printable } from '../findings/source.ts'
import { composeYaml } from './compose.ts'
import type { YamlMistake } from './compose.ts'
import { isOurVersion, listsManifests, mayHoldOurs, mistypedIn, seemsToLackVersion, seemsToNameVersion } from './own-documents.ts'
import type { Mistyped } from './own-documents.ts'
import type { Parses } from './parse-cache.ts'
import type { Hides } from './secret-lines.ts'
import { createPlaces } from './source-map.ts'
import type { Places, Where } from './source-map.ts'
import { valueOfNode } from './value.ts'

/** One document of a file: integers are bigint, other numbers double. */
export interface YamlDocument {
  readonly source: Source
  readonly value: JsonValue
  /** Where the value at a pointer stands, or its nearest ancestor that is there. */
  position(pointer: string, where?: Where): Position
}

export interface YamlFile {
  readonly documents: readonly YamlDocument[]
  readonly foreign: readonly Position[] // documents of other tools
  readonly broken: readonly Head[] // what the documents with mistakes seem to declare
  readonly problems: readonly Diagnostic[]
}

/** Kind and name of a document, as far as they can be read. */
export interface Head {
  readonly kind: string | undefined
  readonly name: string | undefined
}

// The places of larger documents are kept, those of others are found again if they are asked for: most documents are right.
const manyLexemes = 20_000
const stepsPerDocument = 20
const noKinds: ReadonlySet<string> = new Set()
const longestHead = 4096
// Lines as YAML has them: to `^` a line begins behind U+2028 as well, which is a letter like others there.
const startMarker = /^---(?=\s|$)/
const firstWord = /(?<![^\n])[ \t]*(?:\r(?!\n|$)|[^ \t\r\n#])/
const marker = /(?<![^\n\r])(---|\.\.\.)(?=[ \t\r\n]|$)/g

interface YamlOptions {
  readonly all?: boolean
  readonly named?: boolean
  readonly parses?: Parses | undefined
  /** Which lines are not shown where they are no YAML, and not quoted either. */
  readonly hides?: Hides
  /** What reading is charged to. */
  readonly meter?: Meter
  /** The kinds of manifests: a document of one of them with another apiVersion is a mistake, not another tool's. */
  readonly kinds?: ReadonlySet<string>
}

/** The documents that say `apiVersion: iac/…`; with `all` every document, as in variable files. A syntax error hides only its own document; in a file that was `named` it is always reported. */
export function readYaml(source: Source, options: YamlOptions = {}): YamlFile {
  return atOnce(readYamlInTurns(source, options))
}

/** The same, with pauses. */
export function* readYamlInTurns(source: Source, options: YamlOptions = {}): Turns<YamlFile> {
  const { text } = source
  const { parses, meter = unmetered, kinds = noKinds } = options
  const all = options.all ?? false
  // Documents of other tools are not composed when nothing in the file can be ours.
  if (!all && options.named !== true && !mayHoldOurs(text, kinds)) return { documents: [], broken: [], foreign: othersIn(source), problems: [] }
  let isNamed = all || options.named === true ? true : undefined
  const seemsOurs = (part: string): boolean => (isNamed ??= seemsToNameVersion(text)) || seemsToLackVersion(part, kinds)
  const documents: YamlDocument[] = []
  const problems: Diagnostic[] = []
  const broken: Head[] = []
  const foreign: Position[] = []
  for (const chunk of chunksOf(text)) {
    yield
    const part = text.slice(chunk.start, chunk.end)
    if (isBlank(part)) continue
    meter.spend(stepsPerDocument)
    const known = parses?.find(part)
    if (known) {
      documents.push(makeDocument(source, chunk.start, part, known))
      continue
    }
    const { document, root, mistakes } = yield* readDocument(source, chunk.start, part, meter)
    const isOurs = all || (document ? isOurVersion(document.value) : seemsOurs(part))
    const mistyped = isOurs || !document ? undefined : mistypedIn(document.value, kinds)
    if (document && mistyped) {
      problems.push(wrongVersion(document, mistyped, (word) => options.hides?.(part, Math.max(0, part.search(word))) ?? false))
      broken.push(guessHead(part))
      continue
    }
    if (document && !isOurs && listsManifests(document.value)) {
      problems.push(listedManifests(document))
      broken.push(guessHead(part))
      continue
    }
    // A document of another tool may hold anything, and the text of none is known by its hash.
    if (document && isOurs && mistakes.length === 0) parses?.keep(part, { value: document.value, root })
    if (!isOurs) foreign.push(beginOf(source, chunk.start, part))
    else if (mistakes.length > 0) {
      problems.push(...mistakes.map((one) => problemOf(source, chunk.start, one, options.hides?.(part, one.offset) ?? false)))
      broken.push(guessHead(part))
    } else if (document) documents.push(document)
  }
  return { documents, foreign, broken, problems }
}

/** The documents of a text of another tool, each by where it begins. */
function othersIn(source: Source): readonly Position[] {
  return chunksOf(source.text).flatMap(({ start, end }) => {
    const part = source.text.slice(start, end)
    return isBlank(part) ? [] : [beginOf(source, start, part)]
  })
}

/** Where a document begins that may hold anything: the line behind blank ones and comments. */
function beginOf(source: Source, start: number, part: string): Position {
  const behind = part.replace(startMarker, '')
  return source.at(start + part.length - behind.length + Math.max(0, behind.search(firstWord)), { hidden: true })
}

/** Kind and name in a text that is no YAML: by the lines that usually hold them. */
function guessHead(text: string): Head {
  const kind = /(?<![\w-])kind["']?[ \t]*:[ \t]*["']?([A-Za-z][A-Za-z0-9]*)/.exec(text)?.[1]
  const begin = /(?<![\w-])metadata["']?[ \t]*:/.exec(text)?.index
  // As far as a head goes that somebody writes.
  const head = begin === undefined ? '' : text.slice(begin, begin + longestHead)
  const metadata = /^metadata["']?[ \t]*:(.*(?:\n(?:[ \t#].*)?)*)/.exec(head)?.[1] ?? ''
  return { kind, name: /(?:^|[{,\s])["']?name["']?[ \t]*:[ \t]*["']?([A-Za-z_][A-Za-z0-9_-]*)/.exec(metadata)?.[1] }
}

interface Read {
  readonly document: YamlDocument | undefined
  readonly root: number
  readonly mistakes: readonly YamlMistake[]
}

function* readDocument(source: Source, start: number, text: string, meter: Meter): Turns<Read> {
  const { document, mistakes, lexemes } = yield* composeYaml(text, meter)
  const isLarge = lexemes > manyLexemes
  if (!document) return { document, root: 0, mistakes }
  yield
  const { contents } = document
  const root = contents?.range[0] ?? 0
  const places = isLarge ? createPlaces() : undefined
  const { value, mistakes: more } = valueOfNode(contents, places)
  return { document: makeDocument(source, start, text, { value, root }, places?.places()), root, mistakes: [...mistakes, ...more] }
}

function makeDocument(source: Source, start: number, text: string, read: { readonly value: JsonValue; readonly root: number }, kept?: Places): YamlDocument {
  const { value, root } = read
  let places = kept
  return Object.freeze({
    source,
    value,
    position(pointer: string, where: Where = {}): Position {
      if (pointer === '') return source.at(start + root, where)
      places ??= placesIn(text)
      return source.at(start + (places?.locate(text, value, pointer, where) ?? root), where)
    },
  })
}

function placesIn(text: string): Places | undefined {
  const { document } = atOnce(composeYaml(text))
  if (!document) return undefined
  const places = createPlaces()
  valueOfNode(document.contents, places)
  return places.places()
}

function wrongVersion(document: YamlDocument, { apiVersion, kind, meant }: Mistyped, isHidden: (word: RegExp) => boolean): Diagnostic {
  const [key = '', word] = apiVersion === undefined ? ([kind, /\bkind["']?\s*:/i] as const) : ([apiVersion, /\bapiVersion["']?\s*:/i] as const)
  const position = document.position(key === '' ? '' : `/${key}`, { hidden: isHidden(word) })
  const written = isObject(document.value) && kind !== undefined ? document.value[kind] : undefined
  const what = meant ?? (typeof written === 'string' ? printable(written) : 'document')
  const isOther = meant !== undefined && (kind !== 'kind' || written !== meant)
  return diagnostic('wrong_api_version', apiVersion === undefined ? `this ${what} has no apiVersion` : `the apiVersion of this ${what} is none of iac's`, {
    position,
    detail: 'Left alone as a document of another tool, what it declares would be destroyed by the next apply.',
    hint: `write apiVersion: iac/v1${isOther ? ` and kind: ${meant}` : ''}; a document of another tool names that tool's group, as in example.com/v1`,
  })
}

function listedManifests(document: YamlDocument): Diagnostic {
  return diagnostic('invalid_value', 'manifests in a list declare nothing', {
    position: document.position('/0/apiVersion', { hidden: true }),
    detail: 'Left alone as a document of another tool, what they declare would be destroyed by the next apply.',
    hint: 'write each as a document of its own, with a line --- between them',
  })
}

/** `---` and `...` at the start of a line end a document whatever stands around them; directives belong to what follows. */
export function chunksOf(text: string): { readonly start: number; readonly end: number }[] {
  const chunks: { start: number; end: number }[] = []
  let start = 0
  for (const match of text.matchAll(marker)) {
    const head = text.slice(start, match.index)
    if (match[1] === '---' && isDirectives(head)) continue
    chunks.push({ start, end: match.index })
    start = match[1] === '---' ? match.index : match.index + 3
  }
  chunks.push({ start, end: text.length })
  return chunks
}

function isDirectives(head: string): boolean {
  return head.includes('%') && head.split('\n').every((line) => /^(?:%.*|\s*(?:#.*)?)\r?$/.test(line))
}

/** Only blank lines and comments, an explicit start aside. Looks for what is neither: a pattern for all lines overflows over millions. */
export function isBlank(text: string): boolean {
  return !firstWord.test(text.replace(startMarker, ''))
}

function problemOf(source: Source, start: number, mistake: YamlMistake, hidden: boolean): Diagnostic {
  const position = source.at(start + mistake.offset, { hidden })
  const message = printable(hidden ? (mistake.unquoted ?? mistake.message) : mistake.message)
  if (mistake.code === 'yaml_duplicate_key') {
    const first = source.at(start + Number(mistake.hint)).line
    return diagnostic(mistake.code, `${message} stands here twice`, {
      position,
      detail: `It stands in line ${first} and in line ${position.line}.`,
      hint: 'keep one of them',
    })
  }
  return diagnostic(mistake.code, message, { position, ...(mistake.hint === undefined ? {} : { hint: mistake.hint }) })
}
