// The membership that a caller sees a workspace by, where the plan ends it.
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import { isGoing } from '../leaving/cascade.ts'

/** A warning for each invite that goes and is, or may be, the caller's own: `own` are their ids. */
export function ownMembershipAdvice(planned: readonly Planned[], own: ReadonlySet<string>): readonly Diagnostic[] {
  return planned.flatMap((one) => {
    const { address, objectId, declared } = one
    if (!isGoing(one) || objectId === null || !own.has(objectId)) return []
    const text = `${address} may be how the caller is a member, and goes last: after it the workspace is not visible any more`
    const hint = 'carry the plan out as somebody else if the workspace is to be managed on, or keep the invite'
    return [diagnostic('advice', text, { address, position: declared?.position(), hint })]
  })
}
