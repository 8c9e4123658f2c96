// A spec as it was written, made ready for resolving: literals settled, expressions parsed, references read.
import * as z from 'zod'
import type { Code } from '../catalogue.ts'
import { formatAddress } from '../address.ts'
import { evaluate, renderTemplate } from '../expressions/evaluate.ts'
import type { Named } from '../expressions/expression.ts'
import { holdsSensitive, jsonOf } from '../expressions/value.ts'
import type { JsonValue } from '../json.ts'
import { marksOf } from '../kinds/fields.ts'
import type { Names } from './names.ts'
import { below } from './pointer.ts'
import { readReference } from './references.ts'
import type { Pointing, Target } from './references.ts'
import { childOf, isDigitText, isInteger, isList, isMap, narrow, unwrap } from './schema.ts'
import { looksLikeSecret } from './secret-literals.ts'
import { earlyScope, isTemplate } from './templates.ts'
import type { Each, Inputs, Template, Templates } from './templates.ts'

type Schema = z.core.$ZodType | undefined

/** One place of a spec. */
export type Slot =
  | { readonly is: 'value'; readonly value: JsonValue }
  | { readonly is: 'secret'; readonly value: JsonValue }
  | { readonly is: 'broken' } // reported, and not judged again
  | { readonly is: 'target'; readonly target: Target }
  | { readonly is: 'template'; readonly template: Template; readonly schema: Schema; readonly secret: boolean; readonly pointing: Pointing | undefined }
  | { readonly is: 'list'; readonly items: readonly Slot[] }
  | { readonly is: 'map'; readonly entries: readonly (readonly [string, Slot])[] }

const broken: Slot = Object.freeze({ is: 'broken' })

/** A mistake at a JSON pointer into the spec; `offset` leads into the text that stands there. */
export type ReportAt = (
  code: Code,
  pointer: string,
  message: string,
  more?: { readonly offset?: number; readonly hint?: string | undefined; readonly hidden?: boolean },
) => void

/** What compiling needs to know besides the spec. */
export interface Surroundings {
  readonly address: string
  readonly each: Each
  readonly names: Names
  readonly templates: Templates
  readonly inputs: Inputs
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
  const marks = schema ? marksOf(schema) : {}
  const pointing = marks.ref ? { kinds: marks.ref, output: marks.output ?? 'id' } : undefined
  const isSecret = secret || marks.secret === true
  if (isTemplate(value)) return compileTemplate(value, schema, pointer, isSecret, pointing, pass)
  if (pointing && value !== null && schema && unwrap(schema) instanceof z.ZodString) return compileReference(value, pointing, pointer, pass)
  if (isList(value)) return { is: 'list', items: value.map((item, index) => compile(item, childOf(schema, index), `${pointer}/${index}`, isSecret, pass)) }
  if (isMap(value))
    return {
      is: 'map',
      entries: Object.entries(value).map(([key, member]) => [key, compile(member, childOf(schema, key), below(pointer, key), isSecret, pass)] as const),
    }
  if (typeof value === 'string') warnOfSecret(value, isSecret && marks.createOnly !== true, pointer, pass)
  const settled = settleScalar(value, schema, (message, hint) => pass.report('invalid_value', pointer, message, { hint, hidden: isSecret }))
  return isSecret && settled !== null ? { is: 'secret', value: settled } : { is: 'value', value: settled }
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
  const template = pass.templates.read(text, pass.names.checkScope(pass.each !== undefined), (code, offset, message, hint) =>
    pass.report(code, pointer, message, { offset, hint }),
  )
  if (!template) return broken
  addReferences(template, pointer, pass)
  if (!pointing || !template.early) return { is: 'template', template, schema, secret, pointing }
  const result = renderTemplate(template.parts, earlyScope(pass.inputs, pass.each))
  if (!result.ok) pass.report('expression', pointer, result.message, { offset: result.offset })
  else if (holdsSensitive(result.value)) pass.report('sensitive_name', pointer, 'a sensitive value cannot name what a reference points at', { hidden: true })
  const json = result.ok && !holdsSensitive(result.value) ? jsonOf(result.value) : undefined
  return json === undefined ? broken : compileGiven(json, schema, pointer, pointing, pass)
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
    const name = textOf(reference.name, pass)
    const key = reference.key === undefined ? undefined : textOf(reference.key, pass)
    if (name === undefined) continue
    const isDeclared = pass.names.isDeclared(kind, name)
    if (!isDeclared && !pass.names.isOpen(kind, name)) {
      pass.report('unknown_reference', pointer, `no ${kind} named ${name} is declared`)
      continue
    }
    const addresses = key === undefined && isDeclared ? pass.names.addressesOf(kind, name) : [formatAddress({ kind, name, key })]
    for (const address of addresses) {
      if (address === pass.address) pass.report('cycle', pointer, `${address} refers to itself`)
      addReference(address, pointer, pass)
    }
  }
}

function addReference(address: string, pointer: string, { references }: Pass): void {
  if (!references.has(address)) references.set(address, pointer)
}

function textOf(named: Named, pass: Pass): string | undefined {
  if (typeof named === 'string') return named
  const result = evaluate(named, earlyScope(pass.inputs, pass.each))
  return result.ok && result.value.kind === 'scalar' && typeof result.value.scalar === 'string' ? result.value.scalar : undefined
}

function warnOfSecret(text: string, isSecretField: boolean, pointer: string, pass: Pass): void {
  if (text === '' || (!isSecretField && !looksLikeSecret(text))) return
  const hint = 'declare a sensitive variable in iac.yaml and write ${vars.NAME}'
  pass.report('secret_literal', pointer, isSecretField ? 'a secret stands in the manifest' : 'a text in the manifest looks like a secret', {
    hint,
    hidden: true,
  })
}

/** One literal in the form of requests: exact integers, no double where an integer belongs, ids as digits. */
export function settleScalar(value: JsonValue, schema: Schema, wrong: (message: string, hint?: string) => void): JsonValue {
  if (typeof value === 'bigint') return isDigitText(schema) ? String(value) : narrow(value)
  if (typeof value === 'number' && Number.isInteger(value) && isInteger(schema))
    wrong('an integer is expected here, got a number with a fraction', `write ${value}`)
  return value
}
