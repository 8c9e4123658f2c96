// Expressions as loading uses them: parsed once per text, checked for names, evaluated where variables alone decide.
import type { Code } from '../../base/catalogue.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Meter } from '../../base/meter.ts'
import { checkExpression } from '../../expressions/check.ts'
import type { CheckScope, Problem } from '../../expressions/check.ts'
import { renderTemplate } from '../../expressions/evaluate.ts'
import type { Refusal, Scope } from '../../expressions/evaluate.ts'
import { referencesOf } from '../../expressions/expression.ts'
import type { Reference } from '../../expressions/expression.ts'
import { parseTemplate, splitTemplate } from '../../expressions/template.ts'
import type { TemplateMistake, TemplatePart } from '../../expressions/template.ts'
import { descendants } from '../../expressions/tree.ts'
import type { Node } from '../../expressions/tree.ts'
import { list, map, scalar, valueOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import type { Budget } from '../files/budget.ts'
import { absenceHint, hidesAbsence } from './absence.ts'

/** What each.key and each.value are in one instance of a for_each. */
export type Each = { readonly key: Value; readonly value: Value } | undefined

/** A mistake in a text: `offset` counts UTF-16 units into it. */
export type Mistake = (code: Code, offset: number, message: string, hint?: string) => void

/** A text with expressions, parsed; `early` if variables, each and files alone decide its value, `marks` if it calls sensitive(). */
export interface Template {
  readonly text: string
  readonly parts: readonly TemplatePart[]
  readonly early: boolean
  readonly marks: boolean
  readonly references: readonly Reference[]
}

interface Entry {
  readonly template: Template
  readonly mistakes: readonly TemplateMistake[]
  /** What is wrong in it, by where it stands: with each or without. */
  readonly checked: WeakMap<CheckScope, readonly Problem[]>
}

/** The inputs that expressions know without asking anybody. */
export interface Inputs {
  readonly variables: ReadonlyMap<string, Value>
  /** What evaluation is charged to. */
  readonly meter: Meter
  file(path: string): Value | Refusal
}

export interface Templates {
  /** The template of a text, its names checked; undefined where it is wrong, which is reported. */
  read(text: string, scope: CheckScope, mistake: Mistake): Template | undefined
  /** A list of keys, the one that said the same before where there was one: thousands of specs have the same members. */
  keysAsBefore(keys: readonly string[]): readonly string[]
}

// Parsing costs more than evaluating what is parsed.
const stepsPerUnit = 2
const stepsPerExpression = 50
const unitsPerStep = 32
// A longer one is refused before it is parsed.
const longestExpression = 16 * 1024

/** Parses and checks each text once, however many resources share it. */
export function createTemplates(budget: Budget): Templates {
  const entries = new Map<string, Entry>()
  const known = new Map<string, readonly string[]>()
  return Object.freeze({
    keysAsBefore(keys: readonly string[]) {
      const name = JSON.stringify(keys)
      const before = known.get(name) ?? keys
      known.set(name, before)
      return before
    },
    read(text: string, scope: CheckScope, mistake: Mistake): Template | undefined {
      let entry = entries.get(text)
      if (!entry) {
        budget.spend(parsingSteps(text))
        entries.set(text, (entry = parse(text)))
      }
      for (const { offset, message } of entry.mistakes) mistake('expression', offset, message)
      const problems = problemsOf(entry, scope)
      for (const { code, offset, message, hint } of problems) mistake(code, offset, message, hint)
      return entry.mistakes.length === 0 && problems.length === 0 ? entry.template : undefined
    },
  })
}

/** What parsing a text will cost in steps, told before it is begun. */
export function parsingSteps(text: string): number {
  const sources = splitTemplate(text).pieces.flatMap((piece) => (piece.kind === 'source' ? [piece.source.length] : []))
  return sources.reduce((sum, length) => sum + stepsPerExpression + stepsPerUnit * Math.min(length, longestExpression), text.length / unitsPerStep)
}

/** Every wrong name of a text; offsets count from its start. */
function problemsOf({ template, checked }: Entry, scope: CheckScope): readonly Problem[] {
  const known = checked.get(scope)
  if (known) return known
  const found = template.parts.flatMap((part) =>
    part.kind === 'expression' ? checkExpression(part.expression, scope).map((one) => ({ ...one, offset: part.offset + one.offset })) : [],
  )
  checked.set(scope, found)
  return found
}

function parse(text: string): Entry {
  const parsed = parseTemplate(text)
  const references = parsed.parts.flatMap((part) => (part.kind === 'expression' ? referencesOf(part.expression) : []))
  const early = references.every((one) => one.kind === 'vars' || one.kind === 'each' || one.kind === 'file')
  const marks = parsed.parts.some((part) => part.kind === 'expression' && descendants(part.expression.root).some(isMarking))
  return {
    checked: new WeakMap(),
    mistakes: parsed.ok ? [] : parsed.mistakes,
    template: Object.freeze({ text, parts: parsed.parts, early, marks, references }),
  }
}

function isMarking(node: Node): boolean {
  return node.op === 'call' && node.name === 'sensitive'
}

/** Whether a value holds a text with an expression or an escaped one. */
export function isTemplate(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.includes('${')
}

/** A key of a map as it is meant, with `$${` as `${`; undefined where it holds an expression, which cannot stand there. */
export function plainKey(key: string): string | undefined {
  if (!key.includes('${')) return key
  const { ok, pieces } = splitTemplate(key)
  const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []))
  return ok && texts.length === pieces.length ? texts.join('') : undefined
}

