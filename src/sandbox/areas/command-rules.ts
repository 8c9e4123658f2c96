// Some paths name no object, which stands in query or body: two rules ask of it there what the gates ask of a path.
import { brokenScope } from '../request/authorization.ts'
import type { Exchange } from '../request/exchange.ts'
import { found } from '../request/refusal.ts'
import type { GateRule, Rule } from '../request/rules.ts'
import { rule } from '../request/rules.ts'
import type { RouteName } from '../served-routes.ts'

interface Owned {
  readonly id: string
  readonly workspaceId: string
}

/** The rules `AREA.visible` and `AREA.role` of such routes, whose body or query names the object by a member; `objectOf` finds the object, undefined where there is none. */
export function commandRules<const N extends RouteName>(
  area: string,
  what: string,
  routes: readonly N[],
  member: { readonly body: string } | { readonly query: string },
  objectOf: (exchange: Exchange<N>) => Owned | undefined,
): readonly Rule<N>[] {
  const gateOf = (exchange: Exchange<N>): GateRule | undefined => {
    const object = objectOf(exchange)
    return object && brokenScope(exchange, object.workspaceId, object.id)
  }
  return [
    rule<N>({
      id: `${area}.visible`,
      section: 'Errors',
      quote: 'resource missing or not visible to the workspace',
      routes,
      status: 404,
      ...('body' in member ? { open: 'reference', field: member.body } : {}),
      message: `${what} not found`,
      broken: (exchange) => objectOf(exchange) === undefined || gateOf(exchange)?.status === 404,
    }),
    rule<N>({
      id: `${area}.role`,
      section: 'Scope',
      quote: "Access is checked against the caller's role in the owning workspace: Viewer, Editor, Administrator, Owner",
      assumed: true,
      routes,
      status: 403,
      message: (exchange) => found(gateOf(exchange), what).message,
      broken: (exchange) => gateOf(exchange)?.status === 403,
    }),
  ]
}
