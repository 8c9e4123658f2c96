// `iac show [PLANFILE]`: a saved plan, or what is recorded.
import { compareAddresses } from '../../base/address.ts'
import { checkSense } from '../../engine/saved/saved-plan.ts'
import { kinds } from '../../kinds/registry.ts'
import { writeDigests } from '../../state/digest.ts'
import { formatFlag } from '../apply/formats.ts'
import { planKeyOf, readPlanFile, signatureWords } from '../apply/plan-file.ts'
import { filesOf, isShown, renderingsOf, showReport } from '../apply/renderings.ts'
import { planReport } from '../apply/show-plan.ts'
import { tellOtherDocuments } from '../apply/tell-other-documents.ts'
import { assertMayWrite } from '../apply/written-files.ts'
import { idleFlags } from '../arguments/flags.ts'
import { compatFlag } from '../arguments/plan-flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import { currentState, noteAbsence, resourcesOf } from '../context/state-access.ts'
import type { MachineDocument } from '../render/machine-shapes.ts'
import { outputLines } from '../render/output-text.ts'
import { recordText } from '../render/record-text.ts'

export const showCommand = defineCommand({
  summary: 'the state, or a saved plan',
  arguments: [{ name: 'PLANFILE', about: 'a plan saved by `iac plan --out`', optional: true }],
  flags: { format: formatFlag('plan'), compat: compatFlag },
  idle: idleFlags.withoutWriting,
  oneDash: { json: ['--compat', 'terraform', '--json'], 'no-color': ['--compat', 'terraform', '--no-color'] },
  examples: [
    { text: 'show', about: 'everything that is recorded' },
    { text: 'show -json today.plan', about: "a saved plan as Terraform's plan JSON; -no-color, with one dash too, in its words" },
    { text: 'show today.plan', about: 'a saved plan; with IAC_PLAN_KEY also whether it is signed with it' },
  ],
  async run(context, given) {
    const [file] = given.arguments
    if (file !== undefined) {
      const json = context.globals.switch('json')
      // What Terraform's readers call JSON is Terraform's plan JSON.
      const formats = json && context.asTerraform ? [...given.list('format'), 'terraform-json'] : given.list('format')
      const renderings = renderingsOf('plan', formats, json && !context.asTerraform)
      await assertMayWrite(context, filesOf(renderings), [file])
      const plan = await readPlanFile(context, file, false)
      checkSense(plan, kinds, context.surroundings.version)
      await showReport(context, planReport(context, plan), renderings)
      // Other forms hold it themselves, and what reads them may take both outputs for one.
      if (isShown(renderings, 'text')) tellOtherDocuments(context, plan)
      const key = planKeyOf(context.surroundings)
      if (key) context.print.note(signatureWords(plan, key))
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
