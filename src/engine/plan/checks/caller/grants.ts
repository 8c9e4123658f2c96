// What the grants of the caller's token do not allow: said under the plan, refused by the service alone.
import type { Route } from '../../../../api/routes/route.ts'
import { isSession } from '../../../../api/token-record.ts'
import type { TokenRecord } from '../../../../api/token-record.ts'
import type { Diagnostic } from '../../../../base/diagnostic.ts'
import { diagnostic } from '../../../../base/diagnostic.ts'
import { few } from '../../../../base/words/few.ts'
import type { Planned } from '../../../model/planned-resource.ts'
import type { AnyStep } from '../../../model/view.ts'
import type { CallingTokens } from '../../../refresh/calling-tokens.ts'

/** Whether grants allow a call of a route ("Authentication" 4, 9): WRITE includes READ. */
export function grantAllows({ grant, session }: Pick<Route, 'grant' | 'session'>, grants: Readonly<Record<string, string>>): boolean {
  if (session === true) return false
  return grant === undefined || grants[grant.resource] === 'WRITE' || grants[grant.resource] === grant.level
}

/** The steps by which a plan carries out one of its decisions. */
export interface Doing {
  readonly one: Planned
  readonly steps: readonly AnyStep[]
}

interface Preflight {
  /** Whether the plan is carried out right away; else a token that only reads is as it should be. */
  readonly carriesOut: boolean
  readonly flags?: readonly string[] | undefined
}

/** A warning for each resource whose steps need a grant that the token does not have; one note for a token that only reads. */
export function grantAdvice(doing: () => readonly Doing[], { candidates }: CallingTokens, { carriesOut, flags = [] }: Preflight): readonly Diagnostic[] {
  if (!candidates.every(isLimited)) return []
  const lacking = doing().flatMap(({ one, steps }) => {
    const grants = new Set(steps.flatMap((step) => missingGrant(step, candidates) ?? []))
    return grants.size === 0 ? [] : [{ one, grants: [...grants].toSorted() }]
  })
  if (lacking.length === 0) return []
  const hint = `\`${['iac plan', ...flags].join(' ')} --needs\` prints the smallest token that carries this out`
  const detail = 'The service would refuse their calls with 403.'
  if (!candidates.some(({ grants }) => Object.values(grants).includes('WRITE'))) {
    const grants = [...new Set(lacking.flatMap((each) => each.grants))].toSorted()
    const text = `${tokenWords(candidates)} only reads, and to carry this plan out needs ${few(grants)}`
    return [diagnostic(carriesOut ? 'advice' : 'note', text, { hint, ...(carriesOut && { detail }) })]
  }
  return lacking.map(({ one: { address, declared }, grants }) =>
    diagnostic('advice', `${address} needs ${grants.join(' and ')}, which ${tokenWords(candidates)} does not grant`, {
      address,
      position: declared?.position(),
      hint,
    }),
  )
}

/** Whether it is known that a token may not do everything. */
function isLimited(token: TokenRecord): boolean {
  // A map of grants is never empty: an empty one was not told.
  return isSession(token) === false && Object.keys(token.grants).length > 0
}

function missingGrant({ call: { route } }: AnyStep, candidates: readonly TokenRecord[]): string | undefined {
  const { grant } = route
  // What only a session may send is told of as such.
  if (!grant || route.session === true || candidates.some(({ grants }) => grantAllows(route, grants))) return undefined
  return `${grant.resource}: ${grant.level}`
}

/** The token of this run, or those of which one is it. */
export function tokenWords(candidates: readonly TokenRecord[]): string {
  const names = candidates.map(({ name, id }) => (name === null ? `with id ${id ?? 'unknown'}` : JSON.stringify(name)))
  return names.length === 1 ? `the token ${names.join('')} of this run` : `the token of this run, which is one of ${few(names)},`
}
