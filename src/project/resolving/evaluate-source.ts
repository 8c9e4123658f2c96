// Evaluates what a plan left unresolved, from its text alone, once the resources that it names are there.
import { parseAddress } from '../../base/address.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { Exhausted } from '../../base/meter.ts'
import { pathOf } from '../../base/pointer.ts'
import { renderTemplate } from '../../expressions/evaluate.ts'
import { parseTemplate } from '../../expressions/template.ts'
import { holdsSensitive, holdsUnknown, jsonOf, valueOf } from '../../expressions/value.ts'
import type { Value } from '../../expressions/value.ts'
import { marksOf } from '../../kinds/definition/fields.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { createBudget, tooMuch } from '../files/budget.ts'
import { narrow, schemaAt } from '../findings/schema.ts'
import type { Scope, Variable } from './declared.ts'
import { isBare, onceToken } from './known-once.ts'
import type { Once } from './known-once.ts'
import { createNames, inOrder } from './names.ts'
import type { Declarations, Names } from './names.ts'
import { emitLate, expressionScope } from './resolve.ts'
import { parsingSteps } from './templates.ts'
import type { Template } from './templates.ts'

/** What the texts of a plan may name: the addresses of all that is to be there. */
export interface Surroundings {
  readonly kinds: readonly AnyKind[]
  readonly addresses: Iterable<string>
  readonly variables: Readonly<Record<string, Variable>>
}

/** Where a text stands: in the spec of a resource of a kind, at a pointer; elsewhere its value is taken as it is. */
export interface Place {
  readonly address: string
  readonly kind?: AnyKind
  readonly pointer?: string
}

/** `once` is the origin of a value that is known once: it stands for it in whatever is kept. */
export type Evaluated =
  | { readonly value: JsonValue; readonly sensitive: boolean; readonly once?: string }
  | { readonly unknown: true }
  | { readonly problem: Diagnostic }

const noKeys: ReadonlySet<string> = new Set()
const MOST_KNOWN = 100
const LONGEST_KNOWN = 1000

/** An evaluator for the texts of one plan, which have one budget. */
export function createEvaluator(surroundings: Surroundings): (source: string, scope: Scope, place: Place) => Evaluated {
  const { variables } = surroundings
  const names = namesThen(surroundings)
  const budget = createBudget()
  const inputs = {
    meter: budget,
    variables: new Map(Object.entries(variables).map(([name, one]) => [name, valueOf(one.value, { sensitive: one.sensitive })])),
    file: () => ({ kind: 'error' as const, message: 'file() cannot be joined with values that are known only after apply' }),
  }
  // Of a hundred rules that name one instance all have the same text.
  const known = new Map<string, ReturnType<typeof parseTemplate>>()
  function parsedOnce(source: string): ReturnType<typeof parseTemplate> {
    const before = known.get(source)
    if (before) return before
    const template = parseTemplate(source, { filled: true })
    if (source.length > LONGEST_KNOWN) return template
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(source, template)
    return template
  }
  function evaluated(source: string, scope: Scope, place: Place): Evaluated {
    const { address } = place
    budget.begin(() => undefined)
    budget.admit(source.length)
    budget.spend(parsingSteps(source))
    const wrong = (message: string): Evaluated => ({ problem: diagnostic('expression', `${address}: ${message}`, { address }) })
    const template = parsedOnce(source)
    if (!template.ok) return wrong(template.mistakes.map((one) => one.message).join('; '))
    const seen: Once[] = []
    const result = renderTemplate(template.parts, expressionScope({ address, workspace: undefined, each: undefined, names, inputs, scope }, seen))
    if (!result.ok) return wrong(result.mistakes.map((one) => one.message).join('; '))
    if (holdsUnknown(result.value)) return { unknown: true }
    const found = settled(result.value, { text: source, parts: template.parts, early: false, marks: false, references: [] }, scope, place)
    const [first] = seen
    if (!first || !('value' in found)) return found
    return { ...found, once: isBare(template) ? first.token : onceToken(seen, () => source, scope) }
  }
  function settled(value: Value, template: Template, scope: Scope, { address, kind, pointer }: Place): Evaluated {
    const sensitive = holdsSensitive(value)
    if (!kind || pointer === undefined) {
      const json = jsonOf(value)
      return json === undefined ? { unknown: true } : { value: narrow(json), sensitive }
    }
    const schema = schemaAt(kind.spec, pathOf(pointer))
    const { ref, output = 'id' } = schema ? marksOf(schema) : {}
    const pointing = ref ? { kinds: ref, output } : undefined
    let problem: Diagnostic | undefined
    const emitted = emitLate(value, { is: 'template', template, schema, secret: false, pointing, fixed: undefined }, pointer, {
      address,
      names,
      inputs,
      scope,
      budget,
      workspace: undefined,
      each: undefined,
      reach: () => undefined,
      report: (code, _, message, { hint } = {}) => void (problem ??= diagnostic(code, message, { address, hint })),
    })
    if (problem) return { problem }
    return emitted.unknown.size > 0 ? { unknown: true } : { value: narrow(emitted.value), sensitive }
  }
  return (source, scope, place) => {
    try {
      return evaluated(source, scope, place)
    } catch (error) {
      if (error instanceof Exhausted) return { problem: tooMuch(error, undefined, place.address) }
      throw error
    }
  }
}

/** All names were declared when it was planned: one without an address has a for_each without keys. */
function namesThen({ kinds, addresses, variables }: Surroundings): Names {
  const names = createNames(new Map(kinds.map((kind) => [kind.name, kind])), declarationsOf(addresses), Object.keys(variables))
  return { ...names, keysOf: (kind, name) => (names.isDeclared(kind, name) ? names.keysOf(kind, name) : noKeys) }
}

/** The names and keys of addresses; of a name with a key and without the later ones count. */
export function declarationsOf(addresses: Iterable<string>): Declarations {
  const out = new Map<string, Map<string, ReadonlySet<string> | undefined>>()
  const keys = new Map<string, Set<string>>()
  for (const text of addresses) {
    const address = parseAddress(text)
    if (!address) continue
    const { kind, name, key } = address
    const names = out.get(kind) ?? new Map<string, ReadonlySet<string> | undefined>()
    out.set(kind, names)
    const own = names.get(name) === undefined ? new Set<string>() : (keys.get(`${kind}/${name}`) ?? new Set<string>())
    if (key !== undefined) keys.set(`${kind}/${name}`, own.add(key))
    names.set(name, key === undefined ? undefined : own)
  }
  for (const names of out.values()) for (const [name, own] of names) if (own) names.set(name, inOrder(own))
  return out
}
