// Which lines may hold a secret, told from the text alone: so that what is no YAML can be reported without showing one.
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { isInSensitiveCall } from '../findings/source.ts'
import { fieldNamesOf, secretFields } from './secret-names.ts'

/** Whether the line at an offset of a document's text may hold a secret: then it is not shown, and nothing of it is quoted. */
export type Hides = (text: string, offset: number) => boolean

/** A file of variables: anything in it may be a sensitive value. */
export const hidesAll: Hides = () => true

// Where a block begins further up, nobody can tell what a line is: it counts as secret.
const mostLines = 20_000

const plainBlocks = new Set(['apiVersion', 'kind', 'name', 'provider', 'manifests', 'moved', 'removed', 'guards'])

/** A project file: whatever is not surely in a block that holds no values of variables, and no address or key of the state. */
export const hidesValues: Hides = (text, offset) => {
  const { line, path } = enclosing(text, offset)
  const [block] = path
  return block === undefined || !plainBlocks.has(block) || /\b(?:default|sensitive|variables|value)\b/.test(line)
}

/** A manifest: whatever is in `sensitive(…)`, in a secret field of its kind, or may be; of any kind where that cannot be told. */
export function hidesSecretFields(kinds: ReadonlyMap<string, AnyKind>): Hides {
  const every = new Set([...kinds.values()].flatMap(secretFields))
  return (text, offset) => {
    const end = lineEnd(text, offset)
    if (isInSensitiveCall(text, text.lastIndexOf('\n', end - 1) + 1, end)) return true
    const word = onlyKindIn(text)
    const kind = kinds.get(word)
    const secrets = kind ? secretFields(kind) : [...every]
    if (secrets.length === 0) return false
    const { line, path } = enclosing(text, offset)
    const [block, field] = path
    if (secrets.some((name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(line) || path.includes(name))) return true
    const names = fieldNamesOf(word, kinds)
    if ([...line.matchAll(/(?<![\w-])([A-Za-z_][\w-]*)["']?\s*:/g)].some(([, name = '']) => names.isSecret(name))) return true
    if (block === 'apiVersion' || block === 'kind' || block === 'metadata') return false
    const isField = field !== undefined && (kind ? Object.hasOwn(kind.fields, field) : true)
    return block !== 'spec' || (path.length > 1 && !isField)
  }
}

/** The kind that a text names in a line of its own; empty for none, and for several, as in a conflict or where the mark between two documents is lost. */
function onlyKindIn(text: string): string {
  const word = /(?<![^\n\r])kind:[ \t]*["']?([A-Za-z][A-Za-z0-9]*)/.exec(text)?.[1] ?? ''
  for (const [, other] of text.matchAll(/(?<![\w-])kind["']?[ \t]*:[ \t]*["']?([A-Za-z][A-Za-z0-9]*)/gi)) if (other !== word) return ''
  return word
}

/** The line at an offset, and the keys around it from the outermost inwards, its own last; undefined where a line has none. */
function enclosing(text: string, offset: number): { readonly line: string; readonly path: readonly (string | undefined)[] } {
  const above = linesAbove(text, lineEnd(text, offset))
  const line = above() ?? ''
  const path = [keyOf(line)]
  let inside = indentOf(line)
  let isItem = /^\s*-\s/.test(line)
  while (inside > 0 || isItem) {
    const before = above()
    if (before === undefined) return { line, path: [undefined, ...path] }
    if (/^\s*(?:#|$)/.test(before)) continue
    const indent = indentOf(before)
    const isItemAbove = /^\s*-\s/.test(before)
    if (indent > inside || (indent === inside && !(isItem && !isItemAbove))) continue
    path.unshift(keyOf(before))
    inside = indent
    isItem = isItemAbove
  }
  return { line, path }
}

/** Each line up to an end, the last one first; undefined where there are no more, or too many to look at. */
function linesAbove(text: string, end: number): () => string | undefined {
  let until = end
  let left = mostLines
  return () => {
    left -= 1
    if (until < 0 || left < 0) return undefined
    const start = until === 0 ? 0 : text.lastIndexOf('\n', until - 1) + 1
    const line = text.slice(start, until)
    until = start - 1
    return line
  }
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function keyOf(line: string): string | undefined {
  return /^\s*(?:-\s+)*["']?([A-Za-z_][\w-]*)["']?\s*:(?:\s|$)/.exec(line)?.[1]
}
