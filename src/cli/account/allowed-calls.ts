// How many calls of the API a role and a token's grants allow in a workspace.
import type { Access, Route } from '../../api/routes/route.ts'
import { routes } from '../../api/routes/routes.ts'
import { grantAllows } from '../../engine/plan/checks/caller/grants.ts'

/** Of how many calls about a workspace how many are allowed. */
export interface AllowedCalls {
  readonly allowed: number
  readonly all: number
}

const ladder: readonly Access[] = ['viewer', 'editor', 'administrator', 'owner']

/** Reading and changing calls by what the document says ("Scope", "Authentication" 9); a role that is not known allows none. `grants` are those of an API token. */
export function allowedCalls(
  role: string | null,
  grants: Readonly<Record<string, string>> | undefined,
): { readonly reading: AllowedCalls; readonly changing: AllowedCalls } {
  const has = ladder.findIndex((level) => level === role?.toLowerCase())
  const scoped = Object.values<Route>(routes).filter(({ access }) => ladder.includes(access))
  const isAllowed = (route: Route): boolean => ladder.indexOf(route.access) <= has && (grants === undefined || grantAllows(route, grants))
  const count = (effect: boolean): AllowedCalls => {
    const all = scoped.filter((route) => route.effect === effect)
    return { allowed: all.filter(isAllowed).length, all: all.length }
  }
  return { reading: count(false), changing: count(true) }
}
