// The one canonical form of manifests: two spaces, the head first, quotes only where needed; values and comments stay what they are.
import { Lexer, Scalar, isMap, isScalar, isSeq, visit } from 'yaml'
import type { Document, Pair, YAMLMap, YAMLSeq } from 'yaml'
import { canonicalJson } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { atOnce } from '../files/turns.ts'
import { composeYaml } from './compose.ts'
import { chunksOf, isBlank } from './documents.ts'
import { isOurVersion, listsManifests, mistypedIn } from './own-documents.ts'
import { valueOfNode } from './value.ts'

/** A document that is left as it is, by the line that it begins at, and why. */
export interface LeftAlone {
  readonly line: number
  readonly why: 'foreign' | 'broken' | 'doubtful'
}

/** A file's text in its canonical form. */
export interface Canonical {
  readonly text: string
  readonly left: readonly LeftAlone[]
}

const head = ['apiVersion', 'kind', 'metadata', 'spec']
const byteOrderMark = '\uFEFF'
// A form that is not reached in so many passes is none.
const MOST_PASSES = 4

/** The canonical form of a file, which has no byte order mark: documents of other tools, and what is no YAML, stay as they are. `kinds` are those of manifests. */
export function canonicalText(whole: string, kinds: ReadonlySet<string>): Canonical {
  const text = whole.startsWith(byteOrderMark) ? whole.slice(byteOrderMark.length) : whole
  const left: LeftAlone[] = []
  let out = ''
  let at = 0
  let isOurs = false
  for (const { start, end } of chunksOf(text)) {
    const part = text.slice(start, end)
    const formed = isBlank(part) ? undefined : canonicalPart(part, kinds)
    if (typeof formed === 'string') isOurs = true
    else if (formed !== undefined) left.push({ line: lineOf(text, start + begin(part)), ...formed })
    out += text.slice(at, start) + (typeof formed === 'string' ? formed : part)
    at = end
  }
  // A file of other tools alone stays as it is with its mark.
  return { text: isOurs ? out : whole, left }
}

/** Where the document of a part begins: behind its marker and the blank lines before it. */
function begin(part: string): number {
  return /^(?:---)?\s*/.exec(part)?.[0].length ?? 0
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

interface Read {
  readonly document: Document.Parsed
  readonly value: JsonValue
}

function read(part: string): Read | undefined {
  const { document, mistakes } = atOnce(composeYaml(part))
  if (!document || mistakes.length > 0) return undefined
  const { value, mistakes: more } = valueOfNode(document.contents)
  return more.length === 0 ? { document, value } : undefined
}

function canonicalPart(part: string, kinds: ReadonlySet<string>): string | Pick<LeftAlone, 'why'> {
  const before = read(part)
  if (!before) return { why: 'broken' }
  const { value } = before
  // A manifest but for its apiVersion is a mistake, and named by whatever loads it.
  if (!isOurVersion(value)) return { why: mistypedIn(value, kinds) || listsManifests(value) ? 'broken' : 'foreign' }
  return settled(part, before, true) ?? settled(part, before, false) ?? { why: 'doubtful' }
}

/** The form that no further pass changes; undefined where it is not reached, or would change a value or lose a comment. */
function settled(part: string, before: Read, ordered: boolean): string | undefined {
  const [value, comments] = [canonicalJson(before.value), commentsOf(part)]
  let text = part
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const now = read(text)
    if (!now) return undefined
    const next = written(now.document, ordered, text)
    const after = next === undefined ? undefined : read(next)
    if (next === undefined || !after || canonicalJson(after.value) !== value || commentsOf(next) !== comments) return undefined
    if (next === text) return next
    text = next
  }
  return undefined
}

/** Undefined for what cannot be written, such as an anchor behind its alias. */
function written(document: Document.Parsed, ordered: boolean, source: string): string | undefined {
  try {
    return stringified(document, ordered, source)
  } catch {
    return undefined
  }
}

/** All comments of a text, sorted: a key that moves takes its own along. */
function commentsOf(text: string): string {
  const found: string[] = []
  for (const lexeme of new Lexer().lex(text)) if (lexeme.startsWith('#')) found.push(lexeme.trim())
  return found.toSorted().join('\n')
}

/** A document in the canonical form; changes its nodes. */
export function documentText(document: Document | Document.Parsed): string {
  visit(document, {
    Scalar(_, node) {
      plain(node)
    },
    Collection(_, node) {
      if (node.flow === true) padded(node)
    },
  })
  return document.toString({ indent: 2, indentSeq: true, lineWidth: 0, minContentWidth: 0 })
}

function stringified(document: Document.Parsed, ordered: boolean, source: string): string {
  if (ordered && isMap(document.contents)) putHeadFirst(document.contents)
  const text = documentText(document)
  const lead = /^(?:[ \t]*\r?\n)+/.exec(source)?.[0]
  // What stands between two documents is kept to one line end.
  return `${lead === undefined ? '' : '\n'}${text.trimEnd()}\n`
}

/** What stands above the first key is about the whole file, such as a licence, and stays above whatever is first. */
function putHeadFirst(map: YAMLMap): void {
  const items = map.items.toSorted((a, b) => placeOf(a) - placeOf(b))
  const [former, first] = [map.items[0]?.key, items[0]?.key]
  if (former !== first && isScalar(former) && isScalar(first) && former.commentBefore) {
    first.commentBefore = [former.commentBefore, ...(first.commentBefore ? [first.commentBefore] : [])].join('\n')
    former.commentBefore = null
  }
  map.items.splice(0, items.length, ...items)
}

function placeOf({ key }: Pair): number {
  const at = isScalar(key) && typeof key.value === 'string' ? head.indexOf(key.value) : -1
  return at < 0 ? head.length : at
}

/** Quotes go where none are needed, and the library writes those that are. */
function plain(node: Scalar): void {
  if (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE) node.type = Scalar.PLAIN
}

/** `[a, b]` and `{ a: b }`: the library knows one padding for both. */
function padded(node: YAMLMap | YAMLSeq): void {
  const own = node.toString.bind(node)
  const padding = isSeq(node) ? '' : ' '
  node.toString = (context, onComment, onChompKeep) => own(context && { ...context, flowCollectionPadding: padding }, onComment, onChompKeep)
}
