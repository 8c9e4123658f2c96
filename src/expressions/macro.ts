// CEL's macros over lists and maps: all, exists, exists_one, map, filter.
import { merge, settled, tellsSensitive, truth } from './logic.ts'
import type { Outcome } from './logic.ts'
import { fail, isSurely, maybeA, typeName } from './operators.ts'
import type { Site } from './operators.ts'
import type { MacroName } from './tree.ts'
import { holdsSensitive, list, mark, scalar, unknown, unknownsOf, untyped } from './value.ts'
import type { Term } from './value.ts'

/** An expression of a macro as a function of its variable; `attempt` gives an error in the place of a value. */
export interface Step {
  run(item: Term): Term
  attempt(item: Term): Outcome
}

/** What became of a predicate over a list: which items it takes, and what the answer rests on. */
interface Selection {
  readonly taken: readonly Term[]
  readonly origins: readonly string[]
  readonly open: boolean
  readonly sensitive: boolean
}

/** Runs a macro over the items of a list or the keys of a map; `steps` are its expressions as functions of the variable. */
export function runMacro(macro: MacroName, range: Term, steps: readonly Step[], site: Site): Term {
  if (range.kind === 'unknown' && !isSurely(range)) return unknown(range.origins, range.sensitive || steps.some((step) => givesSensitive(step, untyped(range))))
  const items = itemsOf(range, site).map((item) => mark(item, range.sensitive))
  site.spend(items.length)
  const [first, second] = steps
  if (!first) fail(site, `${macro} takes an expression`)
  if (macro === 'all' || macro === 'exists') return mark(quantifier(macro, items, first, site), range.sensitive)
  if (macro === 'map' && !second)
    return list(
      items.map((item) => first.run(item)),
      range.sensitive,
    )
  const selection = select(macro, items, first, site)
  const sensitive = selection.sensitive || range.sensitive
  if (selection.open) {
    return unknown(selection.origins, sensitive || selection.taken.some((item) => (second ? givesSensitive(second, item) : holdsSensitive(item))))
  }
  const taken = second ? selection.taken.map((item) => second.run(item)) : selection.taken
  return macro === 'exists_one' ? scalar(taken.length === 1, sensitive) : list(taken, sensitive)
}

function itemsOf(range: Term, site: Site): readonly Term[] {
  if (range.kind === 'list') return range.items
  if (range.kind === 'map') return [...range.entries.keys()].map((key) => scalar(key))
  return fail(site, `a macro runs over a list or a map, not ${typeName(range)}`)
}

function quantifier(macro: 'all' | 'exists', items: readonly Term[], step: Step, site: Site): Term {
  const [operator, decisive] = macro === 'all' ? (['&&', false] as const) : (['||', true] as const)
  let result: Outcome = scalar(!decisive)
  for (const item of items) {
    result = merge(operator, result, () => step.attempt(item), site, site)
    if (result.kind === 'scalar' && result.scalar === decisive) return result
  }
  return settled(result)
}

/** Whether a step that may or may not be taken would tell of something sensitive. */
function givesSensitive(step: Step, item: Term): boolean {
  return tellsSensitive(step.attempt(item))
}

function select(macro: MacroName, items: readonly Term[], predicate: Step, site: Site): Selection {
  const verdicts = items.map((item) => ({ item, verdict: predicate.run(item) }))
  const open = verdicts.filter(({ verdict }) => verdict.kind === 'unknown')
  return {
    taken: verdicts.filter(({ verdict }) => maybeA(verdict, 'bool') || truth(verdict, site, macro)).map(({ item }) => item),
    origins: open.flatMap(({ verdict }) => unknownsOf(verdict)),
    open: open.length > 0,
    sensitive: verdicts.some(({ verdict }) => holdsSensitive(verdict)),
  }
}
