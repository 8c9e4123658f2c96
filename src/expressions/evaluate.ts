// Evaluates expressions and templates, carrying what is unknown and what is sensitive.
import { unmetered } from '../base/meter.ts'
import type { Meter } from '../base/meter.ts'
import { deciding, outcomeOf, strict, takenSince } from './deciding.ts'
import type { Decisions } from './deciding.ts'
import type { Parsed } from './expression.ts'
import { callFunction } from './functions.ts'
import { merge, settled, tellsSensitive, truth } from './logic.ts'
import type { Outcome } from './logic.ts'
import { runMacro } from './macro.ts'
import type { Step } from './macro.ts'
import { index, keyOf, select } from './members.ts'
import { binary, fail, isIn, isSurely, maybeA, text, typeName, unary } from './operators.ts'
import type { Site } from './operators.ts'
import { bytesPerValue, settle } from './settle.ts'
import type { TemplateMistake, TemplatePart } from './template.ts'
import { askedForKeys, ExpressionError } from './tree.ts'
import type { LookupNode, Node, Operand, ResourceNode } from './tree.ts'
import { holdsSensitive, holdsSensitiveKeys, list, map, mark, scalar, unknown, unknownsOf, untyped, valueAt, weightOf } from './value.ts'
import type { MapKey, Term, Unknown, Value } from './value.ts'

/** Says why a value cannot be had; it becomes the error of the expression. */
export interface Refusal {
  readonly kind: 'error'
  readonly message: string
}

/** Where values come from. `resource` answers with what stands at `path` (empty: all attributes as a map), null for an absent optional field. */
export interface Scope {
  readonly each: { readonly key: Value; readonly value: Value } | undefined
  /** What evaluation is charged to beyond the limit of each expression. */
  readonly meter?: Meter
  variable(name: string): Value | Refusal
  /** A value of a name of its own, beside vars and each. */
  named?(name: string): Value | undefined
  keysOf(kind: string, name: string): ReadonlySet<string> | undefined
  /** Whether nothing is known of the keys of a name. */
  isOpen?(kind: string, name: string): boolean
  resource(kind: string, name: string, key: string | undefined, path: readonly string[]): Value | Refusal
  /** All attributes as a map. */
  lookup(kind: string, name: string): Value | Refusal
  file(path: string): Value | Refusal
}

/** The value, or where in the source and why there is none. */
export type Result = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly offset: number; readonly message: string }

/** Names that macros bound, innermost first. */
interface Local {
  readonly name: string
  readonly value: Term
  readonly outer: Local | undefined
}

interface Context {
  readonly scope: Scope
  readonly local: Local | undefined
  readonly meter: Meter
  readonly decisions: Decisions
}

const maxSteps = 1_000_000
const stepsPerOrigin = 2
const stepsPerEntry = 4

/** The value of an expression, after at most a million steps; throws nothing for what a user wrote but Exhausted, of the scope's meter. */
export function evaluate(parsed: Parsed, scope: Scope): Result {
  try {
    const { meter = unmetered } = scope
    const context = { scope, local: undefined, meter: account(meter), decisions: { bySensitive: 0 } }
    const value = settle(run(parsed.root, context), siteOf(parsed.root, context))
    // What variables and files hold is shared: no more is new than was made.
    meter.keep(Math.min(context.meter.made(), weightOf(value, bytesPerValue)))
    return { ok: true, value }
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, offset: error.offset, message: error.message }
    if (error instanceof RangeError) return { ok: false, offset: parsed.root.at, message: 'the expression needs too much memory' }
    throw error
  }
}

/** The value of a string, or all that is wrong in it; offsets count from the start of the string. */
export type Rendered = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly mistakes: readonly TemplateMistake[] }

/** The value of a whole string: typed when it is one expression, else text. */
export function renderTemplate(parts: readonly TemplatePart[], scope: Scope): Rendered {
  const [first] = parts
  const values: Value[] = []
  const mistakes: TemplateMistake[] = []
  for (const part of parts) {
    const result = part.kind === 'text' ? { ok: true as const, value: scalar(part.text) } : evaluate(part.expression, scope)
    const offset = part.kind === 'text' ? 0 : part.offset
    if (!result.ok) mistakes.push({ offset: offset + result.offset, message: result.message })
    else if (parts.length > 1 && !isText(result.value))
      mistakes.push({ offset, message: `${result.value.kind === 'scalar' ? 'null' : `a ${typeName(result.value)}`} cannot stand in text; write json(…)` })
    else values.push(result.value)
  }
  if (mistakes.length > 0) return { ok: false, mistakes }
  if (parts.length === 1 && first?.kind === 'expression') return { ok: true, value: values[0] ?? scalar('') }
  return joined(values, account(scope.meter))
}

