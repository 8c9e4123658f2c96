// The token that a run calls with, where its own plan deletes it: the next run needs another one.
import { routes } from '../../../../api/routes/routes.ts'
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import type { CallingTokens } from '../../../refresh/calling-tokens.ts'
import { isGoing } from '../leaving/cascade.ts'
import { tokenWords } from './grants.ts'

/** A warning for each token that goes and is, or may be, the caller's ("Authentication" 4). */
export function ownTokenAdvice(planned: readonly Planned[], { candidates }: CallingTokens): readonly Diagnostic[] {
  const ids = new Set(candidates.map((one) => one.id))
  return planned.flatMap((one) => {
    const { address, kind, objectId, declared } = one
    if (!isGoing(one) || objectId === null || !ids.has(objectId) || !kind.calls.removing.includes(routes.deleteToken)) return []
    const may = candidates.length === 1 ? 'is' : 'may be'
    return [
      diagnostic(
        'advice',
        `${address} ${may} ${tokenWords(candidates.filter((each) => each.id === objectId))}, and goes last: after it nothing is answered any more (401)`,
        {
          address,
          position: declared?.position(),
          hint: 'the next run needs another token; where this one is replaced, carry the plan out with another one',
        },
      ),
    ]
  })
}
