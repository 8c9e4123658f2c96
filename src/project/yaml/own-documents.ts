// Which documents are iac's: by what they say, and where a text is no YAML by what its lines seem to say. Taken for another tool's, what a document declares would be destroyed.
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'

const headWords = ['apiVersion', 'kind', 'metadata', 'spec'] as const
type HeadWord = (typeof headWords)[number]

const headLine = /\b(apiVersion|kind|metadata|spec)["']?[ \t]*:[ \t]*["']?([^\s"',{}]*)/gi
const headWord = /apiVersion|kind|metadata|spec/i
const opening = /[{,[][ \t]*["']?$/
const longestOpening = 64
const blockText = /(?:^|[\s:-])[|>][-+0-9]*[ \t]*(?:#.*)?$/
const longestRemark = 240
const ownVersion = /^iac\\?\//i
// With the signs left out that are mistyped most, or others in their place.
const nearVersion = /^iac[\W_]*v?[\d.]*$/i
// A group of another tool, as in `example.com/v1`.
const otherGroup = /^[A-Za-z][^/]*\.[^/]*\/./
const mentionsVersion = /iac\\?\/|apiVersion["']?\s*:\s*["']?iac/i
const kindLine = /\bkind["']?\s*:\s*["']?([A-Za-z][A-Za-z0-9]*)/gi

/** What a text has in the place of a key of manifests. */
interface HeadLine {
  readonly word: string
  readonly value: string
  readonly column: number
}

/** Whether anything in a text may be a manifest: files of other tools need not be read. */
export function mayHoldOurs(text: string, kinds: ReadonlySet<string>): boolean {
  if (mentionsVersion.test(text)) return true
  for (const [, word = ''] of text.matchAll(kindLine)) if (kindNamed(word, kinds) !== undefined) return true
  return false
}

/** Whether a text seems to hold a manifest of any version: then a mistake in it is ours to report. What comments and texts over several lines mention does not count. */
export function seemsToNameVersion(text: string): boolean {
  if (!mentionsVersion.test(text)) return false
  for (const one of headLinesIn(text)) if (namesVersion(one)) return true
  return false
}

/** Whether a document that is no YAML seems to be a manifest without its version: by a kind beside metadata or a spec where no version of another tool stands. */
export function seemsToLackVersion(text: string, kinds: ReadonlySet<string>): boolean {
  if (!mayHoldOurs(text, kinds)) return false
  let [hasRest, ours, others] = [false, Infinity, Infinity]
  for (const { word, value, column } of headLinesIn(text)) {
    if (word === 'metadata' || word === 'spec') hasRest = true
    else if (word === 'kind' && column < ours && kindNamed(value, kinds) !== undefined) ours = column
    else if (word === 'apiversion' && column < others && otherGroup.test(value)) others = column
  }
  return hasRest && ours < others
}

function namesVersion({ word, value }: HeadLine): boolean {
  return word === 'apiversion' && ownVersion.test(value)
}

/** The keys of manifests in a text: behind nothing but signs, as in JSON and patches, or behind what opens or divides a map; without what stands in texts over several lines, of which every line is further in than their key. */
function* headLinesIn(text: string): Generator<HeadLine> {
  let around: number | undefined
  for (const [line] of text.matchAll(/[^\n\r]+/g)) {
    const column = line.search(/[^ ]/)
    if (around !== undefined && (column < 0 || column > around || line.trim() === '')) continue
    around = /[|>]/.test(line) && blockText.test(line.slice(-longestRemark)) ? blockColumn(line) : undefined
    if (!headWord.test(line)) continue
    const first = line.search(/[\w#]/)
    if (line[first] === '#') continue
    for (const { index, 1: word = '', 2: value = '' } of line.matchAll(headLine))
      if (index === first || opening.test(line.slice(Math.max(0, index - longestOpening), index))) yield { word: word.toLowerCase(), value, column }
  }
}

/** The column of the key, or of the sign of a list, that a text over several lines belongs to. */
function blockColumn(line: string): number {
  const [before] = /^ *(?:- +)*/.exec(line) ?? ['']
  return /[|>]/.test(line.charAt(before.length)) ? before.trimEnd().length - 1 : before.length
}

/** Whether a document says that it is a manifest, of whatever version. */
export function isOurVersion(value: JsonValue): boolean {
  return isObject(value) && typeof value.apiVersion === 'string' && value.apiVersion.startsWith('iac/')
}

/** Whether a document is a list with manifests in it, which declares none of them. */
export function listsManifests(value: JsonValue): boolean {
  return isList(value) && value.some(isOurVersion)
}

/** What was meant by a document that is a manifest but for its apiVersion, or for the letter case of its keys and kind. */
export interface Mistyped {
  /** The key that apiVersion is written as, and kind; undefined where there is none. */
  readonly apiVersion: string | undefined
  readonly kind: string | undefined
  /** The kind that is meant, where it is one of ours. */
  readonly meant: string | undefined
}

/** A manifest but for its apiVersion. A group of another tool, as in `example.com/v1`, says that it is none. */
export function mistypedIn(value: JsonValue, kinds: ReadonlySet<string>): Mistyped | undefined {
  if (!isObject(value)) return undefined
  const keys = keysOf(value)
  if (keys.metadata === undefined && keys.spec === undefined) return undefined
  const valueOf = (key: string | undefined) => (key === undefined ? undefined : value[key])
  const [version, kind] = [valueOf(keys.apiVersion), valueOf(keys.kind)]
  if (typeof version === 'string' && otherGroup.test(version)) return undefined
  const meant = typeof kind === 'string' ? kindNamed(kind, kinds) : undefined
  if (meant === undefined && !(typeof version === 'string' && (ownVersion.test(version) || nearVersion.test(version)))) return undefined
  return { apiVersion: keys.apiVersion, kind: keys.kind, meant }
}

/** The keys of a manifest as a document writes them: as they are, else in other letter case. */
function keysOf(value: JsonObject): Readonly<Partial<Record<HeadWord, string>>> {
  const written = Object.keys(value)
  const found = headWords.map((word) => [word, Object.hasOwn(value, word) ? word : written.find((key) => key.toLowerCase() === word.toLowerCase())] as const)
  return Object.fromEntries(found)
}

/** The kind of this name in whatever letter case. */
function kindNamed(word: string, kinds: ReadonlySet<string>): string | undefined {
  if (kinds.has(word)) return word
  const lower = word.toLowerCase()
  return [...kinds].find((kind) => kind.toLowerCase() === lower)
}
