// What is looked at and noted once every operation has ended.
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import type { Plan } from '../model/plan-data.ts'
import type { Work } from '../operation/operation.ts'
import type { Altered } from './altered.ts'
import { closeUndeclared } from './close-undeclared.ts'

/** What of that could not be noted, where the journal takes no more: what was done before stands, so that it must not look as if nothing had been. */
export async function lastLook(work: Work, plan: Plan, altered: Altered, isDone: (id: string) => boolean): Promise<readonly Diagnostic[]> {
  try {
    await closeUndeclared(work, plan)
    await altered.atEnd(plan, isDone)
    return []
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.diagnostics.map(({ summary, detail, hint }) => diagnostic('operation_failed', summary, { detail, hint }))
  }
}
