// What somebody reviewed, as a hash: equal for plans that would do the same, whenever and wherever they were made.
import { createHash } from 'node:crypto'
import { compareAddresses } from '../../base/address.ts'
import type { JsonValue } from '../../base/json.ts'
import { canonicalJson, equalJson } from '../../base/json.ts'
import { readHidden } from '../../project/resolving/unresolved.ts'
import { toJson } from '../model/live.ts'
import type { Change, Plan } from '../model/plan-data.ts'

type Reviewed = Pick<
  Plan,
  'mode' | 'project' | 'environment' | 'changes' | 'drift' | 'state' | 'variables' | 'outputs' | 'outputs_before' | 'taken_along' | 'lifted'
>

/** What stands for each digest before the first apply: the salt is another one in each plan then. */
const anyDigest = 'digest'

/**
 * SHA-256, hexadecimal, over project, environment, objects, addresses, actions, reasons, before, after and what is recorded beside them of everything that a plan changes (or records), and over
 * what ends with it, the protection that it lifts and the outputs that change: without times, ids of this plan or salt. A sensitive value counts by its digest under the state's salt; before the first apply there is none that would last, and only
 * that there is one counts. A sensitive output counts by its name, one that is not known yet by its expression and the variables that this names.
 */
export function reviewOf({ mode, project, environment, changes, drift, state, ...told }: Reviewed): string {
  const shown = mode === 'refresh-only' ? [...changes, ...(drift ?? [])] : changes
  const doing = shown.filter((one) => one.action !== 'no-op' || one.previous_address !== null)
  const whole = doing
    .toSorted((a, b) => compareAddresses(a.address, b.address) || Number(a.deposed) - Number(b.deposed))
    .map((one) => reviewed(one, state.lineage !== null))
  return createHash('sha256')
    .update(canonicalJson(toJson([mode, project, environment, whole, changedOutputs(told), ...besideChanges(told)])))
    .digest('hex')
}

/** What a plan does beside its changes; nothing for one that does no such thing. */
function besideChanges({ taken_along: along = [], lifted = {} }: Pick<Reviewed, 'taken_along' | 'lifted'>): readonly JsonValue[] {
  const taken = along.map(({ by, kind, id }) => `${by} ${kind} ${id}`).toSorted()
  return taken.length === 0 && Object.keys(lifted).length === 0 ? [] : [toJson({ taken_along: taken, lifted })]
}

function reviewed(one: Change, counts: boolean) {
  return {
    address: one.address,
    workspace: one.workspace_id ?? one.workspace_address,
    id: one.id,
    action: one.action,
    reason: one.reason,
    before: one.before,
    after: one.after,
    after_unknown: one.after_unknown,
    // Where a text holds anything sensitive, its digest stands for it.
    unresolved: counts ? one.unresolved : eachOf(one.unresolved, withoutDigest),
    from: one.previous_address,
    deposed: one.deposed,
    digests: counts ? one.digests : eachOf(one.digests, (text) => (text.startsWith('once:') ? text : anyDigest)),
    create_before_destroy: one.create_before_destroy,
    protected: one.protected,
    on_remove: one.on_remove,
  }
}

function eachOf(texts: Readonly<Record<string, string>>, change: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([pointer, text]) => [pointer, change(text)]))
}

/** A text that is shown as it is, and of one that is hidden the way into its value. */
function withoutDigest(source: string): string {
  const hidden = readHidden(source)
  return hidden ? anyDigest + hidden.way : source
}

/** Both sides of each output that is recorded otherwise afterwards, by name. */
function changedOutputs({ outputs, outputs_before: recorded = {}, variables }: Pick<Reviewed, 'outputs' | 'outputs_before' | 'variables'>) {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(outputs)])]
  const sides = names.map((name) => ({ name, before: toJson(recorded[name] ?? null), after: toJson(outputs[name] ?? null) }))
  const changed = sides.filter(({ before, after }) => !equalJson(before, after))
  return Object.fromEntries(changed.map(({ name, ...both }) => [name, { ...both, ...variablesIn(outputs[name], variables) }]))
}

/** Variables whose names stand in an expression that is told as it is written; nothing where there are none. */
function variablesIn(output: Plan['outputs'][string] | undefined, variables: Plan['variables']) {
  if (!output || !('expression' in output)) return {}
  const words = new Set(output.expression.match(/\w+/g))
  const named = Object.entries(variables).filter(([name]) => words.has(name))
  return named.length === 0 ? {} : { variables: Object.fromEntries(named) }
}
