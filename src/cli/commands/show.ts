// `iac show [PLANFILE]`: a saved plan, or what is recorded.
import { resolve } from 'node:path'
import { compareAddresses } from '../../address.ts'
import { failure } from '../../diagnostic.ts'
import { readPlan } from '../../engine/saved-plan.ts'
import type { Plan } from '../../engine/plan-data.ts'
import { decodeUtf8 } from '../../project/files.ts'
import { nodeFiles } from '../../project/node-files.ts'
import { writeDigests } from '../../state/digest.ts'
import { defineCommand } from '../command.ts'
import type { MachineDocument } from '../documents/machine-shapes.ts'
import { idleFlags } from '../flags.ts'
import type { Context } from '../context.ts'
import { recordText } from '../render/record-text.ts'
import { outputLines } from '../render/output-text.ts'
import { assertPlaces, formats, renderingsOf, showPlan } from '../show-plan.ts'
import { usageFailure } from '../usage.ts'
import { currentState, noteAbsence, resourcesOf } from '../state-access.ts'

const LARGEST_BYTES = 512 * 1024 * 1024

export const showCommand = defineCommand({
  summary: 'the state, or a saved plan',
  arguments: [{ name: 'PLANFILE', about: 'a plan saved by `iac plan --out`', optional: true }],
  flags: { format: { type: 'list', value: 'F[=FILE]', completes: formats, about: 'of a plan: text or json, to standard output or a file' } },
  idle: idleFlags.withoutWriting,
  examples: [
    { text: 'show', about: 'everything that is recorded' },
    { text: 'show today.plan', about: 'a saved plan' },
  ],
  async run(context, given) {
    const [file] = given.arguments
    if (file !== undefined) {
      const renderings = renderingsOf(given.list('format'), context.globals.switch('json'))
      assertPlaces(context, renderings)
      await showPlan(context, readPlanFile(context, file), renderings)
      return 0
    }
    if (given.list('format').length > 0) throw usageFailure('--format is of a plan: it needs a PLANFILE')
    const state = await currentState(context)
    noteAbsence(context, state)
    const records = resourcesOf(state).toSorted((a, b) => compareAddresses(a.address, b.address))
    if (context.globals.switch('json')) {
      const document: MachineDocument<'show'> = { resources: records, outputs: state.folded.outputs }
      context.print.json(writeDigests(document))
      return 0
    }
    const outputs = outputLines(state.folded.outputs)
    const sections = [...records.map(recordText), ...(outputs.length === 0 ? [] : [`Outputs:\n\n${outputs.join('\n')}\n`])]
    context.print.result(sections.join('\n'))
    return 0
  },
})

/** A saved plan from a file of the command line; throws a Failure 3 where it is not there, 9 where it is none. */
export function readPlanFile(context: Context, file: string): Plan {
  const read = nodeFiles.read(resolve(context.surroundings.workingFolder, file), { limitBytes: LARGEST_BYTES })
  if (read.bytes === undefined) throw failure('file_unreadable', `the plan ${file} cannot be read: ${read.problem}`)
  const decoded = decodeUtf8(read.bytes)
  if (decoded.problem !== undefined) throw failure('plan_damaged', `${file} is no plan: ${decoded.problem}`)
  return readPlan(decoded.text, file)
}
