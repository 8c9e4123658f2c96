// Which calls carry a plan out, the ones that made it included, and the smallest token that allows them.
import type { Access, Grant, Route } from '../../api/routes/route.ts'
import { routes } from '../../api/routes/routes.ts'
import type { Planned } from '../model/planned-resource.ts'
import { stepsOf } from './change.ts'

/** One call that a plan needs, with what the service asks for it ("Scope", "Authentication" 9). */
export interface NeededCall {
  readonly method: string
  readonly path: string
  readonly section: string
  /** Least role in the workspace: VIEWER, EDITOR, ADMINISTRATOR or OWNER; null where none is asked for. */
  readonly role: string | null
  /** Key and level of a token's grants; null where none allows it or none is needed. */
  readonly grant: Grant | null
  /** Whether only a login session may send it. */
  readonly session: boolean
  readonly effect: boolean
}

export type Grants = Readonly<Record<string, 'READ' | 'WRITE'>>

const ladder: readonly Access[] = ['viewer', 'editor', 'administrator', 'owner']
/** What an apply asks beside what its plan has asked: how its workflows go. */
const whileApplying: readonly Route[] = [routes.getWorkflow]

/** The calls of a plan's steps, and the reads that `asked` has seen, each once, in the order of paths. */
export function neededCalls(planned: readonly Planned[], asked: Iterable<Route>): readonly NeededCall[] {
  const steps = planned.flatMap((one) => stepsOf(one, false)).filter(({ call }) => call.route.section !== '')
  const highest = new Map<Route, Access>()
  const need = (route: Route, access: Access = route.access): void => {
    const before = highest.get(route)
    if (before === undefined || ladder.indexOf(access) > ladder.indexOf(before)) highest.set(route, access)
  }
  for (const step of steps) need(step.call.route, step.access)
  for (const route of [...asked, ...(steps.length > 0 ? whileApplying : [])]) need(route)
  return [...highest]
    .map(([route, access]) => ({
      method: route.methods[0],
      path: route.path,
      section: route.section,
      role: ladder.includes(access) ? access.toUpperCase() : null,
      grant: route.session === true ? null : (route.grant ?? null),
      session: route.session === true || access === 'session',
      effect: route.effect,
    }))
    .toSorted((a, b) => (a.path === b.path ? (a.method < b.method ? -1 : 1) : a.path < b.path ? -1 : 1))
}

/** The least grants that allow these calls: WRITE includes READ. */
export function leastGrants(calls: readonly NeededCall[]): Grants {
  const out: Record<string, 'READ' | 'WRITE'> = {}
  for (const { grant } of calls) if (grant && out[grant.resource] !== 'WRITE') out[grant.resource] = grant.level
  return Object.fromEntries(Object.entries(out).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
