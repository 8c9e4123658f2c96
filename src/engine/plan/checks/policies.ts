// Holds a plan against policies: each change or resource, or the plan as a whole; what is not known yet is told, and judged again on the way.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import { below, pathOf } from '../../../base/pointer.ts'
import { evaluate, renderTemplate } from '../../../expressions/evaluate.ts'
import type { Scope } from '../../../expressions/evaluate.ts'
import type { Parsed } from '../../../expressions/expression.ts'
import { holdsSensitive, list, map, scalar, unknown, valueOf } from '../../../expressions/value.ts'
import type { Value } from '../../../expressions/value.ts'
import type { Variable } from '../../../project/resolving/declared.ts'
import { readsElsewhere } from '../../../project/resolving/policy.ts'
import type { Policy, policyNames } from '../../../project/resolving/policy.ts'
import { toJson } from '../../model/live.ts'
import type { Change, Plan } from '../../model/plan-data.ts'
import { withoutHidden, withoutHiddenLists } from './hidden-unknown.ts'
import type { Awaiting } from './hidden-unknown.ts'

/** The policies of a run, what they may read beside the plan, and those that somebody lets pass, each with the reason. */
export interface PolicySet {
  readonly policies: readonly Policy[]
  readonly variables: Readonly<Record<string, Variable>>
  readonly environment: string | null
  readonly overrides: ReadonlyMap<string, string>
}

/** Policies of an apply, with the plan that it carries out, as far as that is known by now. */
export interface AppliedPolicies extends PolicySet {
  readonly plan: () => Value
  /** Takes what a change turned out to be; what of others reads the plan, and could not be judged for want of it. */
  readonly learn: (known: Change) => readonly Judging[]
}

type Judging = readonly [policy: Policy, subject: Subject]

type Resource = Pick<Change, 'address' | 'kind' | 'protected'> & Awaiting

type Judged = Pick<Plan, 'changes' | 'summary' | 'cost' | 'quota'>

/** What a policy is held against. */
interface Subject {
  readonly address: string | undefined
  readonly it: (() => Value) | undefined
}

type Verdict =
  | { readonly is: 'kept' }
  | { readonly is: 'unknown'; readonly origins: readonly string[] }
  | { readonly is: 'broken'; readonly message: string }
  | { readonly is: 'unjudged'; readonly why: string }

/** An error for each policy that a plan breaks, a warning where its level or an override says so, and for what is not known yet. */
export function policyProblems(plan: Judged, set: PolicySet): readonly Diagnostic[] {
  const whole = once(() => wholeValue(plan))
  return set.policies.flatMap((policy) =>
    subjectsOf(policy, plan.changes).flatMap((subject) => told(policy, subject, verdictOn(policy, subject, set, whole), set.overrides.get(policy.name))),
  )
}

/** The same of the resources alone, before anything is asked of the service: what is not known is not told. */
export function policyProblemsOf(resources: () => readonly Resource[], set: PolicySet): readonly Diagnostic[] {
  const policies = set.policies.filter((one) => one.each === 'resource' && !one.readsPlan)
  const known = policies.length === 0 ? [] : resources()
  return policies.flatMap((policy) =>
    known.flatMap((one) => {
      const subject = { address: one.address, it: () => resourceValue(one) }
      const verdict = verdictOn(policy, subject, set, () => unknown(['the plan']))
      return verdict.is === 'unknown' ? [] : told(policy, subject, verdict, undefined)
    }),
  )
}

/** What reads the plan and cannot be judged yet: about the change `at` this place of it, where it is about one. */
interface Waiting {
  readonly policy: Policy
  readonly subject: Subject
  readonly at: number | undefined
  readonly origins: readonly string[]
}