function isText(value: Value): boolean {
  return (value.kind === 'unknown' && !isSurely(value, ['list', 'map'])) || (value.kind === 'scalar' && value.scalar !== null)
}

function joined(values: readonly Value[], meter: Meter): Rendered {
  const sensitive = values.some(holdsSensitive)
  if (values.some((value) => value.kind === 'unknown'))
    return {
      ok: true,
      value: unknown(
        values.flatMap((value) => unknownsOf(value)),
        sensitive,
      ),
    }
  try {
    const whole = values.map((value) => (value.kind === 'scalar' ? String(value.scalar) : '')).join('')
    meter.keep(whole.length)
    return { ok: true, value: scalar(text(whole, { at: 0, ...meter }), sensitive) }
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RangeError)
      return { ok: false, mistakes: [{ offset: 0, message: 'the text is longer than 16 MiB' }] }
    throw error
  }
}

function account(whole: Meter = unmetered): Meter & { made(): number } {
  let left = maxSteps
  let made = 0
  return {
    spend(steps) {
      left -= steps
      if (left < 0) throw new ExpressionError(0, 'the expression takes too many steps')
      whole.spend(steps)
    },
    make(bytes) {
      made += bytes
      whole.make(bytes)
    },
    keep: whole.keep,
    made: () => made,
  }
}

function siteOf(node: Node, { meter }: Context): Site {
  return { at: node.at, spend: meter.spend, make: meter.make }
}

const copies: ReadonlySet<Node['op']> = new Set(['list', 'map', 'macro', 'chain', 'call', 'conditional', 'index'])

/** The value of a part; where it is made of what is not known, each origin that it takes over is work, too. */
function run(node: Node, context: Context): Term {
  context.meter.spend(1)
  const term = valueOfNode(node, context)
  const origins = copies.has(node.op) ? unknownsOf(term).length : 0
  if (origins > 0) context.meter.spend(origins * stepsPerOrigin)
  return term
}

function valueOfNode(node: Node, context: Context): Term {
  const site = siteOf(node, context)
  const { scope, decisions } = context
  switch (node.op) {
    case 'literal':
      return scalar(node.value)
    case 'local':
      return local(node.name, context, site)
    case 'free':
      return scope.named?.(node.name) ?? fail(site, `no name '${node.name}' is in scope`)
    case 'vars':
      return given(scope.variable(node.name), site)
    case 'each':
      return scope.each?.[node.part] ?? fail(site, `each.${node.part} exists in manifests with for_each only`)
    case 'resource':
      return resource(node, context)
    case 'lookup':
      return lookup(node, context)
    case 'file':
      return file(node.path, context, site)
    case 'select':
      return select(deciding(run(node.target, context), decisions), node.field, site)
    case 'index': {
      const [target, at] = [deciding(run(node.target, context), decisions), deciding(run(node.index, context), decisions)]
      return knownMember(node.target, target, at, context) ?? index(target, at, site)
    }
    case 'list':
      context.meter.spend(node.items.length)
      return list(node.items.map((item) => run(item, context)))
    case 'map':
      return mapLiteral(node.entries, context, site)
    case 'conditional':
      return conditional(node.test, node.yes, node.no, context)
    case 'chain':
      return chain(node, context)
    case 'unary': {
      const operand = run(node.operand, context)
      return strict([operand], decisions, () => unary(node.operator, operand, site))
    }
    case 'call': {
      const args = (node.target ? [node.target, ...node.args] : node.args).map((arg) => runPart(arg, node, context))
      return strict(args, decisions, () => callFunction(node.name, node.target !== undefined, args, site))
    }
    case 'macro':
      return runMacro(node.macro, deciding(runPart(node.range, node, context), decisions), stepsOf(node, context), site)
    case 'has':
      return has(node.target, context, site)
    default:
      return run(node.body, bound(context, node.variable, run(node.value, context)))
  }
}

