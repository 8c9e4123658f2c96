// Calls that came to nothing: those that cannot be sent, and those that nobody answered.
import type * as z from 'zod'

/** A call that cannot be sent: names what is wrong by path, never by value. Ours or the caller's mistake; nothing has left. */
export class InvalidRequest extends Error {
  readonly request: string
  readonly paths: readonly string[]
  /** What is wrong with the body, as its schema found it; none where it is something else. */
  readonly issues: readonly z.core.$ZodIssue[]
  constructor(request: string, paths: readonly string[], issues: readonly z.core.$ZodIssue[] = []) {
    super(`${request} cannot be sent: ${paths.join('; ')}`)
    this.name = 'InvalidRequest'
    this.request = request
    this.paths = paths
    this.issues = issues
  }
}

/** No answer came for as long as the caller was ready to wait. Holds no secret. */
export class UnreachableError extends Error {
  readonly request: string
  readonly why: string
  constructor(request: string, why: string) {
    super(`no answer to ${request}: ${why}`)
    this.name = 'UnreachableError'
    this.request = request
    this.why = why
  }
}

/** A stream that stood has broken off. */
export class StreamLostError extends UnreachableError {}