/** The policies that are held against changes while a plan is carried out. */
export function policiesFor(plan: Judged, set: PolicySet): AppliedPolicies {
  const reading = set.policies.filter((one) => one.readsPlan)
  const parts = once(() => plan.changes.map(partValue))
  const places = once(() => new Map(plan.changes.map((one, at) => [placeName(one), at])))
  let whole = once(() => wholeOf(parts(), plan))
  let waiting = once(() => reading.flatMap((policy) => subjectsIn(policy).flatMap(stillWaiting)))
  function subjectsIn(policy: Policy): readonly Omit<Waiting, 'origins'>[] {
    if (policy.each === undefined) return subjectsOf(policy, []).map((subject) => ({ policy, subject, at: undefined }))
    return plan.changes.flatMap((one, at) => subjectsOf(policy, [one]).map((subject) => ({ policy, subject, at })))
  }
  function stillWaiting(one: Omit<Waiting, 'origins'>): readonly Waiting[] {
    const verdict = verdictOn(one.policy, one.subject, set, whole)
    return verdict.is === 'unknown' ? [{ ...one, origins: verdict.origins }] : []
  }
  function learn(known: Change): readonly Judging[] {
    const at = reading.length === 0 ? undefined : places().get(placeName(known))
    if (at === undefined) return []
    const before = waiting()
    parts()[at] = partValue(known, at)
    whole = once(() => wholeOf(parts(), plan))
    const concerned = new Set(before.filter((one) => one.at === at || one.origins.some((origin) => origin.startsWith(`/changes/${at}/`))))
    // What is about this change is judged by what is known of it from here on.
    const found = [...concerned].flatMap((one) => (one.at === at ? subjectsOf(one.policy, [known]).map((subject) => ({ ...one, subject })) : [one]))
    const left = [...before.filter((one) => !concerned.has(one)), ...found.flatMap(stillWaiting)]
    waiting = () => left
    return found.flatMap((one) => (one.at === at ? [] : [[one.policy, one.subject] as const]))
  }
  return { ...set, plan: () => whole(), learn }
}

function placeName({ address, deposed }: Change): string {
  return `${deposed} ${address}`
}

/** What a change breaks once everything of it is known, right before its first effect, and what waited for that: the first error. */
export function brokenOnTheWay(change: Change, after: JsonObject, set: AppliedPolicies): Diagnostic | undefined {
  const known = { ...change, after, after_unknown: [] }
  const awaiting = set.learn(known)
  const own = set.policies.flatMap((policy) => (policy.each === undefined ? [] : subjectsOf(policy, [known]).map((subject): Judging => [policy, subject])))
  for (const [policy, subject] of [...own, ...awaiting]) {
    const verdict = verdictOn(policy, subject, set, set.plan)
    const found = verdict.is === 'unknown' ? [] : told(policy, subject, verdict, set.overrides.get(policy.name))
    const error = found.find((one) => one.severity === 'error')
    if (error) return error
  }
  return undefined
}

/** A no-op is no change; what is to be there is a resource, changed or not. */
function subjectsOf({ each }: Policy, changes: readonly Change[]): readonly Subject[] {
  if (each === undefined) return [{ address: undefined, it: undefined }]
  if (each === 'change') return changes.flatMap((one) => (one.action === 'no-op' ? [] : [{ address: one.address, it: () => changeValue(one) }]))
  return changes.flatMap((one) => (one.after === null || one.deposed ? [] : [{ address: one.address, it: () => resourceValue(one) }]))
}

function wholeValue(plan: Judged): Value {
  return wholeOf(plan.changes.map(partValue), plan)
}

function wholeOf(parts: readonly Value[], { summary, cost, quota }: Judged): Value {
  const rest = Object.entries({ summary, cost, quota }).map(([name, one]) => [name, planValue(toJson(one), `/${name}`)] as const)
  return map(new Map<string, Value>([['changes', list(parts)], ...rest]))
}

/** A change as it stands in the plan. */
function partValue(given: Change, at: number): Value {
  const one = withoutHiddenLists(given)
  const unknowns = [...unknownIn(one)].map(([pointer, keys]) => [`/changes/${at}${pointer}`, keys] as const)
  return planValue(toJson(one), `/changes/${at}`, new Map(unknowns))
}

function changeValue(given: Change): Value {
  const one = withoutHiddenLists(given)
  return planValue(toJson(one), '', unknownIn(one))
}

function resourceValue({ address, kind, protected: isProtected, ...given }: Resource): Value {
  const one = withoutHidden(given)
  const unknowns = new Map([...unknownIn(one)].map(([pointer, keys]) => [pointer.replace(/^\/after/, '/spec'), keys]))
  return planValue({ address, kind, spec: one.after, protected: isProtected }, '', unknowns)
}

/** The members that are not known yet, by the pointer of what they stand in. */
function unknownIn({ after_unknown: pointers }: Pick<Change, 'after_unknown'>): ReadonlyMap<string, readonly string[]> {
  const out = new Map<string, string[]>()
  for (const pointer of pointers) {
    const at = pointer.lastIndexOf('/')
    const [parent, [key = '']] = [`/after${pointer.slice(0, at)}`, pathOf(pointer.slice(at))]
    out.set(parent, [...(out.get(parent) ?? []), key])
  }
  return out
}

