// Plan files: read from where the command line says, written with a signature where there is a key.
import { resolve } from 'node:path'
import { failure } from '../../base/diagnostic.ts'
import { stringifyJson } from '../../base/json.ts'
import { shellWord } from '../../base/words/shell-word.ts'
import type { Plan } from '../../engine/model/plan-data.ts'
import { planDocument } from '../../engine/plan/plan.ts'
import type { PlanKey } from '../../engine/saved/plan-signature.ts'
import { isSigned, readPlanKey, signatureOf } from '../../engine/saved/plan-signature.ts'
import { readPlan } from '../../engine/saved/saved-plan.ts'
import { decodeUtf8 } from '../../project/files/files.ts'
import { nodeFiles } from '../../project/files/node-files.ts'
import { isDamage, isUnreadable } from '../../state/document.ts'
import { isSealed } from '../../state/sealing.ts'
import type { Sealing } from '../../state/sealing.ts'
import type { Context } from '../context/context.ts'
import { stateOf } from '../context/load-given.ts'
import { stateSealing } from '../storage/state-sealing.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** Below the longest that a text can be; one of 100,000 resources has some 120 MB. */
const largestBytes = 500 * 1024 * 1024

/** What an encrypted plan is bound to. */
const planPlace = ['plan']

/** A saved plan from a file of the command line; throws a Failure 3 where it is not there, 9 where it is none. Where `isCarriedOut`, one in clear is refused if the project encrypts. */
export async function readPlanFile(context: Context, file: string, isCarriedOut: boolean): Promise<Plan> {
  const read = nodeFiles.read(resolve(context.surroundings.workingFolder, file), { limitBytes: largestBytes })
  if (read.bytes === undefined) throw failure('file_unreadable', `the plan ${file} cannot be read: ${read.problem}`)
  const decoded = decodeUtf8(read.bytes)
  if (decoded.problem !== undefined) throw failure('plan_damaged', `${file} is no plan: ${decoded.problem}`)
  return readPlan(await openedPlan(context, file, decoded.text, isCarriedOut), file, context.surroundings.version)
}

/** Where a new plan is to be written in the place of one that is none: what was no plan is not to be written over. */
function planTarget(text: string, file: string): string {
  return isSealed(text) || text.includes('"iac-plan/') ? shellWord(file) : 'FILE'
}

async function openedPlan(context: Context, file: string, text: string, isCarriedOut: boolean): Promise<string> {
  if (!isSealed(text) && !isCarriedOut) return text
  const { state } = await stateOf(context.folder, context.globals, context.surroundings)
  const hint = `make a new one with \`iac plan --out ${planTarget(text, file)}\``
  if (!isSealed(text)) {
    if (state.keys === undefined) return text
    throw failure('plan_damaged', `${file} is not encrypted, and state.encryption says that plans are`, { hint })
  }
  const sealing = stateSealing(state, context.surroundings)
  try {
    return sealing.open(text, planPlace, file)
  } catch (error) {
    if (isDamage(error)) throw failure('plan_damaged', `${file} is no plan that can be carried out`, { detail: 'It was altered after it was encrypted.', hint })
    if (state.keys === undefined || !isUnreadable(error)) throw error
    // No rekeying reaches a plan: it lies wherever it was written.
    throw failure('state_key', `${file} is encrypted with another key`, {
      detail: 'No key of state.encryption opens it. Nothing was changed.',
      hint: `give the key that it was written with, or ${hint}`,
    })
  }
}

/** The key in IAC_PLAN_KEY, undefined where it is not set; throws Failure 9 for one that is none, an empty one included: a pipeline that lost its key must not go on without. */
export function planKeyOf({ planKey }: Pick<Surroundings, 'planKey'>): PlanKey | undefined {
  return planKey === undefined ? undefined : readPlanKey(planKey.trim())
}

/** A plan as its file holds it: signed where there is a key, encrypted where the state is. */
export function savedText(plan: Plan, key: PlanKey | undefined, sealing: Sealing): string {
  const document = { ...planDocument(plan), ...(key === undefined ? {} : { signature: signatureOf(plan, key) }) }
  return `${sealing.seal(stringifyJson(document, 2), planPlace)}\n`
}

/** What is said of a plan's signature to whoever has a key. */
export function signatureWords(plan: Plan, key: PlanKey): string {
  if (isSigned(plan, key)) return 'signature: valid, by the key in IAC_PLAN_KEY'
  return plan.signature === undefined ? 'signature: none' : 'signature: not valid; another key made it, or the plan was altered after it was signed'
}
