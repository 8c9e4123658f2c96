// Plans that were just made, held against what their own apply would refuse them for: nothing happened in between, so that nothing may be found.
import { Failure } from '../../src/base/diagnostic.ts'
import { kindFinder } from '../../src/engine/model/kind-finder.ts'
import type { Run } from '../../src/engine/model/run.ts'
import type { Prepared } from '../../src/engine/plan/prepared-plan.ts'
import { guardSaved, judgeSaved } from '../../src/engine/saved/judge-saved.ts'
import { alteredIn, movedRecords, unsaidBy } from '../../src/engine/saved/plan-standing.ts'
import { importsNow } from '../../src/engine/saved/saved-lookups.ts'
import { checkSense } from '../../src/engine/saved/saved-plan.ts'
import type { Project } from '../../src/project/resolving/declared.ts'

/** Gives it back, and throws what is wrong with a plan by itself and with what it was made from; a plan that is refused when it is shown is not judged. */
export function checkJustMade({ kinds, toolVersion }: Run, prepared: Prepared): Prepared {
  const { plan, folded, input } = prepared
  if (isRefused(plan)) return prepared
  checkSense(plan, kinds, toolVersion)
  const { problems, records } = movedRecords(plan, input.project, folded.resources)
  const ground = { plan, project: input.project, records, kindOf: kindFinder(kinds) }
  const found = [...problems, ...alteredIn(ground), ...unsaidBy(ground)]
  if (found.length > 0) throw new Failure(9, found)
  return prepared
}

/** Why a plan that was just made would not be carried out, guards left aside, in words; undefined where it would be. Reads, and changes nothing. */
export async function refusalOf(run: Run, { plan, folded, digest, refreshed }: Prepared, project: Project): Promise<string | undefined> {
  if (isRefused(plan) || folded.open.length > 0) return undefined
  try {
    checkSense(plan, run.kinds, run.toolVersion)
    const guards = { noDestroy: false, maxDestroy: undefined }
    const imported = plan.mode === 'normal' ? await importsNow(run, project, folded.resources, digest) : project
    const judged = await judgeSaved(run, {
      plan,
      project: imported,
      records: folded.resources,
      salt: plan.salt,
      looking: { ...refreshed.looking, source: run.client },
    })
    await guardSaved({ guards }, judged)
    return undefined
  } catch (error) {
    if (error instanceof Failure && (error.exitCode === 6 || error.exitCode === 9))
      return error.diagnostics.map((one) => `${one.summary} ${one.detail ?? ''}`).join('; ')
    throw error
  }
}

function isRefused({ diagnostics }: Prepared['plan']): boolean {
  return diagnostics.some((one) => one.severity === 'error')
}
