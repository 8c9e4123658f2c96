// Puts what is known into a spec: variables, outputs and fields of others, lookups; the rest become tokens.
import { createHash } from 'node:crypto'
import { formatAddress, parseAddress } from '../../base/address.ts'
import { canonicalJson } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { Exhausted } from '../../base/meter.ts'
import { below } from '../../base/pointer.ts'
import { tokenText } from '../../base/token.ts'
import type { Scope as ExpressionScope } from '../../expressions/evaluate.ts'
import { renderTemplate } from '../../expressions/evaluate.ts'
import type { Reference } from '../../expressions/expression.ts'
import { holdsSensitive, holdsSensitiveKeys, holdsUnknown, jsonOf, map, mark, scalar, unknown, valueOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import { normaliseValue } from '../../kinds/definition/normalise.ts'
import type { Budget } from '../files/budget.ts'
import { childOf, jsonValueOf, narrow } from '../findings/schema.ts'
import { isNameAlone } from '../yaml/public-documents.ts'
import { absenceHint, hidesAbsence } from './absence.ts'
import type { Scope, WorkspaceRef } from './declared.ts'
import { celLiteral, fillInputs, literalOf } from './filled.ts'
import { givesId, isBare, misplacedOnce, onceToken } from './known-once.ts'
import type { Once } from './known-once.ts'
import { attributesOf } from './names.ts'
import type { Names } from './names.ts'
import { readPointed } from './references.ts'
import type { Pointing, Target } from './references.ts'
import { evaluatedText, filledMap, settleScalar } from './slots.ts'
import type { ReportAt, Slot } from './slots.ts'
import type { Each, Inputs, Template } from './templates.ts'
import { hiddenSource, wayInto, wayTo } from './unresolved.ts'
import type { Way } from './unresolved.ts'

// With the checks against the schema that follow.
const stepsPerValue = 6
const unitsPerStep = 16
const mostUnits = 64 * 1024 * 1024

/** Whose spec is resolved, and what it may ask. */
export interface Asking {
  readonly address: string
  readonly workspace: WorkspaceRef | undefined
  readonly each: Each
  readonly names: Names
  readonly inputs: Inputs
  readonly scope: Scope
  readonly budget: Budget
  /** Set for an output, which is hidden as a whole where anything in it is sensitive. */
  readonly isOutput?: boolean
  /** Says how far resolving has come. */
  readonly reach: (pointer: string) => void
  readonly report: ReportAt
}

/** Real values, with tokens where nothing is known; `tokens` says what stands in a sensitive value's place. */
export interface Emitted {
  readonly value: JsonValue
  readonly tokens: ReadonlyMap<string, string> // pointer → token
  readonly unknown: ReadonlySet<string> // pointers
  readonly sensitive: ReadonlySet<string> // pointers to what is, unknown values, lengths and keys included
  readonly unresolved: Readonly<Record<string, string>>
  readonly secrets: ReadonlyMap<string, JsonValue>
}

interface Pass extends Asking {
  readonly tokens: Map<string, string>
  readonly unknown: Set<string>
  readonly sensitive: Set<string>
  readonly unresolved: Record<string, string>
  readonly secrets: Map<string, JsonValue>
  units: number // of all texts that expressions gave
}

/** The value of a slot, real and with what must not be seen noted by pointer. */
export function emitSlot(slot: Slot, asking: Asking): Emitted {
  const pass = passOf(asking)
  const value = emit(slot, '', pass)
  const { tokens, unknown, sensitive, unresolved, secrets } = pass
  return { value, tokens, unknown, sensitive, unresolved, secrets }
}

/** Named one by one, since a copy by its members is made step by step for each resource. */
function passOf({ address, workspace, each, names, inputs, scope, budget, isOutput = false, reach, report }: Asking): Pass {
  return {
    address,
    workspace,
    each,
    names,
    inputs,
    scope,
    budget,
    isOutput,
    reach,
    report,
    tokens: new Map(),
    unknown: new Set(),
    sensitive: new Set(),
    unresolved: {},
    secrets: new Map(),
    units: 0,
  }
}

function emit(slot: Slot, pointer: string, pass: Pass): JsonValue {
  pass.budget.spend(stepsPerValue)
  switch (slot.is) {
    case 'value':
      return slot.value
    case 'broken':
      return giveUp(pointer, pass)
    case 'secret':
      return hide(slot.value, pointer, pass)
    case 'target':
      return emitTarget(slot.target, pointer, pass)
    case 'list':
      return slot.items.map((item, index) => emit(item, `${pointer}/${index}`, pass))
    case 'map':
      pass.budget.spend(slot.keys.length)
      // Most members are plain, and need no pointer.
      return filledMap(slot, (member, key) => (member.is === 'value' ? member.value : emit(member, below(pointer, key), pass)))
    case 'template':
      return emitTemplate(slot, pointer, pass)
  }
}

/** What was reported is not judged again: it counts as there, and as not known. */
function giveUp(pointer: string, pass: Pass): string {
  pass.unknown.add(pointer)
  return tokenText({ is: 'unknown', place: `${pass.address} ${pointer}` })
}

/** A sensitive value stays real here, for validation; its digest takes its place at the end. */
function hide(value: JsonValue, pointer: string, pass: Pass): JsonValue {
  if (value === null) return null
  const token = tokenText({ is: 'digest', digest: pass.scope.digest(value) })
  pass.tokens.set(pointer, token)
  pass.sensitive.add(pointer)
  pass.secrets.set(token, value)
  return value
}

function emitTarget(target: Target, pointer: string, pass: Pass): JsonValue {
  if (target.is === 'id') return target.id
  if (target.is === 'resource') {
    const { address, output } = target
    const attribute = pass.scope.attribute(address, [output])
    if (attribute.is === 'once') return placeOnce(attribute.token, attribute.value, pointer, pass)
    if (attribute.is === 'known' && attribute.value !== null) return attribute.sensitive ? hide(attribute.value, pointer, pass) : textOfId(attribute.value)
    return placeUnknown(output === 'id' ? address : `${address} /${output}`, expressionOf(address, output), pointer, pass)
  }
  const { kind, name, output } = target
  return lookUp(kind, name, output, () => `\${lookup(${celLiteral(kind)}, ${celLiteral(name)}).${output}}`, pointer, pass)
}

function lookUp(kind: string, name: string, output: string, text: () => string, pointer: string, pass: Pass): JsonValue {
  const found = pass.scope.lookup(kind, name, pass.workspace)
  if ('problem' in found) pass.report('lookup_failed', pointer, found.problem)
  if ('id' in found) return output === 'id' ? found.id : (found.attributes[output] ?? null)
  return placeUnknown(`${pass.address} ${pointer}`, text(), pointer, pass)
}

function placeUnknown(place: string, text: string, pointer: string, pass: Pass): string {
  pass.unknown.add(pointer)
  pass.unresolved[pointer] = text
  return tokenText({ is: 'unknown', place })
}

/** Compared by its origin whether this run holds the value or not. */
function placeOnce(token: string, value: JsonValue | undefined, pointer: string, pass: Pass): JsonValue {
  pass.tokens.set(pointer, token)
  pass.sensitive.add(pointer)
  if (value !== undefined) pass.secrets.set(token, value)
  else pass.unknown.add(pointer)
  return value ?? token
}

function textOfId(value: JsonValue): JsonValue {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
}

function expressionOf(address: string, attribute: string): string {
  const { kind, name, key } = parseAddress(address) ?? { kind: '', name: '' }
  return `\${${kind}['${name}']${key === undefined ? '' : `[${JSON.stringify(key)}]`}.${attribute}}`
}

type TemplateSlot = Slot & { readonly is: 'template' }

/** What an expression gave once all it names is there, as if it had been known when planning: settled, and judged, for the place that `slot` is. */
export function emitLate(value: Value, slot: TemplateSlot, pointer: string, asking: Asking): Pick<Emitted, 'value' | 'unknown'> {
  const pass = passOf(asking)
  const emitted = refused(value, slot, pointer, pass) ?? emitValue(value, slot, slot.schema, pointer, '', pass)
  return { value: emitted, unknown: pass.unknown }
}

function emitTemplate(slot: TemplateSlot, pointer: string, pass: Pass): JsonValue {
  const { template, fixed } = slot
  if (fixed !== undefined) {
    countText(fixed, pass)
    return fixed
  }
  const seen: Once[] = []
  pass.reach(pointer)
  const result = renderTemplate(template.parts, expressionScope(pass, seen))
  if (!result.ok) {
    for (const { offset, message } of result.mistakes) pass.report('expression', pointer, message, { offset })
    return giveUp(pointer, pass)
  }
  if (holdsSensitive(result.value)) pass.sensitive.add(pointer)
  const unfit = refused(result.value, slot, pointer, pass)
  if (unfit !== undefined) return unfit
  const isShown = slot.schema !== undefined && !slot.secret
  const misplaced = misplacedOnce(template, result.value, { isShown, names: pass.names, textOf: (named) => evaluatedText(named, pass) })
  if (misplaced) {
    pass.report('expression', pointer, misplaced.message, { hint: misplaced.hint })
    return giveUp(pointer, pass)
  }
  const [once] = seen
  if (once) return emitOnce(once, isBare(template), seen, result.value, template, pointer, pass)
  const target = givesId(template) && result.value.kind === 'unknown' ? result.value.origins[0]?.replace(/\.id$/, '') : undefined
  if (target !== undefined && parseAddress(target)) return placeUnknown(target, expressionOf(target, 'id'), pointer, pass)
  const value = emitValue(result.value, slot, slot.schema, pointer, '', pass)
  if (isFixed(result.value, slot)) slot.fixed = value
  return value
}

/** Whether variables, each and files alone gave it, and nothing is to be said of it each time: that it is sensitive, a name, or no integer. */
function isFixed(value: Value, { template, secret, pointing }: TemplateSlot): boolean {
  return template.early && !secret && !pointing && value.kind === 'scalar' && !value.sensitive && typeof value.scalar !== 'number'
}

/** Text around a value known once is part of its origin: the same code in another text is another value. */
function emitOnce(once: Once, isWhole: boolean, seen: readonly Once[], value: Value, template: Template, pointer: string, pass: Pass): JsonValue {
  const json = seen.every((one) => one.known) && !holdsUnknown(value) ? jsonOf(value) : undefined
  const known = json === undefined ? undefined : narrow(json)
  return placeOnce(isWhole ? once.token : onceToken(seen, () => filled(template, pass), pass.scope), known, pointer, pass)
}

function emitValue(value: Value, slot: TemplateSlot, schema: TemplateSlot['schema'], pointer: string, way: Way, pass: Pass): JsonValue {
  if (slot.pointing && value.sensitive && !(value.kind === 'scalar' && value.scalar === null))
    return refuseSensitive('name what a reference points at', pointer, pass)
  if (value.kind === 'unknown') return placeUnknown(`${pass.address} ${pointer}`, sourceFor(slot, value.sensitive, way, pointer, pass), pointer, pass)
  if (value.kind === 'list')
    return value.items.map((item, index) => emitValue(item, slot, childOf(schema, index), `${pointer}/${index}`, wayTo(way, index), pass))
  if (value.kind === 'map') {
    const out: Record<string, JsonValue> = {}
    for (const [key, member] of value.entries) out[key] = emitValue(member, slot, childOf(schema, key), below(pointer, key), wayTo(way, key), pass)
    return out
  }
  countText(value.scalar, pass)
  const hidden = value.sensitive || slot.secret
  const settled = settleScalar(value.scalar, schema, hidden, (message, hint) => pass.report('invalid_value', pointer, message, { hint, hidden }))
  if (slot.pointing && settled !== null) return emitPointed(settled, slot.pointing, slot, pointer, pass)
  // What is hidden goes by its digest, which is that of the one spelling by which it is compared and sent.
  return hidden ? hide(spelled(settled, schema), pointer, pass) : settled
}

/** In the one spelling of its field. */
function spelled(value: JsonValue, schema: TemplateSlot['schema']): JsonValue {
  return schema ? jsonValueOf(normaliseValue(schema, value)) : value
}

/** One long text may stand in many places of a spec: it is the same there, but it would be written out for each. */
function countText(value: JsonValue, pass: Pass): void {
  pass.units += typeof value === 'string' ? value.length : 0
  if (pass.units > mostUnits) throw new Exhausted(`the texts of one resource are longer than ${mostUnits / 1024 / 1024} MiB together`)
}

/** What an expression over resources gives in a reference field. */
function emitPointed(value: JsonValue, pointing: Pointing, { template }: TemplateSlot, pointer: string, pass: Pass): JsonValue {
  const target = readPointed(value, pointing, pass.names)
  if (target.is === 'id') return target.id
  if (target.is === 'lookup') return lookUp(target.kind, target.name, target.output, () => filled(template, pass), pointer, pass)
  pass.report(target.code, pointer, target.message, { hint: target.hint })
  return giveUp(pointer, pass)
}

/** What a request is about stands in its path, in the state and in every message; keys stand in the state and in every plan. */
function refuseSensitive(what: string, pointer: string, pass: Pass, hint?: string): JsonValue {
  pass.report('sensitive_name', pointer, `a sensitive value cannot ${what}`, { hidden: true, hint })
  return giveUp(pointer, pass)
}

/** What no spec takes of something sensitive, since a digest cannot stand in its place; undefined where there is nothing of the kind. */
function refused(value: Value, { template }: TemplateSlot, pointer: string, pass: Pass): JsonValue | undefined {
  if (pass.isOutput) return undefined
  if (holdsSensitiveKeys(value)) return refuseSensitive('be a key of a map', pointer, pass)
  return hidesAbsence(template, value, () => expressionScope(pass))
    ? refuseSensitive('decide whether something is there', pointer, pass, absenceHint)
    : undefined
}

/** What gives a value that is not known yet. A text that holds anything sensitive, or is chosen by it, goes by its digest, which covers the values of variables too. */
function sourceFor({ template, secret }: TemplateSlot, sensitive: boolean, way: Way, pointer: string, pass: Pass): string {
  const text = filled(template, pass)
  const isHidden = (secret && !isNameAlone(template.text)) || sensitive || template.marks || template.references.some((one) => isSensitiveInput(one, pass))
  if (!isHidden) return wayInto(text, way)
  pass.sensitive.add(pointer)
  const digest = pass.scope.digest(text)
  pass.secrets.set(tokenText({ is: 'digest', digest }), text)
  return hiddenSource(digest, way)
}

function isSensitiveInput(reference: Reference, pass: Pass): boolean {
  const value = inputOf(reference, pass)
  return value !== undefined && holdsSensitive(value)
}

function filled(template: Template, pass: Pass): string {
  const literals = (reference: Reference) => {
    const value = inputOf(reference, pass)
    const literal = value && literalOf(value)
    pass.budget.spend((literal?.length ?? 0) / unitsPerStep)
    return literal
  }
  const text = fillInputs(template, literals, (units) => pass.budget.spend(units / unitsPerStep))
  countText(text, pass)
  pass.budget.make(text.length)
  return text
}

/** What a variable, a part of each or a file holds. */
function inputOf(reference: Reference, { inputs, each }: Pass): Value | undefined {
  if (reference.kind === 'vars') return inputs.variables.get(reference.name)
  if (reference.kind === 'each') return each?.[reference.part]
  const path = reference.kind === 'file' ? evaluatedText(reference.path, { inputs, each }) : undefined
  const found = path === undefined ? undefined : inputs.file(path)
  return found?.kind === 'error' ? undefined : found
}

/** Everything an expression can ask, answered from a scope; values known once are noted in `seen`. */
export function expressionScope(asking: Omit<Asking, 'report' | 'budget' | 'reach' | 'isOutput'>, seen: Once[] = []): ExpressionScope {
  const { names, inputs, scope, workspace } = asking
  const known = new Map<string, Value>()
  const attribute = (address: string, path: readonly string[]): Value => {
    const place = `${address}.${path.join('.')}`
    const before = known.get(place)
    if (before) return before
    const found = scope.attribute(address, path)
    if (found.is === 'known') {
      // A list is made a value once, however often a macro asks for it.
      const value = valueOf(found.value, { sensitive: found.sensitive })
      known.set(place, value)
      return value
    }
    if (found.is === 'unknown') return unknown([place], found.sensitive, false, found.type)
    seen.push({ token: found.token, known: found.value !== undefined })
    return found.value === undefined ? unknown([place], true) : mark(valueOf(found.value), true)
  }
  return {
    each: asking.each,
    meter: inputs.meter,
    variable: (name) => inputs.variables.get(name) ?? { kind: 'error', message: `the variable ${name} has no value` },
    keysOf: (kind, name) => names.keysOf(kind, name),
    isOpen: names.isOpen,
    resource(kind, name, key, path) {
      const definition = names.kinds.get(kind)
      if (!definition || !(names.isOpen(kind, name) || names.isDeclared(kind, name)))
        return { kind: 'error', message: `no ${kind} named '${name}' is declared` }
      const address = formatAddress({ kind, name, key })
      if (path.length > 0) return attribute(address, path)
      return map(new Map(attributesOf(definition).map((one) => [one, attribute(address, [one])])))
    },
    lookup(kind, name) {
      const found = scope.lookup(kind, name, workspace)
      if ('problem' in found) return { kind: 'error', message: found.problem }
      if ('unknown' in found) return unknown([`lookup('${kind}', '${name}')`])
      const entries = Object.entries(found.attributes).map(([key, value]) => [key, mark(valueOf(value), found.sensitive?.includes(key) === true)] as const)
      return map(new Map([...entries, ['id', scalar(found.id)]]))
    },
    file: (path) => inputs.file(path),
  }
}

/** A scope in which nothing but what was written is known: for checks that make no call. */
export function blindScope(names: Names): Scope {
  return {
    attribute(address, path) {
      const kind = names.kinds.get(parseAddress(address)?.kind ?? '')
      const [first = ''] = path
      const output = kind && Object.hasOwn(kind.outputs, first) ? kind.outputs[first] : undefined
      const field = kind && Object.hasOwn(kind.fields, first) ? kind.fields[first] : undefined
      return { is: 'unknown', sensitive: output?.sensitive === true || field?.secret === true }
    },
    lookup: () => ({ unknown: true }),
    digest: (value) => `blind:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`,
  }
}

/** The value with tokens in the place of what is sensitive. */
export function withTokens(value: JsonValue, tokens: ReadonlyMap<string, string>, pointer = ''): JsonValue {
  if (tokens.size === 0) return value
  const token = tokens.get(pointer)
  if (token !== undefined) return token
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => withTokens(item, tokens, `${pointer}/${index}`))
  if (typeof value !== 'object' || value === null) return value
  const members: JsonObject = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTokens(member, tokens, below(pointer, key))]))
  return members
}
