// The text of an expression with what is known when planning written into it: it gives the same without variables, each and files.
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { referencesOf } from '../../expressions/expression.ts'
import type { Parsed, Reference } from '../../expressions/expression.ts'
import { afterString } from '../../expressions/template.ts'
import { descendants } from '../../expressions/tree.ts'
import { holdsSensitive, jsonOf } from '../../expressions/value.ts'
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
  let { source } = expression
  const asked = new Set(descendants(expression.root).flatMap((node) => (node.op === 'has' ? [node.target.at] : [])))
  // From the end, so that the places before stay what they are.
  for (const reference of referencesOf(expression).toReversed()) {
    spend(source.length)
    const place = placeOf(reference, source)
    const literal = place && literalFor(reference)
    if (!place || literal === undefined) continue
    source = source.slice(0, place.start) + (asked.has(reference.offset) ? `{"it": ${literal}}.it` : literal) + source.slice(place.end)
  }
  return source
}

interface Place {
  readonly start: number
  readonly end: number
}

/** Where a variable, a part of each or a call of file() is written. */
function placeOf(reference: Reference, source: string): Place | undefined {
  if (reference.kind === 'file') return placeOfCall(source, reference.offset)
  if (reference.kind !== 'vars' && reference.kind !== 'each') return undefined
  const word = reference.kind === 'vars' ? reference.name : reference.part
  const written = new RegExp(String.raw`${reference.kind}\s*(?:\.\s*${word}\b|\[\s*(["'])${word}\1\s*\])`, 'y')
  // The reference's offset is that of the name or index after the word.
  const start = Math.max(0, source.lastIndexOf(reference.kind, reference.offset))
  written.lastIndex = start
  return written.test(source) ? { start, end: written.lastIndex } : undefined
}

/** A call from its name to the parenthesis that closes it. */
function placeOfCall(source: string, start: number): Place | undefined {
  let depth = 0
  for (let at = start; at < source.length; at += 1) {
    const character = source[at]
    if (character === '"' || character === "'") at = afterString(source, at, character) - 1
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ')' && depth === 0) return { start, end: at + 1 }
  }
  return undefined
}

/** A value as CEL writes it, sensitive where it is; undefined where anything in it is unknown. */
export function literalOf(value: Value): string | undefined {
  if (value.sensitive || !holdsSensitive(value)) {
    const json = jsonOf(value)
    return json === undefined ? undefined : value.sensitive ? `sensitive(${celLiteral(json)})` : celLiteral(json)
  }
  const members: (readonly [string, Value])[] = value.kind === 'map' ? [...value.entries] : []
  const items: readonly Value[] = value.kind === 'list' ? value.items : members.map(([, member]) => member)
  const literals = items.map(literalOf)
  if (literals.includes(undefined)) return undefined
  return value.kind === 'list' ? `[${literals.join(', ')}]` : `{${members.map(([key], at) => `${JSON.stringify(key)}: ${literals[at]}`).join(', ')}}`
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
