// Drift as machines read it (schemas/drift.schema.json).
import type { Blamed } from '../../engine/blame.ts'
import type { Change } from '../../engine/model/plan-data.ts'

/** An object that no manifest manages. */
export interface Unmanaged {
  readonly kind: string
  readonly id: string
  readonly name: string | null
}

/** An object that another environment manages; null for the project's own state. */
export interface ManagedElsewhere extends Unmanaged {
  readonly environment: string | null
}

/** What was looked at for objects that nobody manages. */
export interface Found {
  readonly unmanaged: readonly Unmanaged[]
  readonly managed: number
  readonly elsewhere?: readonly ManagedElsewhere[]
  /** Which other states could not be read, in words; absent where all could. */
  readonly unread?: string | undefined
}

/**
 * The document of `drift --json`; without `found` nothing was looked for, and coverage is not known; without `blamed` no workflow was; with `noStateAt`,
 * the place where there is no state, nothing was compared.
 */
export function driftDocument(drift: readonly Change[], found: Found | undefined, blamed?: Blamed, noStateAt: string | null = null) {
  const gone = drift.filter((one) => one.action === 'delete')
  const changed = drift.filter((one) => one.action !== 'delete')
  return {
    format: 'iac-drift/v1' as const,
    has_drift: drift.length > 0,
    no_state_at: noStateAt,
    drift: changed,
    missing: gone.map(({ address, kind, id }) => ({ address, kind, id })),
    unmanaged: found?.unmanaged ?? null,
    managed_elsewhere: found ? (found.elsewhere ?? []) : null,
    blame: blamed ?? null,
    coverage: found ? coverageOf(found) : null,
    summary: { changed: changed.length, missing: gone.length, unmanaged: found?.unmanaged.length ?? null },
  }
}

/** Percent of the objects seen that a manifest manages, to one decimal; null where there is nothing at all. */
export function coverageOf({ managed, unmanaged }: Found): number | null {
  const all = managed + unmanaged.length
  return all === 0 ? null : Math.floor((managed / all) * 1000) / 10
}