/** JSON of a plan as CEL reads it: {"$sensitive": true} is a value that nobody sees, and what is not known yet is unknown. */
function planValue(json: JsonValue, pointer: string, unknowns: ReadonlyMap<string, readonly string[]> = new Map()): Value {
  const missing = unknowns.get(pointer) ?? []
  if (isList(json))
    return list(json.map((one, at) => (missing.includes(String(at)) ? unknown([`${pointer}/${at}`]) : planValue(one, `${pointer}/${at}`, unknowns))))
  if (!isObject(json)) return valueOf(json)
  if (json['$sensitive'] === true) return scalar(null, true)
  const members = Object.entries(json).map(([key, one]) => [key, planValue(one, below(pointer, key), unknowns)] as const)
  return map(new Map([...members, ...missing.map((key) => [key, unknown([below(pointer, key)])] as const)]))
}

function verdictOn(policy: Policy, subject: Subject, set: PolicySet, plan: () => Value): Verdict {
  const scope = scopeFor(subject, set, plan)
  const asked = policy.when ? truthOf(policy.when, scope, 'when') : undefined
  if (asked && asked.is !== 'kept') return asked.is === 'broken' ? { is: 'kept' } : asked
  const held = truthOf(policy.assert, scope, 'assert')
  if (held.is !== 'broken') return held
  const message = renderTemplate(policy.message, scope)
  if (!message.ok) return { is: 'broken', message: '' }
  const isTold = message.value.kind === 'scalar' && !holdsSensitive(message.value)
  return { is: 'broken', message: isTold && message.value.kind === 'scalar' ? String(message.value.scalar ?? '') : '' }
}

/** Whether an expression holds; `broken` where it is false. */
function truthOf(parsed: Parsed, scope: Scope, what: string): Verdict {
  const result = evaluate(parsed, scope)
  if (!result.ok) return { is: 'unjudged', why: `${what}: ${result.message}` }
  const { value } = result
  if (holdsSensitive(value)) return { is: 'unjudged', why: `${what} depends on a sensitive value, and what a policy finds is told` }
  if (value.kind === 'unknown') return { is: 'unknown', origins: value.origins }
  if (value.kind !== 'scalar' || typeof value.scalar !== 'boolean') return { is: 'unjudged', why: `${what} is a bool, and this is none` }
  return value.scalar ? { is: 'kept' } : { is: 'broken', message: '' }
}

function scopeFor({ it }: Subject, { variables, environment }: PolicySet, plan: () => Value): Scope {
  const refused = { kind: 'error' as const, message: readsElsewhere }
  const known = { plan, environment: () => scalar(environment), it } satisfies Readonly<Record<(typeof policyNames)[number], unknown>>
  const named: Readonly<Record<string, (() => Value) | undefined>> = known
  return {
    each: undefined,
    variable(name) {
      const one = variables[name]
      return one ? valueOf(one.value, { sensitive: one.sensitive }) : refused
    },
    named: (name) => named[name]?.(),
    keysOf: () => undefined,
    resource: () => refused,
    lookup: () => refused,
    file: () => refused,
  }
}

function told({ name, level, position, readsPlan }: Policy, { address }: Subject, verdict: Verdict, override: string | undefined): readonly Diagnostic[] {
  if (verdict.is === 'kept') return []
  const at = address === undefined ? '' : `${address}: `
  const more = { address, position }
  if (verdict.is === 'unknown') {
    const origins = verdict.origins.slice(0, 3).join(', ')
    const hint = `it is judged again ${readsPlan ? 'as soon as that is known' : 'before the first effect on it'}`
    return [diagnostic('policy_warning', `${at}policy ${name} cannot be judged before apply: ${origins} is not known yet`, { ...more, hint })]
  }
  const text =
    verdict.is === 'broken'
      ? `${at}breaks the policy ${name}${verdict.message === '' ? '' : `: ${verdict.message}`}`
      : `${at}the policy ${name} cannot be judged: ${verdict.why}`
  if (override !== undefined) return [diagnostic('policy_warning', `${text} (overridden: ${override})`, more)]
  if (level === 'warn') return [diagnostic('policy_warning', text, more)]
  return [
    diagnostic('guard_policy', text, {
      ...more,
      hint: `--override ${name} --reason TEXT of plan, apply or destroy lets it pass, and keeps it in the history of the state`,
    }),
  ]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
