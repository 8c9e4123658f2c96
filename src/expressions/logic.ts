// Three-valued logic: `&&` and `||` over what is true, false, unknown or an error.
import { fail, typeName } from './operators.ts'
import type { Site } from './operators.ts'
import { ExpressionError } from './tree.ts'
import { holdsSensitive, scalar, unknown } from './value.ts'
import type { Term } from './value.ts'

/** A value, or the error that stands in its place. */
export type Outcome = Term | ExpressionError

/** The value, or throws the error. */
export function settled(outcome: Outcome): Term {
  if (outcome instanceof ExpressionError) throw outcome
  return outcome
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
  const sensitive = [first, second].some((side) => !(side instanceof ExpressionError) && holdsSensitive(side))
  if (isBool(second, decisive)) return scalar(decisive, sensitive)
  const open = [first, second].flatMap((side) => (!(side instanceof ExpressionError) && side.kind === 'unknown' ? [side] : []))
  if (open.length > 0) {
    leftSite.spend(open.reduce((count, side) => count + side.origins.length, 0))
    return unknown(
      open.flatMap((side) => side.origins),
      sensitive,
    )
  }
  if (first instanceof ExpressionError) return first
  return second instanceof ExpressionError ? second : scalar(!decisive, sensitive)
}

function logical(outcome: Outcome, operator: string, site: Site): Outcome {
  if (outcome instanceof ExpressionError || outcome.kind === 'unknown') return outcome
  if (outcome.kind === 'scalar' && typeof outcome.scalar === 'boolean') return outcome
  return new ExpressionError(site.at, `\`${operator}\` needs a bool, not ${typeName(outcome)}`)
}

function isBool(outcome: Outcome, value: boolean): boolean {
  return !(outcome instanceof ExpressionError) && outcome.kind === 'scalar' && outcome.scalar === value
}
