// The bodies of control routes as schemas, in the words of the wire.
import * as z from 'zod'
import { timestamp } from '../../api/routes/fields.ts'
import { nearest } from '../../base/words/nearest.ts'
import { presetNames } from '../faults/fault-presets.ts'
import type { ListedFault } from '../faults/faults.ts'
import { faultScopes } from '../faults/faults.ts'
import { defined } from '../request/defined.ts'
import { routeNames } from '../request/route-index.ts'
import type { RouteName } from '../served-routes.ts'
import { profiles } from '../time/durations.ts'
import { clockModes, scales } from '../time/sandbox-clock.ts'

const MOST_MS = 1e13
/** Whole: workflows and late requests are kept and billed by the millisecond. */
const ms = z.int().min(0).max(MOST_MS)
const count = z.int().min(0)

const operation = z.string().transform((text, context): RouteName => {
  const known = routeNames.find((name) => name === text)
  if (known !== undefined) return known
  const near = nearest(text, routeNames)
  context.addIssue(`no operation is called ${text}${near === undefined ? '' : `; did you mean ${near}?`}`)
  return z.NEVER
})

/** One operation or several; a mistake is told of the word itself. */
const operations = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(operation).min(1))
  .transform((names): RouteName | readonly RouteName[] => (names.length === 1 && names[0] !== undefined ? names[0] : names))

/** How a workflow goes, whatever its operation. */
export const courseBody = z
  .strictObject({
    outcome: z.enum(['COMPLETED', 'FAILED', 'ABORTED', 'TIMED_OUT', 'RUNNING', 'QUEUED']),
    leaves: z.enum(['nothing', 'failed', 'done']).optional(),
    lag_ms: ms.optional(),
    duration_ms: ms.optional(),
  })
  .transform(({ outcome, leaves, lag_ms: lagMs, duration_ms: durationMs }) => ({ outcome, ...defined({ leaves, lagMs, durationMs }) }))

const faultWords = z.strictObject({
  operation: operations.optional(),
  only: z.enum(faultScopes).optional(),
  after: count.optional(),
  times: z.union([z.int().positive(), z.literal('always')]).optional(),
  every: z.int().positive().optional(),
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
  delay_ms: ms.optional(),
  status: z.int().min(200).max(599).optional(),
  retry_after_seconds: count.optional(),
  message: z.string().max(500).optional(),
  reset: z.enum(['before', 'after']).optional(),
  late_ms: ms.optional(),
  truncate_bytes: count.optional(),
  stale_ms: ms.optional(),
  workflow: courseBody.optional(),
})

/** What befalls a request that is handled, or its answer. */
const handled = ['reset', 'late_ms', 'truncate_bytes', 'stale_ms', 'workflow'] as const
const effects = ['delay_ms', 'status', 'reset', 'late_ms', 'truncate_bytes', 'stale_ms', 'workflow'] as const

/** A fault: whom it befalls, how often, and at least one thing that happens, none of which makes another one void; by chance only with a seed. */
export const faultBody = faultWords
  .refine((fault) => effects.some((name) => fault[name] !== undefined), `a fault needs at least one of ${effects.join(', ')}`)
  .refine((fault) => fault.status === undefined || handled.every((name) => fault[name] === undefined), {
    error: `a status is answered in place of handling the request: it goes with none of ${handled.join(', ')}`,
    path: ['status'],
  })
  .refine((fault) => fault.status !== undefined || (fault.retry_after_seconds === undefined && fault.message === undefined), {
    error: 'retry_after_seconds and message go with a status',
    path: ['status'],
  })
  .refine((fault) => fault.reset === undefined || fault.late_ms === undefined, {
    error: 'what arrives late is lost already: it goes with no reset',
    path: ['reset'],
  })
  .refine(({ probability, seed }) => probability === undefined || seed !== undefined, {
    error: 'a probability needs a seed, so that a run replays',
    path: ['seed'],
  })
  .transform((fault): Omit<ListedFault, 'id'> => {
    const { delay_ms: delayMs, retry_after_seconds: retryAfterSeconds, late_ms: lateMs, truncate_bytes: truncateBytes, stale_ms: staleMs, ...rest } = fault
    return defined({ ...rest, delayMs, retryAfterSeconds, lateMs, truncateBytes, staleMs })
  })

export const presetBody = z.strictObject({ name: z.enum(presetNames) })

export const clockBody = z
  .strictObject({ mode: z.enum(clockModes), scale: z.int().min(scales.least).max(scales.most).optional() })
  .refine(({ mode, scale }) => mode === 'scaled' || scale === undefined, { error: 'a scale goes with the mode scaled alone', path: ['scale'] })

/** How far the clock goes on: by so much, to an instant, or until nothing is due any more. */
export const advanceBody = z.union([
  z.strictObject({ ms: z.number().min(0).max(MOST_MS) }),
  z.strictObject({ to: timestamp }),
  z.strictObject({ until: z.literal('idle') }),
])

export const snapshotBody = z.strictObject({ name: z.string().regex(/^[\w.-]{1,64}$/) })

export const tenantBody = z
  .strictObject({
    seed: z
      .int()
      .min(0)
      .max(2 ** 31),
    snapshot: z.unknown(),
    profile: z.enum(profiles),
    readings: z.record(z.string(), z.union([z.string(), z.number()])),
    strains: z.record(z.string(), z.union([z.string(), z.number()])),
    without: z.array(z.string()),
    clock: z.enum(clockModes),
  })
  .partial()

const queryCount = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)

export const viewQuery = z.strictObject({ since: queryCount, request: queryCount, money: z.stringbool() }).partial()

export const requestsQuery = z.strictObject({ since: queryCount, limit: queryCount, operation }).partial()

/** The members of an object by the names of the wire: `delayMs` as `delay_ms`. */
export function wireNames(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), member]),
  )
}
