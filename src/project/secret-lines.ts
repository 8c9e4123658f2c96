// Which lines may hold a secret, told from the text alone: so that what is no YAML can be reported without showing one.
import { marksOf } from '../kinds/fields.ts'
import type { AnyKind } from '../kinds/kind.ts'
import { childOf } from './schema.ts'

/** Whether the line at an offset of a document's text may hold a secret: then it is not shown, and nothing of it is quoted. */
export type Hides = (text: string, offset: number) => boolean

/** A file of variables: anything in it may be a sensitive value. */
export const hidesAll: Hides = () => true

const plainBlocks = new Set(['apiVersion', 'kind', 'name', 'provider', 'state', 'manifests', 'moved', 'removed', 'guards'])

/** A project file: whatever is not surely in a block that holds no values of variables. */
export const hidesValues: Hides = (text, offset) => {
  const { line, path } = enclosing(text, offset)
  const [block] = path
  return block === undefined || !plainBlocks.has(block) || /\b(?:default|sensitive|variables|value)\b/.test(line)
}

/** A manifest: whatever is in a secret field of its kind, or may be; of any kind where that cannot be told. */
export function hidesSecretFields(kinds: ReadonlyMap<string, AnyKind>): Hides {
  const every = new Set([...kinds.values()].flatMap(secretFields))
  return (text, offset) => {
    const word = /^kind:[ \t]*["']?([A-Za-z][A-Za-z0-9]*)/m.exec(text)?.[1] ?? ''
    const kind = kinds.get(word)
    const secrets = kind ? secretFields(kind) : [...every]
    if (secrets.length === 0) return false
    const { line, path } = enclosing(text, offset)
    const [block, field] = path
    if (secrets.some((name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(line) || path.includes(name))) return true
    if (block === 'apiVersion' || block === 'kind' || block === 'metadata') return false
    const isField = field !== undefined && (kind ? Object.hasOwn(kind.fields, field) : true)
    return block !== 'spec' || (path.length > 1 && !isField)
  }
}

function secretFields(kind: AnyKind): readonly string[] {
  return Object.keys(kind.fields).filter((name) => {
    const schema = childOf(kind.spec, name)
    return schema !== undefined && marksOf(schema).secret === true
  })
}

/** The line at an offset, and the keys around it from the outermost inwards, its own last; undefined where a line has none. */
function enclosing(text: string, offset: number): { readonly line: string; readonly path: readonly (string | undefined)[] } {
  const lines = text.slice(0, lineEnd(text, offset)).split('\n')
  const line = lines.pop() ?? ''
  const path = [keyOf(line)]
  let inside = indentOf(line)
  let isItem = /^\s*-\s/.test(line)
  while (inside > 0 || isItem) {
    const above = lines.pop()
    if (above === undefined) return { line, path: [undefined, ...path] }
    if (/^\s*(?:#|$)/.test(above)) continue
    const indent = indentOf(above)
    const isItemAbove = /^\s*-\s/.test(above)
    if (indent > inside || (indent === inside && !(isItem && !isItemAbove))) continue
    path.unshift(keyOf(above))
    inside = indent
    isItem = isItemAbove
  }
  return { line, path }
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
