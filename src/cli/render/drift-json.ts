// Drift as machines read it (schemas/drift.schema.json).
import type { Blamed } from '../../engine/blame.ts'
import type { Change } from '../../engine/model/plan-data.ts'

/** An object that no manifest manages. */
export interface Unmanaged {
  readonly kind: string
  readonly id: string
  readonly name: string | null
}

/** What was looked at for objects that nobody manages. */
export interface Found {
  readonly unmanaged: readonly Unmanaged[]
  readonly managed: number
}

/** The document of `drift --json`; without `found` nothing was looked for, and coverage is not known; without `blamed` no workflow was. */
export function driftDocument(drift: readonly Change[], found: Found | undefined, blamed?: Blamed) {
  const gone = drift.filter((one) => one.action === 'delete')
  const changed = drift.filter((one) => one.action !== 'delete')
  return {
    format: 'iac-drift/v1' as const,
    has_drift: drift.length > 0,
    drift: changed,
    missing: gone.map(({ address, kind, id }) => ({ address, kind, id })),
    unmanaged: found?.unmanaged ?? null,
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
