// The order in which diagnostics are told.
import type { Diagnostic } from '../../base/diagnostic.ts'

/** Compares by file, line and column; what has no place comes first. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [one, other] = [a.position?.file ?? '', b.position?.file ?? '']
  if (one !== other) return one < other ? -1 : 1
  return (a.position?.line ?? 0) - (b.position?.line ?? 0) || (a.position?.column ?? 0) - (b.position?.column ?? 0)
}
