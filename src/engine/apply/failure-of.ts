// What an operation's end by an error means: for its address, for the service, and for the run.
import { ApiError } from '../../api/calls/call.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import type { Ended, Work } from '../operation/operation.ts'
import { OperationError } from '../operation/operation.ts'

/** The end of an operation that threw. */
export function failureOf(work: Work, address: string, error: unknown): Ended {
  if (error instanceof OperationError)
    return {
      ok: false,
      diagnostics: [error.diagnostic],
      // Only what the next run finds open is told to be under way.
      inFlight: work.ledger.isOpen(address) || (error.inFlight && isUnderWay(work, address)),
      fatal: error.fatal,
      unauthorized: error.unauthorized,
      exhausted: error.exhausted,
    }
  const about = { ok: false, inFlight: isUnderWay(work, address), unauthorized: false } as const
  const failed = (text: string, detail?: string): Diagnostic => diagnostic('operation_failed', `${address}: ${text}`, { address, detail })
  if (error instanceof ApiError) {
    const unauthorized = error.status === 401 || error.status === 403
    const found = unauthorized ? diagnostic('unauthorized', `${address}: ${error.message}`, { address }) : failed(error.message)
    return { ...about, diagnostics: [found], fatal: error.status === 401, unauthorized }
  }
  if (error instanceof Error && error.name === 'UnreachableError') return { ...about, diagnostics: [failed(error.message)], fatal: true }
  // A journal that cannot be written: nothing else may begin.
  if (error instanceof Failure) {
    const diagnostics = error.diagnostics.map((one) =>
      diagnostic('operation_failed', `${address}: ${one.summary}`, { address, detail: one.detail, hint: one.hint }),
    )
    return { ...about, diagnostics, fatal: true }
  }
  // A defect, too.
  return { ...about, diagnostics: [error instanceof Error ? failed(error.message, error.stack) : failed('failed')], fatal: true }
}

/** Whether the service may still be at work on what stands at an address. */
function isUnderWay({ ledger }: Work, address: string): boolean {
  return ledger.isOpen(address) || ledger.record(address)?.status === 'deleting'
}
