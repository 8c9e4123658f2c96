// The text of an expression with what is known when planning written into it: it gives the same without variables, each and files.
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { referencesOf } from '../../expressions/expression.ts'
import type { Parsed, Reference } from '../../expressions/expression.ts'
import { afterString } from '../../expressions/template.ts'
import { descendants } from '../../expressions/tree.ts'
import { jsonOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import type { Template } from './templates.ts'

type Literals = (reference: Reference) => string | undefined

/** The template's text with variables and each written out, as far as `literalFor` knows them; `spend` is told how many units are copied. */
export function fillInputs(template: Pick<Template, 'parts'>, literalFor: Literals, spend: (units: number) => void = () => undefined): string {
  return template.parts.map((part) => (part.kind === 'text' ? escaped(part.text) : `\${${fillSource(part.expression, literalFor, spend)}}`)).join('')
}

function escaped(text: string): string {
  // As a function, since `$$` in a replacement means one `$`.
  return text.replaceAll('${', () => '$${')
}

function fillSource(expression: Parsed, literalFor: Literals, spend: (units: number) => void): string {
  const { source } = expression
  const asked = new Set(descendants(expression.root).flatMap((node) => (node.op === 'has' ? [node.target.at] : [])))
  let filled = ''
  let end = 0
  for (const reference of referencesOf(expression)) {
    // What stands in the path of a call of file() goes with the call.
    if (!('span' in reference) || reference.span.start < end) continue
    const literal = literalFor(reference)
    if (literal === undefined) continue
    const { span } = reference
    // A parenthesis around the first word alone closes behind the literal: (each).key.
    const closed = reference.kind === 'file' ? '' : ')'.repeat(closersIn(source.slice(span.start, span.end)))
    filled += source.slice(end, span.start) + (asked.has(reference.offset) ? `{"it": ${literal}}.it` : literal) + closed
    end = span.end
  }
  spend(source.length + filled.length)
  return filled + source.slice(end)
}

/** How many parentheses close in what is written of a variable or a part of each, and open before it. */
function closersIn(source: string): number {
  let count = 0
  for (let at = 0; at < source.length; at += 1) {
    const character = source[at]
    if (character === '"' || character === "'") at = afterString(source, at, character) - 1
    // Nothing is divided there: a comment.
    if (character === '/') at = source.indexOf('\n', at)
    if (character === '(') count -= 1
    if (character === ')') count += 1
  }
  return count
}

/** A value as CEL writes it, sensitive where it is; undefined where anything in it is unknown. */
export function literalOf(value: Value): string | undefined {
  const isPlain = value.kind === 'unknown' || value.kind === 'scalar' || !(value.holdsSensitiveKeys || (value.holdsSensitive && !value.sensitive))
  if (isPlain) {
    const json = jsonOf(value)
    return json === undefined ? undefined : marked(celLiteral(json), value.sensitive)
  }
  const members: (readonly [string, Value])[] = value.kind === 'map' ? [...value.entries] : []
  const items: readonly Value[] = value.kind === 'list' ? value.items : members.map(([, member]) => member)
  const literals = items.map(literalOf)
  if (literals.includes(undefined)) return undefined
  const keyed = members.map(([key], at) => `${marked(JSON.stringify(key), value.kind === 'map' && value.sensitiveKeys)}: ${literals[at]}`)
  return marked(value.kind === 'list' ? `[${literals.join(', ')}]` : `{${keyed.join(', ')}}`, value.sensitive)
}

function marked(literal: string, sensitive: boolean): string {
  return sensitive ? `sensitive(${literal})` : literal
}

/** JSON as CEL writes it. */
export function celLiteral(value: JsonValue): string {
  if (value === null) return 'null'
  if (isList(value)) return `[${value.map(celLiteral).join(', ')}]`
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([key, member]) => `${JSON.stringify(key)}: ${celLiteral(member)}`)
      .join(', ')}}`
  if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(1) : String(value)
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
