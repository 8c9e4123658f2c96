// Three-valued logic: `&&` and `||` over what is true, false, unknown or an error.
import { fail, maybeA, typeName } from './operators.ts'
import type { Site } from './operators.ts'
import { ExpressionError } from './tree.ts'
import { holdsSensitive, scalar, unknown } from './value.ts'
import type { Term } from './value.ts'

/** An error that stands in the place of a value; `sensitive` where something sensitive may have brought it about. */
interface Failure {
  readonly kind: 'failure'
  readonly error: ExpressionError
  readonly sensitive: boolean
}

export type Outcome = Term | Failure

/** The value, or throws the error. */
export function settled(outcome: Outcome): Term {
  if (outcome.kind === 'failure') throw outcome.error
  return outcome
}

/** What was thrown in the place of a value; throws it again where it is no mistake of the expression. */
export function failureOf(thrown: unknown, sensitive: boolean): Failure {
  if (thrown instanceof ExpressionError) return { kind: 'failure', error: thrown, sensitive }
  throw thrown
}

/** Whether a value, or what came in its place, tells of something sensitive. */
export function tellsSensitive(outcome: Outcome): boolean {
  return outcome.kind === 'failure' ? outcome.sensitive : holdsSensitive(outcome)
}

/** The boolean that a known value must be; throws an ExpressionError that names the place which needs it. */
export function truth(term: Term, site: Site, place: string): boolean {
  if (term.kind === 'scalar' && typeof term.scalar === 'boolean') return term.scalar
  return fail(site, `${place} needs a bool, not ${typeName(term)}`)
}

/** One `&&` or `||`: the side that decides wins over errors and unknown values, unknown ones over errors. */
export function merge(operator: '&&' | '||', left: Outcome, right: () => Outcome, leftSite: Site, rightSite: Site): Outcome {
  const decisive = operator === '||'
  const first = logical(left, operator, leftSite)
  if (isBool(first, decisive)) return first
  const second = logical(right(), operator, rightSite)
  // An error that is passed over tells, too: that it was there at all may rest on a secret.
  const sensitive = tellsSensitive(first) || tellsSensitive(second)
  if (isBool(second, decisive)) return scalar(decisive, sensitive)
  const open = [first, second].flatMap((side) => (side.kind === 'unknown' ? [side] : []))
  if (open.length > 0) {
    leftSite.spend(open.reduce((count, side) => count + side.origins.length, 0))
    return unknown(
      open.flatMap((side) => side.origins),
      sensitive,
    )
  }
  if (first.kind === 'failure') return { ...first, sensitive }
  return second.kind === 'failure' ? { ...second, sensitive } : scalar(!decisive, sensitive)
}

function logical(outcome: Outcome, operator: string, site: Site): Outcome {
  if (outcome.kind === 'failure' || maybeA(outcome, 'bool')) return outcome
  if (outcome.kind === 'scalar' && typeof outcome.scalar === 'boolean') return outcome
  return failureOf(new ExpressionError(site.at, `\`${operator}\` needs a bool, not ${typeName(outcome)}`), holdsSensitive(outcome))
}

function isBool(outcome: Outcome, value: boolean): boolean {
  return outcome.kind === 'scalar' && outcome.scalar === value
}
