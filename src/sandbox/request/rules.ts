// What the document refuses, as data: each rule once, with its words, the routes it holds on, and when it is broken.
import type { RouteName } from '../served-routes.ts'
import type { AnyExchange, Exchange, Gate } from './exchange.ts'

/** The document's words for a 409 (section "Errors"). */
export const NOT_ALLOWED = 'resource state does not allow the action'

/** The document's words for a 404 (section "Errors"). */
export const NOT_THERE = 'resource missing or not visible to the workspace'

interface RuleHead<N extends RouteName> {
  readonly id: string
  readonly section: string
  /** The document's own words. */
  readonly quote: string
  /** The words imply the rule at most: that it holds, or its status, is the sandbox's own decision. */
  readonly assumed?: true
  readonly routes: readonly N[]
  readonly status: number
  /** The document shows no status for it: a reading may choose another; `reference` is an id in a body that is nobody's, or another workspace's. */
  readonly open?: 'quota' | 'taken' | 'reference'
  /** The field of the body at fault, where one is. */
  readonly field?: string
}

/** A rule of one operation, asked when the request is read in full. */
export interface Rule<N extends RouteName = RouteName> extends RuleHead<N> {
  message(exchange: Exchange<N>): string
  broken(exchange: Exchange<N>): boolean
}

/** A rule of some operation. */
export interface AnyRule extends RuleHead<RouteName> {
  message(exchange: AnyExchange): string
  broken(exchange: AnyExchange): boolean
}

/** A rule about who may call, asked before query and body are read. */
export interface GateRule extends RuleHead<RouteName> {
  readonly message: string
  broken(gate: Gate): boolean
}

/** Writes a rule with the body and parameters of its routes known. */
export function rule<const N extends RouteName>(
  definition: Omit<Rule<N>, 'message'> & { readonly message: string | ((exchange: Exchange<N>) => string) },
): Rule<N> {
  const { message, ...rest } = definition
  return Object.freeze({ ...rest, message: typeof message === 'string' ? () => message : message })
}
