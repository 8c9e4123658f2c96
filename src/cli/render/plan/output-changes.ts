// What a plan changes in the outputs: recorded ones against planned ones.
import type { JsonValue } from '../../../base/json.ts'
import { equalJson } from '../../../base/json.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { unknownMark } from '../text/value-text.ts'
import { hasChanges } from './plan-counts.ts'

/** The outputs that differ, by name: what was recorded when the plan was made, and what it would record. */
export interface OutputChanges {
  readonly before: Readonly<Record<string, JsonValue>>
  readonly after: Readonly<Record<string, JsonValue>>
}

/** Both sides of every output that would change; one that is not known yet counts only where something else changes, since nothing else makes it known. */
export function outputChanges(plan: Plan): OutputChanges {
  const recorded = plan.outputs_before ?? {}
  const before: Record<string, JsonValue> = {}
  const after: Record<string, JsonValue> = {}
  if (plan.mode === 'refresh-only') return { before, after }
  const mayBecomeKnown = hasChanges(plan.changes)
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(plan.outputs)])) {
    const was = shownOutput(recorded[name])
    const is = shownOutput(plan.outputs[name])
    if (is === unknownMark ? !mayBecomeKnown : equalJson(was ?? null, is ?? null)) continue
    if (was !== undefined) before[name] = was
    if (is !== undefined) after[name] = is
  }
  return { before, after }
}

/** Whether carrying the plan out would change resources, names or outputs. Protection that it lifts is recorded, and no difference. */
export function differs(plan: Plan): boolean {
  const { before, after } = outputChanges(plan)
  return hasChanges(plan.changes) || Object.keys({ ...before, ...after }).length > 0
}

function shownOutput(output: Plan['outputs'][string] | undefined): JsonValue | undefined {
  if (output === undefined) return undefined
  if ('expression' in output) return unknownMark
  return output.sensitive ? { $sensitive: true } : output.value
}
