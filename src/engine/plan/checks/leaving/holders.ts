// What keeps an object from going: the service refuses its delete while anything holds it, and this plan does not take that off.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { canonicalJson } from '../../../../base/json.ts'
import { withArticle } from '../../../../base/words/article.ts'
import { few } from '../../../../base/words/few.ts'
import type { Holder } from '../../../../kinds/definition/kind.ts'
import { holdersSeen } from '../../../model/graph/holder-outcomes.ts'
import { heldValues, push } from '../../../model/graph/needs.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { resourceName } from '../../../model/spoken-names.ts'
import { plannedOutcome, isGoing } from './cascade.ts'

/** What keeps objects of a plan from going: what is attached to them, and what was given one of their values. */
export function allHeld(all: readonly Planned[]): readonly Diagnostic[] {
  return [...heldProblems(all), ...heldByValue(all)]
}

/** An error for each object that is to go and will be refused to (for an old half a warning): by what is in no state, or by what this plan leaves as it is. */
function heldProblems(all: readonly Planned[]): readonly Diagnostic[] {
  const goers = all.filter((one) => isGoing(one) && one.kind.holders !== undefined)
  if (goers.length === 0) return []
  const byObject = new Map(all.map((one) => [`${one.kind.name} ${one.objectId}`, one]))
  return goers.flatMap((one) => {
    const holders = holdersSeen(one.kind, one.object)
    const unmanaged = holders.filter((each) => each.does === 'in no state').map(({ kind, id }) => `${kind} ${id}`)
    const staying = holders.filter((each) => each.does === 'stays').flatMap((each) => byObject.get(`${each.kind} ${each.id}`) ?? [])
    const left = staying.filter((each) => each.leftOut).map(resourceName)
    const others = staying.filter((each) => !each.leftOut)
    const names = others.map(resourceName)
    const forgotten = others.filter(({ action }) => action === 'forget').map(resourceName)
    return [
      ...problem(one, left, 'left out of this plan', `take ${few(left)} along`),
      ...problem(one, unmanaged, 'in no state', 'detach what is named, or take it over with `iac import`'),
      ...problem(one, names, 'left as it is by this plan', forgotten.length > 0 ? wayOff(one.address, forgotten) : 'let this plan detach what is named'),
    ]
  })
}

/** An error for each object that is to go while something that stays as it is was given one of its values: another object with the same one does not take its place there. */
function heldByValue(all: readonly Planned[]): readonly Diagnostic[] {
  const goers = all.filter(isGoing)
  if (goers.length === 0) return []
  const holders = new Map<string, Planned[]>()
  for (const one of all)
    if (one.action === 'no-op' && one.record && !one.deposed && one.record.status !== 'deleting' && plannedOutcome(one).stays)
      for (const { kinds, output, value } of heldValues(one.kind, one.record.spec))
        for (const name of kinds) push(holders, canonicalJson([name, output, value]), one)
  if (holders.size === 0) return []
  return goers.flatMap((one) => {
    const shown = { ...one.record?.spec, ...one.record?.outputs, ...one.object?.seen }
    const held = Object.entries(shown).flatMap(([output, value]) => holders.get(canonicalJson([one.kind.name, output, value])) ?? [])
    return held.length === 0 ? [] : [usedByValue(one, [...new Set(held.map(resourceName))])]
  })
}

function usedByValue(one: Planned, names: readonly string[]): Diagnostic {
  const { address, action, declared, deposed } = one
  const what = action === 'replace' ? 'replaced' : 'deleted'
  const text = `${resourceName(one)} cannot be ${what}: ${few(names)} ${names.length === 1 ? 'uses' : 'use'} it, and ${names.length === 1 ? 'is' : 'are'} left as ${names.length === 1 ? 'it is' : 'they are'} by this plan`
  return diagnostic(deposed ? 'advice' : 'plan_impossible', text, {
    address,
    position: declared?.position(),
    hint: `\`moved\` keeps an object under a new address; or let a first apply take it from ${few(names)}`,
  })
}

/** The same of a change that was planned before: who is attached by now and keeps its object from going, as `nameOf` calls them; undefined without any. */
export function heldByNow(
  { address, action }: Pick<Planned, 'address' | 'action'>,
  holders: readonly Holder[],
  nameOf: (one: Holder) => string,
): string | undefined {
  const names = holders.filter(({ does }) => does === 'in no state' || does === 'stays').map(nameOf)
  return names.length === 0 ? undefined : `${refusal(address, action, names)}, and the plan does not take ${names.length === 1 ? 'it' : 'them'} off`
}

/** How what is forgotten lets go of something: nothing that is in no state any more is taken off. */
export function wayOff(address: string, forgotten: readonly string[]): string {
  return `to take it off, let a first apply go with a manifest of ${few(forgotten)} that no longer names ${address}, and forget only then; or let this plan delete what is forgotten`
}

function problem(one: Planned, names: readonly string[], what: string, way: string): Diagnostic[] {
  if (names.length === 0) return []
  const { address, action, kind, declared, deposed } = one
  const is = names.length === 1 ? 'is' : 'are'
  const text = `${refusal(resourceName(one), action, names)}, and ${is} ${what}`
  return [
    // What is left to be done of an earlier plan stops no other one.
    diagnostic(deposed ? 'advice' : 'plan_impossible', text, {
      address,
      position: declared?.position(),
      detail: `The service refuses to delete ${withArticle(kind.name)} while anything is attached to it.`,
      hint: deposed ? `${way}; until then each apply ends with 8` : `${way}; or leave ${address} in place`,
    }),
  ]
}

function refusal(what: string, action: Planned['action'], names: readonly string[]): string {
  return `${what} cannot be ${action === 'replace' ? 'replaced' : 'deleted'}: ${few(names)} ${names.length === 1 ? 'is' : 'are'} attached to it`
}
