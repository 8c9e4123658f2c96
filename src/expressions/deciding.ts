// Where something sensitive decides: with another value there may have been a mistake, and `||`, `&&` and macros pass over mistakes.
import { failureOf } from './logic.ts'
import type { Outcome } from './logic.ts'
import { holdsSensitive, mark } from './value.ts'
import type { Term } from './value.ts'

/** Counts what was sensitive so far and decided whether there is a mistake, or where evaluation goes. */
export interface Decisions {
  bySensitive: number
}

/** The same value, which decides what comes next. */
export function deciding<T extends Outcome>(value: T, decisions: Decisions): T {
  if (value.sensitive) decisions.bySensitive += 1
  return value
}

/** What an operation gives for operands. Where it looks at something sensitive what it gives is sensitive as a whole, and another value might have been a mistake. */
export function strict(operands: readonly Term[], decisions: Decisions, operation: () => Term): Term {
  try {
    return deciding(operation(), decisions)
  } catch (error) {
    if (operands.some(holdsSensitive)) decisions.bySensitive += 1
    throw error
  }
}

/** The value of a part, or its error. */
export function outcomeOf(decisions: Decisions, part: () => Term): Outcome {
  const before = decisions.bySensitive
  try {
    return part()
  } catch (error) {
    return failureOf(error, decisions.bySensitive > before)
  }
}

/** What is taken as it is, mistake or not: sensitive where anything sensitive decided since `before`, and be it about a value that came to nothing. */
export function takenSince(before: number, outcome: Outcome, decisions: Decisions): Outcome {
  const sensitive = decisions.bySensitive > before
  if (outcome.kind !== 'failure') return mark(outcome, sensitive)
  return { ...outcome, sensitive: outcome.sensitive || sensitive }
}
