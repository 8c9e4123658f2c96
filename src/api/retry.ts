// How long to wait before another try: jittered backoff, Retry-After, and a quota that keeps retries from piling up.
import { backoff } from '../base/backoff.ts'
import type { Clock } from '../base/clock.ts'

const CAP_MS = 20_000
const LONGEST_RETRY_AFTER_MS = 300_000
const QUOTA_TOKENS = 500
const REFILL_PER_S = 14

/** What a retry takes from the quota, and the base of its backoff in milliseconds. */
export const retryKinds = { transient: { cost: 14, baseMs: 50 }, throttled: { cost: 5, baseMs: 1000 } } as const

export type RetryKind = keyof typeof retryKinds

/** Full jitter: a random share of base·2^attempt, capped at 20 s; `attempt` counts from 0. */
export function backoffMs(kind: RetryKind, attempt: number, random: () => number): number {
  return random() * backoff(attempt, retryKinds[kind].baseMs, CAP_MS)
}

/**
 * Milliseconds that an answer asks to wait, within 0 to 5 minutes. A date is held against the answer's own Date header, never the local clock;
 * what is no plain number of seconds or lies in the past is ignored.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_RETRY_AFTER_MS)
  if (!text.endsWith('GMT')) return undefined
  const ms = Date.parse(text) - Date.parse(headers['date'] ?? '')
  return ms >= 0 ? Math.min(ms, LONGEST_RETRY_AFTER_MS) : undefined
}

/** A wait that obeys Retry-After: never shorter than told, with a little jitter so that callers do not return together. */
export function waitMs(kind: RetryKind, attempt: number, toldMs: number | undefined, random: () => number): number {
  const ms = backoffMs(kind, attempt, random)
  return toldMs === undefined ? ms : Math.max(ms, toldMs + random() * Math.min(1000, toldMs / 10 + 50))
}

/** Tokens that retries take and successes give back, shared by all calls. */
export interface RetryQuota {
  /** Takes the cost of a retry; milliseconds until it is covered, 0 while the quota lasts. */
  take(kind: RetryKind): number
  /** A call succeeded: what its last retry cost comes back, or one token. */
  succeeded(lastRetry: RetryKind | undefined): void
}

/** A quota of 500 tokens that also refills with time, so that a long brown-out is slow but not fatal. */
export function createRetryQuota(clock: Clock): RetryQuota {
  let tokens = QUOTA_TOKENS
  let at = clock.now()

  function refill(gained: number): void {
    const now = clock.now()
    tokens = Math.min(QUOTA_TOKENS, tokens + ((now - at) / 1000) * REFILL_PER_S + gained)
    at = now
  }
  return Object.freeze({
    take(kind: RetryKind) {
      refill(0)
      tokens -= retryKinds[kind].cost
      return tokens >= 0 ? 0 : (-tokens / REFILL_PER_S) * 1000
    },
    succeeded: (lastRetry: RetryKind | undefined) => refill(lastRetry ? retryKinds[lastRetry].cost : 1),
  })
}