/** A part of a node; the whole of a for_each as its keys alone where no more is asked, so that nothing in its members counts as read. */
function runPart(part: Node, whole: Node, context: Context): Term {
  if (part.op !== 'resource' || part.key || part.path.length > 0 || !askedForKeys(whole).includes(part)) return run(part, context)
  const name = nameOf(part.name, 'name', context)
  const keys = typeof name === 'string' ? context.scope.keysOf(part.resourceKind, name) : undefined
  if (!keys) return run(part, context)
  context.meter.spend(keys.size)
  return map(new Map([...keys].map((key) => [key, scalar(null)])))
}

function bound(context: Context, name: string, value: Term): Context {
  return { ...context, local: { name, value, outer: context.local } }
}

/** The steps of a macro; all but what `map` makes of an item decide about it. */
function stepsOf({ macro, steps, variable }: Extract<Node, { readonly op: 'macro' }>, context: Context): readonly Step[] {
  const within = (item: Term) => bound(context, variable, item)
  return steps.map((step, at) => {
    const settles = <T extends Outcome>(outcome: T) => (macro === 'map' && at === steps.length - 1 ? outcome : deciding(outcome, context.decisions))
    return { run: (item) => settles(run(step, within(item))), attempt: (item) => settles(attempt(step, within(item))) }
  })
}

function local(name: string, context: Context, site: Site): Term {
  for (let one = context.local; one; one = one.outer) if (one.name === name) return one.value
  return fail(site, `no name '${name}' is in scope`)
}

function given(answer: Value | Refusal, site: Site): Value {
  return answer.kind === 'error' ? fail(site, answer.message) : answer
}

function file(operand: Operand, context: Context, site: Site): Term {
  const path = nameOf(operand, 'path', context)
  return typeof path === 'string' ? given(context.scope.file(path), site) : path
}

function resource(node: ResourceNode, context: Context): Term {
  const { resourceKind: kind, path } = node
  const site = siteOf(node, context)
  const name = nameOf(node.name, 'name', context)
  if (typeof name !== 'string') return name
  const keys = context.scope.keysOf(kind, name)
  if (!node.key) {
    if (!keys) return given(context.scope.resource(kind, name, undefined, path), site)
    if (path.length > 0) fail(site, `${kind}/${name} has a for_each: a key is missing`)
    const all = new Map<string, Value>()
    for (const key of keys) {
      const one = given(context.scope.resource(kind, name, key, []), site)
      context.meter.spend(1 + (one.kind === 'map' ? one.entries.size : 0))
      all.set(key, one)
    }
    const whole = map(all)
    context.meter.spend(unknownsOf(whole).length)
    return whole
  }
  const key = deciding(run(node.key.node, context), context.decisions)
  if (key.kind === 'unknown') return untyped(key)
  const text = plainText(key, 'key', siteOf(node.key.node, context))
  if (!keys && !context.scope.isOpen?.(kind, name)) fail(siteOf(node.key.node, context), `${kind}/${name} has no for_each, so it takes no key`)
  if (keys && !keys.has(text)) fail(siteOf(node.key.node, context), `${kind}/${name} has no key '${text}'`)
  return given(context.scope.resource(kind, name, text, path), site)
}

function lookup(node: LookupNode, context: Context): Term {
  const name = nameOf(node.name, 'name', context)
  if (typeof name !== 'string') return name
  return valueAt(given(context.scope.lookup(node.resourceKind, name), siteOf(node, context)), node.path)
}

/** A name, made of variables and each alone: it is unknown only where one of those is wrong, which was said. */
function nameOf(operand: Operand, what: string, context: Context): string | Unknown {
  if (operand.constant !== undefined) return operand.constant
  const term = deciding(run(operand.node, context), context.decisions)
  if (term.kind === 'unknown') return untyped(term)
  return plainText(term, what, siteOf(operand.node, context))
}

function plainText(term: Term, what: string, site: Site): string {
  if (holdsSensitive(term)) fail(site, `a sensitive value cannot be a ${what}`)
  if (term.kind !== 'scalar' || typeof term.scalar !== 'string') fail(site, `this ${what} must be a string, not ${typeName(term)}`)
  return term.scalar
}

