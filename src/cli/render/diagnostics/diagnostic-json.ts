// What validate found, as machines read it.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnosticDocument } from '../../../base/diagnostic.ts'
import { told } from '../../../base/told-diagnostics.ts'

/** The document of `validate --json`; notes count as neither errors nor warnings. */
export function validateDocument(diagnostics: readonly Diagnostic[]) {
  const count = (severity: Diagnostic['severity']): number => diagnostics.filter((one) => one.severity === severity).length
  const errors = count('error')
  return { valid: errors === 0, error_count: errors, warning_count: count('warning'), diagnostics: told(diagnostics).map(diagnosticDocument) }
}
