// Decides on every declared and recorded resource, each after what it names.
import { compareAddresses } from '../../../base/address.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Declared } from '../../../project/resolving/declared.ts'
import type { Deposed, ResourceRecord } from '../../../state/record.ts'
import { isHalfMade, isObjectStill } from '../../../state/slot.ts'
import { needsOf } from '../../model/graph/needs.ts'
import { topological } from '../../model/graph/topological.ts'
import { kindFinder } from '../../model/kind-finder.ts'
import type { PlanInput, Planned } from '../../model/planned-resource.ts'
import { createRetained } from '../../model/retained.ts'
import { createUnmanaged } from '../../refresh/unmanaged.ts'
import { alteredOutputs } from '../altered-outputs.ts'
import { leftOut } from '../selection.ts'
import { decideSurely } from './decide-surely.ts'
import { decideUndeclared } from './decide-undeclared.ts'
import type { Deciding } from './decide.ts'
import { keptGoers } from './kept-goers.ts'
import { lostSecrets } from './lost-secrets.ts'
import { withStaying } from './stays-with.ts'
import { isSeenStanding } from './verdict.ts'

/** The decisions, with what must be made anew since its value is needed again, without values of what goes that would be kept, and without those that others change: any may ask for others in turn. The sets only grow, so that it ends. */
export function decideWithSecrets(input: PlanInput, previous: ReadonlyMap<string, string>) {
  let renewed: ReadonlySet<string> = new Set()
  let still: ReadonlySet<string> = new Set()
  let going: ReadonlySet<string> = new Set()
  let altered: ReadonlySet<string> = new Set()
  for (;;) {
    const others = { altered, read: new Set<string>() }
    const decided = decideAll(input, previous, { renewed, still, going, others })
    const needs = needsOf(decided)
    const out = leftOut(decided, needs, input.options)
    // What is left out is known once all is decided, and triggers nothing.
    const silent = decided.flatMap(triggersOf).filter((address) => out.has(address) && !still.has(address))
    if (silent.length > 0) {
      still = new Set([...still, ...silent])
      continue
    }
    const lost = lostSecrets(decided, (address) => input.options.refreshOnly || out.has(address))
    const more = [...lost.renewed].filter((address) => !renewed.has(address))
    const chosen = decided.map((one) => choose(one, out.has(one.address), input.options.refreshOnly))
    const kept = withStaying(chosen, input.options.destroy)
    const goers = keptGoers(kept.selected).filter((key) => !going.has(key))
    const changing = [...alteredOutputs(kept.selected)].filter((output) => others.read.has(output) && !altered.has(output))
    if (more.length === 0 && goers.length === 0 && changing.length === 0) return { decided, needs, out, lost: lost.problems, kept }
    altered = new Set([...altered, ...changing])
    renewed = new Set([...renewed, ...more])
    going = new Set([...going, ...goers])
  }
}

function triggersOf({ declared }: Planned): readonly string[] {
  return declared ? [...declared.lifecycle.replaceTriggeredBy, ...declared.lifecycle.redeployTriggeredBy] : []
}

function decideAll(
  input: PlanInput,
  previous: ReadonlyMap<string, string>,
  sets: Pick<Deciding, 'renewed' | 'still' | 'going' | 'others'>,
): readonly Planned[] {
  const planned = new Map<string, Planned>()
  const declared = input.options.destroy ? [] : input.project.resources
  const deciding = { input, unmanaged: createUnmanaged(input), ...sets }
  for (const one of inDependencyOrder(declared)) planned.set(one.address, decideSurely(deciding, planned, one, previous.get(one.address) ?? null))
  const kindOf = kindFinder(input.kinds)
  const declaredAt = new Set(input.project.resources.map((one) => one.address))
  const isRetained = createRetained(input.project, input.options.destroy)
  const gone: Planned[] = []
  for (const record of input.state.resources.values()) {
    const kind = kindOf(record.kind)
    const previousAddress = previous.get(record.address) ?? null
    const isLeft = !planned.has(record.address) && leftByFiles(input, declaredAt, record)
    const add = (one: Planned): void => void gone.push({ ...(isLeft ? excluded(one) : one), previousAddress })
    const stays = !planned.has(record.address) && isRetained(record)
    // A successor that never was ready is not what is retained, and nobody would know of it.
    if (!planned.has(record.address) && !(record.id === '' && record.deposed.length > 0))
      add(decideUndeclared(input, kind, record, stays && !isHalfMade(record, (old) => standsBeside(input, kind, record, old))))
    for (const old of record.deposed) add(decideUndeclared(input, kind, record, stays && isObjectStill(record, old), old))
  }
  return [...planned.values(), ...gone].toSorted((a, b) => compareAddresses(a.address, b.address))
}

/** Whether an old half is seen to be there and to stay; nobody looked where nothing is read. */
function standsBeside(input: PlanInput, kind: AnyKind, record: ResourceRecord, old: Deposed): boolean {
  if (input.options.unread === true) return false
  const { situation, action } = decideUndeclared(input, kind, record, false, old)
  return isSeenStanding(situation) && action !== 'no-op'
}

/** With -f, recorded resources whose manifests are not among those files are left alone. */
function leftByFiles(input: PlanInput, declaredAt: ReadonlySet<string>, record: ResourceRecord): boolean {
  return input.project.partial && !(input.options.destroy && declaredAt.has(record.address))
}

function choose(one: Planned, isOut: boolean, refreshOnly: boolean): Planned {
  if (refreshOnly) return { ...excluded(one), leftOut: one.leftOut || isOut }
  if (!isOut) return one
  return one.action === 'no-op' ? { ...one, inDoubt: [], passedOver: true } : excluded(one)
}

function excluded(one: Planned): Planned {
  return { ...one, action: 'no-op', reason: null, diagnostics: [], differences: [], desired: one.record ? undefined : one.desired, leftOut: true }
}

/** Declared resources, each after everything it names; circles were refused when the project was loaded. */
function inDependencyOrder(declared: readonly Declared[]): readonly Declared[] {
  const byAddress = new Map(declared.map((one) => [one.address, one]))
  const after = new Map(
    declared.map((one) => {
      const workspace = one.workspace && 'address' in one.workspace ? [one.workspace.address] : []
      return [
        one.address,
        new Set([...one.references, ...one.dependsOn, ...one.lifecycle.replaceTriggeredBy, ...one.lifecycle.redeployTriggeredBy, ...workspace]),
      ]
    }),
  )
  return topological(byAddress.keys(), after).order.flatMap((address) => byAddress.get(address) ?? [])
}
