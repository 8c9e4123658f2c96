// An area of the service: handlers for its routes, its rules, the effects of its workflows.
import type { RouteName } from '../served-routes.ts'
import type { Effects } from '../time/workflow-engine.ts'
import type { World } from '../world.ts'
import type { Handlers } from './exchange.ts'
import type { AnyRule } from './rules.ts'

/** One area. */
export interface Area<N extends RouteName> {
  readonly handlers: Handlers<N>
  readonly rules: readonly AnyRule[]
  readonly effects: Effects
  /** When, after now, its answers change by time alone, in ms since 1970; undefined where they do not. */
  readonly nextMs: (world: World) => number | undefined
}

/** Writes an area; what it has none of may be left out. */
export function area<N extends RouteName>(handlers: Handlers<N>, rest: Partial<Omit<Area<N>, 'handlers'>> = {}): Area<N> {
  return Object.freeze({ handlers, rules: [], effects: {}, nextMs: () => undefined, ...rest })
}
