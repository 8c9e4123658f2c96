// A spec as it was written, made ready for resolving: literals settled, expressions parsed, references read.
import * as z from 'zod'
import { formatAddress } from '../../base/address.ts'
import type { Code } from '../../base/catalogue.ts'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { below } from '../../base/pointer.ts'
import { evaluate, renderTemplate } from '../../expressions/evaluate.ts'
import type { Named, Reference } from '../../expressions/expression.ts'
import { holdsSensitive, jsonOf } from '../../expressions/value.ts'
import { marksOf } from '../../kinds/definition/fields.ts'
import type { Marks } from '../../kinds/definition/fields.ts'
import type { Budget } from '../files/budget.ts'
import { childOf, isDigitText, isInteger, narrow, unwrap } from '../findings/schema.ts'
import { quote } from '../findings/source.ts'
import { looksLikeSecret } from '../yaml/secret-literals.ts'
import type { Names } from './names.ts'
import { readReference } from './references.ts'
import type { Pointing, Target } from './references.ts'
import { earlyScope, isTemplate, keyHint, noKey, plainKey } from './templates.ts'
import type { Each, Inputs, Template, Templates } from './templates.ts'

type Schema = z.core.$ZodType | undefined

/** One place of a spec. */
export type Slot =
  | { readonly is: 'value'; readonly value: JsonValue }
  | { readonly is: 'secret'; readonly value: JsonValue }
  | { readonly is: 'broken' } // reported, and not judged again
  | { readonly is: 'target'; readonly target: Target }
  | {
      readonly is: 'template'
      readonly template: Template
      readonly schema: Schema
      readonly secret: boolean
      readonly pointing: Pointing | undefined
      fixed: JsonValue | undefined // what it gave once, and always will
    }
  | { readonly is: 'list'; readonly items: readonly Slot[] }
  | { readonly is: 'map'; readonly keys: readonly string[]; readonly members: readonly Slot[] }

// Whole lists of what is not known yet may be named by each of thousands of resources.
const bytesPerReference = 64
const stepsPerValue = 3
const broken: Slot = Object.freeze({ is: 'broken' })

/** A mistake at a JSON pointer into the spec; `offset` leads into the text that stands there. */
export type ReportAt = (
  code: Code,
  pointer: string,
  message: string,
  more?: { readonly offset?: number; readonly hint?: string | undefined; readonly hidden?: boolean; readonly key?: boolean },
) => void

/** What compiling needs to know besides the spec. */
export interface Surroundings {
  readonly address: string
  readonly each: Each
  readonly names: Names
  readonly templates: Templates
  readonly inputs: Inputs
  readonly budget: Budget
  /** Says how far compiling has come. */
  readonly reach: (pointer: string) => void
  readonly report: ReportAt
}

/** What a value depends on: address → pointer of the first place that names it. */
type References = Map<string, string>

interface Pass extends Surroundings {
  readonly references: References
}

/** The slots of a spec, or of a value without schema, and the addresses it depends on with where it first names them. */
export function compileSlots(
  value: JsonValue,
  schema: z.core.$ZodType | undefined,
  surroundings: Surroundings,
): { readonly slot: Slot; readonly references: References } {
  const pass: Pass = { ...surroundings, references: new Map() }
  return { slot: compile(value, schema, '', false, pass), references: pass.references }
}

function compile(value: JsonValue, schema: Schema, pointer: string, secret: boolean, pass: Pass): Slot {
  pass.budget.spend(stepsPerValue)
  const marks = schema ? marksOf(schema) : {}
  const pointing = marks.ref ? { kinds: marks.ref, output: marks.output ?? 'id' } : undefined
  const isSecret = secret || marks.secret === true
  if (isTemplate(value)) return compileTemplate(value, schema, pointer, isSecret, pointing, pass)
  const { id, name } = pointing && isObject(value) && Object.keys(value).length === 1 ? value : {}
  if (pointing && isTemplate(id)) return compileTemplate(id, schema, `${pointer}/id`, isSecret, { ...pointing, isId: true }, pass)
  if (pointing && isTemplate(name)) return compileName(name, pointing, `${pointer}/name`, pass)
  if (pointing && value !== null && schema && unwrap(schema) instanceof z.ZodString) return compileReference(value, pointing, pointer, pass)
  if (isList(value)) return { is: 'list', items: value.map((item, index) => compile(item, childOf(schema, index), `${pointer}/${index}`, isSecret, pass)) }
  if (isObject(value)) return compileMap(value, schema, pointer, isSecret, pass)
  if (typeof value === 'string') warnOfSecret(value, isSecret && isToBeKept(marks), pointer, pass)
  const settled = settleScalar(value, schema, isSecret, (message, hint) => pass.report('invalid_value', pointer, message, { hint, hidden: isSecret }))
  return isSecret && settled !== null ? { is: 'secret', value: settled } : { is: 'value', value: settled }
}