/** What is said of a key that holds an expression. */
export const noKey = 'an expression cannot stand in a key'
export const keyHint = 'make the whole map by one expression: ${{vars.KEY: …}}; $${ is a literal ${'

const notEarly: Refusal = { kind: 'error', message: 'this must be known when loading: variables, each and file() alone can stand here' }

/** The scope of what is decided when loading: asking for a resource or a lookup is refused. */
export function earlyScope(inputs: Inputs, each: Each): Scope {
  return {
    each,
    meter: inputs.meter,
    variable: (name) => inputs.variables.get(name) ?? { kind: 'error', message: `the variable ${name} has no value` },
    keysOf: () => undefined,
    resource: () => notEarly,
    lookup: () => notEarly,
    file: (path) => inputs.file(path),
  }
}

/** The value of manifest data with every expression in it evaluated; undefined where one is wrong, which is reported with its path. */
export function evaluateEarly(
  value: JsonValue,
  context: { readonly templates: Templates; readonly check: CheckScope; readonly scope: Scope },
  mistake: (path: readonly (string | number)[], ...rest: Parameters<Mistake>) => void,
  path: readonly (string | number)[] = [],
): Value | undefined {
  if (isTemplate(value)) {
    const own: Mistake = (...rest) => mistake(path, ...rest)
    const template = context.templates.read(value, context.check, own)
    if (!template) return undefined
    const result = renderTemplate(template.parts, context.scope)
    if (!result.ok) for (const { offset, message } of result.mistakes) own('expression', offset, message)
    if (!result.ok) return undefined
    if (!hidesAbsence(template, result.value, () => context.scope)) return result.value
    own('sensitive_name', 0, 'a sensitive value cannot decide whether something is there', absenceHint)
    return undefined
  }
  if (isList(value)) {
    const items = value.map((item, index) => evaluateEarly(item, context, mistake, [...path, index]))
    const known = items.filter((item) => item !== undefined)
    return known.length === items.length ? list(known) : undefined
  }
  if (!isObject(value)) return typeof value === 'string' ? scalar(value) : valueOf(value, { whole: 'double' })
  const entries = new Map<string, Value>()
  for (const [written, member] of Object.entries(value)) {
    const key = plainKey(written)
    if (key === undefined) mistake([...path, written], 'expression', 0, noKey, keyHint)
    const one = evaluateEarly(member, context, mistake, [...path, written])
    if (key !== undefined && one !== undefined) entries.set(key, one)
  }
  return entries.size === Object.keys(value).length ? map(entries) : undefined
}
