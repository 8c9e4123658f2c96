// What the service says beforehand of what a plan would make: asked once for each object, before anything is sent.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { hasToken } from '../../base/token.ts'
import { createReader } from '../model/live.ts'
import type { Looking } from '../model/observation.ts'
import type { Planned } from '../model/planned-resource.ts'
import { orNothing } from './limits.ts'

/** An error for each create that would be refused; one that goes on with an earlier create, or takes the place of an old object, is not asked for: that has what it wants itself. */
export async function refusedBeforehand(looking: Looking, planned: readonly Planned[]): Promise<readonly Diagnostic[]> {
  const reader = createReader(looking.source, looking.compat)
  const found = planned.map(async ({ address, kind, action, reason, desired, declared }) => {
    if (!kind.preflight || !desired || action !== 'create' || reason !== 'new') return []
    const known = Object.fromEntries(Object.entries(desired).filter(([, value]) => typeof value !== 'string' || !hasToken(value)))
    const problems = (await orNothing(kind.preflight(reader, known))) ?? []
    return problems.map(({ path, message, hint }) =>
      diagnostic('unsupported_change', `${address}: ${message}`, { address, position: declared?.positionOf(`/${path.join('/')}`), hint }),
    )
  })
  return (await Promise.all(found)).flat()
}