function compileMap(value: JsonObject, schema: Schema, pointer: string, secret: boolean, pass: Pass): Slot {
  const [keys, members]: [string[], Slot[]] = [[], []]
  for (const written of Object.keys(value)) {
    const member = value[written] ?? null
    const place = below(pointer, written)
    const key = plainKey(written)
    if (key === undefined) pass.report('expression', place, noKey, { key: true, hint: keyHint })
    const slot = compile(member, childOf(schema, key ?? written), place, secret, pass)
    if (key === undefined) continue
    keys.push(key)
    members.push(slot)
  }
  return { is: 'map', keys: pass.templates.keysAsBefore(keys), members }
}

/** A map with what is given for each of its members. */
export function filledMap({ keys, members }: Slot & { readonly is: 'map' }, valueOf: (member: Slot, key: string) => JsonValue): JsonObject {
  const out: Record<string, JsonValue> = {}
  members.forEach((member, at) => {
    const key = keys[at] ?? ''
    out[key] = valueOf(member, key)
  })
  return out
}

function compileReference(value: JsonValue, pointing: Pointing, pointer: string, pass: Pass): Slot {
  const target = readReference(value, pointing, pass.names)
  if (target.is === 'wrong') {
    pass.report(target.code, pointer, target.message, { hint: target.hint })
    return broken
  }
  if (target.is === 'resource') {
    if (target.address === pass.address) pass.report('cycle', pointer, `${pass.address} refers to itself`)
    addReference(target.address, pointer, pass)
  }
  return { is: 'target', target }
}

function compileTemplate(text: string, schema: Schema, pointer: string, secret: boolean, pointing: Pointing | undefined, pass: Pass): Slot {
  pass.reach(pointer)
  const template = readTemplate(text, pointer, pass)
  if (!template) return broken
  addReferences(template, pointer, pass)
  warnOfLiteral(template, secret && (schema === undefined || isToBeKept(marksOf(schema))), pointer, pass)
  if (!pointing || !template.early) return { is: 'template', template, schema, secret, pointing, fixed: undefined }
  const json = namedEarly(template, pointer, pass)
  return json === undefined ? broken : compileGiven(json, schema, pointer, pointing, pass)
}

/** The name of a lookup, which is known when loading. */
function compileName(text: string, pointing: Pointing, pointer: string, pass: Pass): Slot {
  const template = readTemplate(text, pointer, pass)
  const name = template && namedEarly(template, pointer, pass)
  return name === undefined ? broken : compileReference({ name }, pointing, pointer, pass)
}

function readTemplate(text: string, pointer: string, pass: Pass): Template | undefined {
  return pass.templates.read(text, pass.names.checkScope(pass.each !== undefined), (code, offset, message, hint) =>
    pass.report(code, pointer, message, { offset, hint }),
  )
}

/** What variables, each and files give in a reference; undefined where it is wrong, which is reported. */
function namedEarly(template: Template, pointer: string, { inputs, each, report }: Pass): JsonValue | undefined {
  const result = renderTemplate(template.parts, earlyScope(inputs, each))
  if (!result.ok) for (const { offset, message } of result.mistakes) report('expression', pointer, message, { offset })
  else if (holdsSensitive(result.value)) report('sensitive_name', pointer, 'a sensitive value cannot name what a reference points at', { hidden: true })
  return result.ok && !holdsSensitive(result.value) ? jsonOf(result.value) : undefined
}

/** A reference, or a list of them, that variables gave: what looks like an expression in it is none. */
function compileGiven(value: JsonValue, schema: Schema, pointer: string, pointing: Pointing, pass: Pass): Slot {
  if (value === null) return { is: 'value', value: null }
  if (isList(value)) return { is: 'list', items: value.map((item, index) => compileGiven(item, childOf(schema, index), `${pointer}/${index}`, pointing, pass)) }
  return compileReference(value, pointing, pointer, pass)
}

