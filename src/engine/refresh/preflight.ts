// What the service says beforehand of what a plan would make: asked once for each object, before anything is sent.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'
import { lazy } from '../../base/lazy.ts'
import { hasToken } from '../../base/token.ts'
import { createReader } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import type { Places } from '../model/places.ts'
import { placesOf, pointedAt } from '../model/places.ts'
import type { Planned } from '../model/planned-resource.ts'
import { orNothing } from './limits.ts'

/** An error for each create that would be refused; one that goes on with an earlier create, or takes the place of an old object, is not asked for: that has what it wants itself. */
export async function refusedBeforehand(looking: Looking, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const reader = createReader(looking.source, looking.compat)
  const places = lazy(() => placesOf(planned))
  const found = planned.map(async (one) => {
    const { address, kind, action, reason, desired, declared } = one
    if (!kind.preflight || !desired || action !== 'create' || reason !== 'new') return []
    const known = Object.fromEntries(Object.entries(desired).map(([name, value]) => [name, isSettled(one, name, value, places()) ? value : undefined]))
    const problems = (await orNothing(kind.preflight(reader, known))) ?? []
    return problems.map(({ path, message, hint }) =>
      diagnostic('unsupported_change', `${address}: ${message}`, { address, position: declared?.positionOf(`/${path.join('/')}`), hint }),
    )
  })
  return (await Promise.all(found)).flat()
}

/** Whether a value is known, and does not name what the plan changes before: how that will be, the service cannot tell. */
function isSettled(one: Planned, field: string, value: JsonValue, places: Places): boolean {
  if (typeof value !== 'string') return true
  const ref = one.kind.fields[field]?.ref
  return !hasToken(value) && (ref === undefined || (pointedAt(one, value, ref, places)?.action ?? 'no-op') === 'no-op')
}
