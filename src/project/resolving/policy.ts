// A policy: what every plan of a project must keep, as CEL over changes, resources and the plan.
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { checkExpression } from '../../expressions/check.ts'
import type { CheckScope } from '../../expressions/check.ts'
import { freeNames, parseExpression, referencesOf } from '../../expressions/expression.ts'
import type { Parsed } from '../../expressions/expression.ts'
import { parseTemplate } from '../../expressions/template.ts'
import type { TemplatePart } from '../../expressions/template.ts'

export interface Policy {
  readonly name: string
  readonly each: 'change' | 'resource' | undefined
  readonly when: Parsed | undefined
  readonly assert: Parsed
  readonly message: readonly TemplatePart[]
  readonly level: 'deny' | 'warn'
  /** Whether anything in it reads the plan as a whole: what needs no live state does not. */
  readonly readsPlan: boolean
  readonly position: Position
}

/** A policy as it is written, with where its members stand. */
export interface PolicyText {
  readonly fields: {
    readonly name?: string | undefined
    readonly each?: 'change' | 'resource' | undefined
    readonly when?: string | undefined
    readonly assert?: string | undefined
    readonly message?: string | undefined
    readonly level?: 'deny' | 'warn' | undefined
  }
  readonly position: (member: string, offset?: number) => Position
  /** A mistake in it is told elsewhere: nothing is missed in it, and no policy is made of it. */
  readonly isDoubtful?: boolean
}

/** The variables that policies may read, and those that they may not. */
export interface PolicyVariables {
  /** Undefined where it cannot be told which there are. */
  readonly names: readonly string[] | undefined
  readonly sensitive: ReadonlySet<string>
}

/** What policies read beside variables; `it` where `each` says so. */
export const policyNames = ['plan', 'environment', 'it'] as const

/** What is said of a resource, a lookup or a file in a policy. */
export const readsElsewhere = 'a policy reads the plan, and nothing else'

const NAME = /^[a-z][a-z0-9-]{0,62}$/

/** What a policy is called, and where it stands. */
export type NamedPolicy = Pick<Policy, 'name' | 'position'>

/** What came of one: it is named wherever its name is right, whatever else is wrong in it. */
interface Compiled {
  readonly named?: NamedPolicy
  readonly policy?: Policy
  readonly problems: readonly Diagnostic[]
}

/** A policy, or all that is wrong in it. */
export function compilePolicy(text: PolicyText, variables: PolicyVariables): Compiled {
  const { fields, position, isDoubtful = false } = text
  const { name, each, assert, level = 'deny' } = fields
  const problems: Diagnostic[] = []
  if (name === undefined && !isDoubtful) problems.push(diagnostic('missing_field', 'a policy needs a name', { position: position('') }))
  else if (name !== undefined && !NAME.test(name))
    problems.push(diagnostic('invalid_name', 'a policy is called by lower-case letters, digits and dashes, a letter first', { position: position('name') }))
  if (assert === undefined && !isDoubtful)
    problems.push(diagnostic('missing_field', 'a policy needs assert: what must hold, as CEL', { position: position('') }))
  const scope = scopeOf(variables, isDoubtful || each !== undefined)
  const expression = (member: 'when' | 'assert'): Parsed | undefined => {
    const source = fields[member]
    if (source === undefined) return undefined
    const result = parseExpression(source)
    if (!result.ok) problems.push(diagnostic('expression', result.message, { position: position(member, result.offset), hint: bareHint(source) }))
    else problems.push(...wrongNames(result.parsed, 0, member, { scope, variables, position }))
    return result.ok ? result.parsed : undefined
  }
  const [when, asserted] = [expression('when'), expression('assert')]
  const message = parseTemplate(fields.message ?? '')
  if (!message.ok) for (const one of message.mistakes) problems.push(diagnostic('expression', one.message, { position: position('message', one.offset) }))
  const parts = message.ok ? message.parts : []
  for (const part of parts)
    if (part.kind === 'expression') problems.push(...wrongNames(part.expression, part.offset, 'message', { scope, variables, position }))
  const named = name !== undefined && NAME.test(name) ? { named: { name, position: position('') } } : {}
  if (problems.length > 0 || isDoubtful || name === undefined || !asserted) return { ...named, problems }
  const all = [...(when ? [when] : []), asserted, ...parts.flatMap((part) => (part.kind === 'expression' ? [part.expression] : []))]
  const readsPlan = all.some((one) => freeNames(one).has('plan'))
  return { ...named, policy: Object.freeze({ name, each, when, assert: asserted, message: parts, level, readsPlan, position: position('') }), problems }
}

function bareHint(source: string): string | undefined {
  return source.includes('${') ? 'when and assert are CEL as they stand, without ${…}' : undefined
}

interface Checking {
  readonly scope: CheckScope
  readonly variables: PolicyVariables
  readonly position: PolicyText['position']
}

function wrongNames(parsed: Parsed, offset: number, member: string, { scope, variables, position }: Checking): Diagnostic[] {
  const references = referencesOf(parsed)
  const elsewhere = new Set(references.flatMap(({ kind, offset: at }) => (kind === 'vars' || kind === 'each' ? [] : [at])))
  const wrong = checkExpression(parsed, scope).flatMap(({ code, offset: at, message, hint }) =>
    elsewhere.has(at) ? [] : [diagnostic(code, message, { position: position(member, offset + at), hint })],
  )
  const hidden = references.flatMap((one) => (one.kind === 'vars' && variables.sensitive.has(one.name) ? [one] : []))
  return [
    ...wrong,
    ...[...elsewhere].map((at) => diagnostic('expression', readsElsewhere, { position: position(member, offset + at) })),
    ...hidden.map((one) =>
      diagnostic('expression', `vars.${one.name} is sensitive, and what a policy finds is told`, { position: position(member, offset + one.offset) }),
    ),
  ]
}

function scopeOf({ names }: PolicyVariables, hasIt: boolean): CheckScope {
  return {
    each: false,
    names: policyNames.filter((name) => name !== 'it' || hasIt),
    hasVar: (name) => names?.includes(name) ?? true,
    varNames: () => names ?? [],
    kindNames: () => [],
    resources: () => new Set(),
    keysOf: () => undefined,
    attributes: () => [],
  }
}

/** Problems of names that stand twice, whichever files they stand in. */
export function doubledPolicies(all: readonly NamedPolicy[]): readonly Diagnostic[] {
  const first = new Map<string, NamedPolicy>()
  return all.flatMap((one) => {
    const other = first.get(one.name)
    if (!other) first.set(one.name, one)
    return other
      ? [
          diagnostic('invalid_value', `two policies are called ${one.name}`, {
            position: one.position,
            detail: `The other one stands in ${other.position.file}:${other.position.line}.`,
          }),
        ]
      : []
  })
}