/** A member that is known by itself of an attribute that as a whole is not, if it is one. */
function knownMember(node: Node, target: Term, at: Term, context: Context): Term | undefined {
  const key = at.kind === 'scalar' && !at.sensitive ? at.scalar : undefined
  if (target.kind !== 'unknown' || node.op !== 'resource' || node.path.length === 0 || typeof key !== 'string') return undefined
  const member = resource({ ...node, path: [...node.path, key] }, context)
  return member.kind === 'unknown' || (member.kind === 'scalar' && member.scalar === null) ? undefined : member
}

/** Keys that are unknown leave the whole map unknown, sensitive ones make all of it sensitive, and say so of the keys. */
function mapLiteral(entries: readonly (readonly [Node, Node])[], context: Context, site: Site): Term {
  context.meter.spend(stepsPerEntry * entries.length)
  const pairs = entries.map(([key, member]) => [deciding(run(key, context), context.decisions), run(member, context), siteOf(key, context)] as const)
  const sensitiveKeys = pairs.some(([key]) => holdsSensitive(key))
  const open = pairs.filter(([key]) => key.kind === 'unknown')
  if (open.length > 0) {
    return unknown(
      open.flatMap(([key]) => unknownsOf(key)),
      sensitiveKeys || pairs.some(([, member]) => holdsSensitive(member)),
      sensitiveKeys || pairs.some(([, member]) => holdsSensitiveKeys(member)),
    )
  }
  const members = new Map<MapKey, Term>()
  for (const [keyTerm, member, keySite] of pairs) members.set(keyOf(keyTerm, keySite), member)
  if (members.size < pairs.length) fail(site, 'the map holds the same key twice')
  return map(members, sensitiveKeys, sensitiveKeys)
}

function conditional(test: Node, yes: Node, no: Node, context: Context): Term {
  const decided = deciding(run(test, context), context.decisions)
  if (decided.kind === 'unknown' && maybeA(decided, 'bool')) {
    const branches = [yes, no].map((branch) => attempt(branch, context))
    const keys = branches.some((branch) => branch.kind !== 'failure' && holdsSensitiveKeys(branch))
    return unknown(decided.origins, decided.sensitive || branches.some(tellsSensitive), keys)
  }
  const branch = truth(decided, siteOf(test, context), '?:') ? yes : no
  return mark(run(branch, context), decided.sensitive)
}

/** The value of a part, or its error, as what can be passed over. */
function attempt(node: Node, context: Context): Outcome {
  const { decisions } = context
  const before = decisions.bySensitive
  return takenSince(
    before,
    outcomeOf(decisions, () => run(node, context)),
    decisions,
  )
}

/** `&&` and `||` take errors as operands too: the other side may decide. */
function chain(node: Extract<Node, { readonly op: 'chain' }>, context: Context): Term {
  const { decisions } = context
  const before = decisions.bySensitive
  let result = outcomeOf(decisions, () => run(node.first, context))
  let { at } = node
  for (const { operator, operand } of node.links) {
    const site = { ...siteOf(node, context), at }
    if (operator === '&&' || operator === '||') {
      const left = deciding(takenSince(before, result, decisions), decisions)
      result = merge(operator, left, () => deciding(attempt(operand, context), decisions), site, siteOf(operand, context))
    } else if (result.kind !== 'failure') {
      const left = result
      result = outcomeOf(decisions, () => strictLink(operator, left, runPart(operand, node, context), context, site))
    }
    at = operand.at
  }
  return settled(result)
}

/** Values of any type can be compared with `==` and `!=`, which are no mistake whatever the values. */
function strictLink(operator: string, left: Term, right: Term, { decisions }: Context, site: Site): Term {
  if (operator === '==' || operator === '!=') return binary(operator, left, right, site)
  return strict([left, right], decisions, () => (operator === 'in' ? isIn(left, right, site) : binary(operator, left, right, site)))
}

/** A field of a resource is there when it is not null, a key of a map when the map has it. */
function has(target: Node, context: Context, site: Site): Term {
  const value = target.op === 'select' ? deciding(run(target.target, context), context.decisions) : run(target, context)
  if (value.kind === 'unknown') return untyped(value)
  if (target.op !== 'select') return scalar(target.op === 'vars' || target.op === 'each' || value.kind !== 'scalar' || value.scalar !== null, value.sensitive)
  if (value.kind !== 'map') fail(site, `${typeName(value)} has no field '${target.field}'`)
  return scalar(value.entries.has(target.field), value.sensitive)
}
