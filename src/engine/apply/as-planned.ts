// Whether an object is still what its operation was planned for: what a step interrupts or destroys was shown, and what it hangs on is known.
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isList } from '../../base/json.ts'
import { readable } from '../../base/token.ts'
import { sealedLike } from '../model/diff/sealed-like.ts'
import { isHeldBy } from '../model/graph/references.ts'
import type { LiveObject } from '../model/live.ts'
import type { Change } from '../model/plan-data.ts'
import type { AnyStep } from '../model/view.ts'
import type { Current, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'
import { orLag } from '../operation/wait.ts'
import { isWorse } from '../plan/change.ts'

/** An object as it was just read, and what is asked of it by now. */
export interface Asked {
  readonly change: Change
  readonly object: LiveObject
  /** Every request that is still missing. */
  readonly steps: readonly AnyStep[]
  /** What is recorded of it by now: what this run has done to it is in there. */
  readonly recorded: JsonObject
  /** What it is to be; absent where it is to go. */
  readonly desired?: JsonObject
}

/** What is otherwise than the plan saw it and matters, in words for people; empty where the operation may go on. */
export function otherwiseThanPlanned(work: Work, asked: Asked): readonly string[] {
  return [...strangeReferences(work, asked), ...unshownSteps(work, asked)]
}

/** What to say of an object that others have changed since its operation was planned. */
export function changedSincePlanned({ run }: Work, { address }: Current, differences: readonly string[]): OperationError {
  const hint = `plan again: the next plan shows it as it is${orLag(run)}`
  const text = `${address} has changed since it was planned`
  return new OperationError(diagnostic('changed_elsewhere', text, { address, detail: differences.join('; '), hint }))
}

/** What it hangs on by now that neither the plan saw nor this or an earlier run has set; that it hangs on less is no matter. */
function strangeReferences(work: Work, { change, object, recorded, desired }: Asked): string[] {
  const specs = [recorded, desired ?? {}]
  const saw = sealedLike(work.saw(change), specs, work.digest)?.seen ?? {}
  const { kind, seen } = sealedLike(object, specs, work.digest)
  return kind.referenceFields.flatMap(({ field }) => {
    // An update has no business with what neither manifest nor state name.
    if (desired && desired[field] === undefined && recorded[field] === undefined) return []
    const planned = saw[field] === undefined ? recorded[field] : saw[field]
    // What the plan was not told of is held against nothing.
    if (planned === undefined) return []
    const expected = new Set([planned, recorded[field], desired?.[field]].flatMap(targetsIn))
    const now = targetsIn(seen[field])
    return now.every((one) => expected.has(one)) ? [] : [`${field}: planned ${inWords(targetsIn(planned))}, now ${inWords(now)}`]
  })
}

/** Steps that cost something and that the plan did not show, or not at this price. */
function unshownSteps(work: Work, { change, object, steps }: Asked): string[] {
  const shown = new Set(change.steps)
  return steps.flatMap((step) => {
    const cost = step.disruption ?? 'none'
    if (step.removes || cost === 'none') return []
    const name = readable(step.name)
    if (!shown.has(name)) return isRecordedThere(work, object, step) ? [] : [`${name}: not planned (${cost})`]
    return isWorse(cost, change.disruption) ? [`${name}: planned ${change.disruption}, now ${cost}`] : []
  })
}

/** Whether a step takes off what the state says hangs there: a step names that by its id. */
function isRecordedThere({ ledger, kindOf }: Work, { kind, id }: LiveObject, { name }: AnyStep): boolean {
  const taken = name.split(' ').at(-1)
  const target = { kind: kind.name, id, shown: {} }
  const halves = [...ledger.folded().resources.values()].flatMap((one) => [one, ...one.deposed].map((half) => ({ ...half, kind: one.kind })))
  return halves.some((half) => half.id === taken && isHeldBy(kindOf(half.kind), half.spec, target))
}

function targetsIn(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  return isList(value) ? value.flatMap(targetsIn) : typeof value === 'string' ? [value] : []
}

function inWords(targets: readonly string[]): string {
  return targets.length === 0 ? 'none' : targets.map(readable).join(', ')
}