function addReferences(template: Template, pointer: string, pass: Pass): void {
  for (const reference of template.references) {
    if (reference.kind !== 'resource') continue
    const { resourceKind: kind } = reference
    const name = evaluatedText(reference.name, pass)
    const key = reference.key === undefined ? undefined : evaluatedText(reference.key, pass)
    if (name === undefined) continue
    const isDeclared = pass.names.isDeclared(kind, name)
    if (!isDeclared && !pass.names.isOpen(kind, name)) {
      pass.report('unknown_reference', pointer, `no ${kind} named ${quote(name)} is declared`)
      continue
    }
    const addresses = key === undefined && isDeclared ? pass.names.addressesOf(kind, name) : [formatAddress({ kind, name, key })]
    pass.budget.keep(bytesPerReference * addresses.length)
    pass.budget.spend(addresses.length)
    for (const address of addresses) {
      if (address === pass.address) pass.report('cycle', pointer, `${address} refers to itself`)
      addReference(address, pointer, pass)
    }
  }
}

function addReference(address: string, pointer: string, { references }: Pass): void {
  if (!references.has(address)) references.set(address, pointer)
}

/** A name that variables and each give, as a text; a sensitive one is none, which evaluation reports. */
export function evaluatedText(named: Named, { inputs, each }: Pick<Surroundings, 'inputs' | 'each'>): string | undefined {
  if (typeof named === 'string') return named
  const result = evaluate(named, earlyScope(inputs, each))
  if (!result.ok || result.value.kind !== 'scalar' || result.value.sensitive) return undefined
  return typeof result.value.scalar === 'string' ? result.value.scalar : undefined
}

/** Whether a secret text of the field is better not written in a manifest. */
function isToBeKept({ createOnly, literal }: Marks): boolean {
  return createOnly !== true && literal !== true
}

/** Text around expressions, of which none gives anything sensitive, must hold the secret itself. */
function warnOfLiteral(template: Template, isSecretField: boolean, pointer: string, pass: Pass): void {
  const isWritten = template.parts.some((part) => part.kind === 'text' && /[\p{L}\p{N}]/u.test(part.text)) || template.references.length === 0
  const isMeant = isSecretField && isWritten && !template.marks && !template.references.some((one) => isSecretSource(one, pass))
  if (isMeant || looksLikeSecret(template.text)) warnOfSecret(template.text, isMeant, pointer, pass)
}

/** Whether a secret may come from there: a sensitive variable, a sensitive member of another resource, a file. */
function isSecretSource(reference: Reference, { inputs, each, names }: Pass): boolean {
  if (reference.kind === 'file') return true
  const value = reference.kind === 'vars' ? inputs.variables.get(reference.name) : reference.kind === 'each' ? each?.[reference.part] : undefined
  if (value) return holdsSensitive(value)
  if (reference.kind !== 'resource') return false
  const kind = names.kinds.get(reference.resourceKind)
  const [first] = reference.path
  return first === undefined || kind?.outputs[first]?.sensitive === true || kind?.fields[first]?.secret === true
}

function warnOfSecret(text: string, isSecretField: boolean, pointer: string, pass: Pass): void {
  if (text === '' || (!isSecretField && !looksLikeSecret(text))) return
  const hint = 'declare a sensitive variable in iac.yaml and write ${vars.NAME}'
  pass.report('secret_literal', pointer, isSecretField ? 'a secret stands in the manifest' : 'a text in the manifest looks like a secret', {
    hint,
    hidden: true,
  })
}

/** One literal in the form of requests: exact integers, no double where an integer belongs, ids as digits; one that is `hidden` is not told. */
export function settleScalar(value: JsonValue, schema: Schema, hidden: boolean, wrong: (message: string, hint: string) => void): JsonValue {
  if (typeof value === 'bigint') return isDigitText(schema) ? String(value) : narrow(value)
  if (typeof value === 'number' && Number.isInteger(value) && isInteger(schema))
    wrong('an integer is expected here, got a number with a fraction', `write ${hidden ? 'it without one' : value}`)
  return value
}
