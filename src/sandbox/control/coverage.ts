// Which routes and rules there are, with the evidence for each, and how often each was driven: never summed up.
import { undocumentedRoutes } from '../../api/routes/commands.ts'
import type { Route } from '../../api/routes/route.ts'
import { gateRules } from '../request/authorization.ts'
import { routeNames } from '../request/route-index.ts'
import type { Sandbox } from '../sandbox.ts'
import type { RouteName } from '../served-routes.ts'
import { routes } from '../served-routes.ts'
import { service } from '../service.ts'

type Evidence = 'specification' | 'assumed'

/** One route: how often it accepted and refused since the start. */
interface RouteCoverage {
  readonly name: RouteName
  readonly evidence: Evidence
  readonly section: string
  readonly accepted: number
  readonly refused: number
}

/** One rule: how often it was asked and broken since the start. */
interface RuleCoverage {
  readonly id: string
  readonly evidence: Evidence
  readonly section: string
  readonly quote: string
  readonly status: number
  readonly routes: readonly RouteName[]
  readonly enforced: boolean
  readonly asked: number
  readonly broken: number
}

export interface Coverage {
  readonly routes: readonly RouteCoverage[]
  readonly rules: readonly RuleCoverage[]
}

/** The coverage of a sandbox since its start; answers that faults gave do not count. */
export function coverageOf({ usage, without }: Pick<Sandbox, 'usage' | 'without'>): Coverage {
  return {
    routes: routeNames.map((name) => {
      const { section }: Route = routes[name]
      return { name, evidence: evidenceOf(name), section, ...usage.ofRoute(name) }
    }),
    rules: [...gateRules, ...service.rules].map(({ id, section, quote, assumed, status, routes: names }) => {
      const evidence: Evidence = assumed ? 'assumed' : 'specification'
      return { id, evidence, section, quote, status, routes: names, enforced: !without.includes(id), ...usage.ofRule(id) }
    }),
  }
}

/** Calls that the document names without their shape are assumed. */
export function evidenceOf(name: RouteName): Evidence {
  return Object.hasOwn(undocumentedRoutes, name) ? 'assumed' : 'specification'
}
