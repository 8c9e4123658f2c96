// Diagnostics in the shape of `validate --json` and of the stream.
import type { Diagnostic } from '../../diagnostic.ts'

/** One diagnostic as machines read it: every member is there, null where it is not known. */
export function diagnosticDocument(one: Diagnostic) {
  const { position } = one
  const range = position ? { filename: position.file, start: { line: position.line, column: position.column } } : null
  return {
    severity: one.severity,
    code: one.code,
    summary: one.summary,
    detail: one.detail ?? '',
    address: one.address ?? null,
    range,
    hint: one.hint ?? null,
  }
}

/** The document of `validate --json`; notes count as neither errors nor warnings. */
export function validateDocument(diagnostics: readonly Diagnostic[]) {
  const count = (severity: Diagnostic['severity']): number => diagnostics.filter((one) => one.severity === severity).length
  const errors = count('error')
  return { valid: errors === 0, error_count: errors, warning_count: count('warning'), diagnostics: diagnostics.map(diagnosticDocument) }
}
