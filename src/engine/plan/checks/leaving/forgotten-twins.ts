// What a plan forgets, or leaves out though nothing declares it, and leaves in place while it makes another one like it.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { canonicalJson } from '../../../../base/json.ts'
import type { JsonObject } from '../../../../base/json.ts'
import { hasToken } from '../../../../base/token.ts'
import { withArticle } from '../../../../base/words/article.ts'
import { claimsAlike } from '../../../model/claims.ts'
import type { Change } from '../../../model/plan-data.ts'
import type { Planned, PlanInput } from '../../../model/planned-resource.ts'
import { keptElsewhere, movedHint, wayOut } from '../claims.ts'
import { plannedOutcome } from './cascade.ts'

/** What a plan makes or changes in view of what it leaves in place: errors of what that has alone, warnings of what is like it. */
export function besideWhatStays(input: Pick<PlanInput, 'kinds' | 'flags'>, planned: readonly Planned[], changes: readonly Change[]): readonly Diagnostic[] {
  return [...keptElsewhere(input, planned, changes), ...stayingTwins(input, planned)]
}

/** A warning for each new object like one that stays and that no manifest of this run is about; of what the service allows but once an error says it. */
function stayingTwins(input: Pick<PlanInput, 'flags'>, planned: readonly Planned[]): readonly Diagnostic[] {
  const stays = planned.flatMap((one) => {
    const outcome = (one.action === 'forget' || isLeftBehind(one)) && isLikened(one) ? plannedOutcome(one) : undefined
    const key = outcome?.stays ? keyOf(one, outcome.spec) : undefined
    return key === undefined ? [] : [[key, one] as const]
  })
  if (stays.length === 0) return []
  const byKey = new Map(stays)
  return planned.flatMap((one) => {
    const key = one.action === 'create' && one.desired && isLikened(one) ? keyOf(one, one.desired) : undefined
    const twin = key === undefined ? undefined : byKey.get(key)
    if (twin === undefined || claimsAlike(one.kind, plannedOutcome(twin).spec, one.desired ?? {})) return []
    const { address, kind, declared } = one
    const what = twin.leftOut ? 'left out of this plan' : 'forgotten by this plan'
    const text = `${address}: ${withArticle(kind.name)} like it, ${twin.address} (id ${twin.objectId}), is ${what} and stays; another one will be made`
    const hint = twin.leftOut ? `if it is the same one: ${movedHint(twin.address, address)}` : wayOut(input, one, twin)
    return [diagnostic('possible_duplicate', text, { address, position: declared?.headPosition('/metadata/name'), hint })]
  })
}

/** Left out by --target, --exclude or -f, and declared by none of the manifests at hand: under another name it may be what is made. */
function isLeftBehind({ leftOut, declared, deposed }: Planned): boolean {
  return leftOut && declared === undefined && !deposed
}

function isLikened({ kind }: Planned): boolean {
  return kind.identifies && kind.unique === undefined
}

function keyOf({ kind, workspaceId, workspaceAddress }: Planned, spec: JsonObject): string | undefined {
  const key = kind.naturalKey(spec)
  return key === undefined || hasToken(key) ? undefined : canonicalJson([kind.name, workspaceId || workspaceAddress, key])
}
