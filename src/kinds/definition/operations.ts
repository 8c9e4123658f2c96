// What people do by hand to objects of a kind: calls that no manifest asks for.
import type { Call, Query } from '../../api/calls/call.ts'

export type PowerAction = 'on' | 'off' | 'shutdown' | 'cycle'

/** From when to when, and how far apart its points are: Unix time and seconds. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly step: number
}

/** What can be asked of some kinds alone. */
export type Operating = Exclude<keyof Operations, 'reading'>

/** A kind has those that the service has a call for. */
export interface Operations {
  /** Its record as a single read answers it. */
  reading(id: string, workspaceId: string): Call
  /** Undefined for an action that the service refuses to all of them. */
  power?(id: string, action: PowerAction): Call | undefined
  redeploy?(id: string, workspaceId: string): Call
  rollback?(id: string, workspaceId: string): Call
  /** A text, or one that keeps coming where the query says so. */
  logs?(id: string, workspaceId: string, query: Query): Call
  metrics?(id: string, span: Span): Call
  /** The listing of workflows on it. */
  workflows?(id: string, workspaceId: string): Call
  /** Gives its console a new token. */
  resetConsole?(id: string): Call
}
