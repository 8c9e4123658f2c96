// Plan files: read from where the command line says, written with a signature where there is a key.
import { resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Plan } from '../../engine/model/plan-data.ts'
import { planDocument } from '../../engine/plan/plan.ts'
import type { PlanKey } from '../../engine/saved/plan-signature.ts'
import { isSigned, readPlanKey, signatureOf } from '../../engine/saved/plan-signature.ts'
import { readPlan } from '../../engine/saved/saved-plan.ts'
import { decodeUtf8 } from '../../project/files/files.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import type { Context } from '../context/context.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** Below the longest that a text can be; one of 100,000 resources has some 120 MB. */
const largestBytes = 500 * 1024 * 1024

/** A saved plan from a file of the command line; throws a Failure 3 where it is not there, 9 where it is none. */
export function readPlanFile(context: Context, file: string): Plan {
  const read = nodeFiles.read(resolve(context.surroundings.workingFolder, file), { limitBytes: largestBytes })
  if (read.bytes === undefined) throw failure('file_unreadable', `the plan ${file} cannot be read: ${read.problem}`)
  const decoded = decodeUtf8(read.bytes)
  if (decoded.problem !== undefined) throw failure('plan_damaged', `${file} is no plan: ${decoded.problem}`)
  return readPlan(decoded.text, file)
}

/** The key in IAC_PLAN_KEY, undefined where it is not set; throws Failure 9 for one that is none, an empty one included: a pipeline that lost its key must not go on without. */
export function planKeyOf({ planKey }: Pick<Surroundings, 'planKey'>): PlanKey | undefined {
  return planKey === undefined ? undefined : readPlanKey(planKey.trim())
}

/** A plan as its file holds it. */
export function savedDocument(plan: Plan, key: PlanKey | undefined): JsonObject {
  return { ...planDocument(plan), ...(key === undefined ? {} : { signature: signatureOf(plan, key) }) }
}

/** What is said of a plan's signature to whoever has a key. */
export function signatureWords(plan: Plan, key: PlanKey): string {
  if (isSigned(plan, key)) return 'signature: valid, by the key in IAC_PLAN_KEY'
  return plan.signature === undefined ? 'signature: none' : 'signature: not valid; another key made it, or the plan was altered after it was signed'
}
