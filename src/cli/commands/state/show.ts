// `iac state show ADDRESS`: what is recorded of one resource.
import { writeDigests } from '../../../state/digest.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { currentState } from '../../context/state-access.ts'
import { recordAt } from '../../context/state-addresses.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { recordText } from '../../render/record-text.ts'

export const stateShowCommand = defineCommand({
  summary: 'what is recorded of one resource',
  arguments: [{ name: 'ADDRESS', about: 'Kind/name, or Kind/name["key"]' }],
  flags: {},
  idle: idleFlags.withoutWriting,
  examples: [{ text: 'state show Instance/web', about: 'spec and outputs as last applied' }],
  async run(context, given) {
    const { folded } = await currentState(context)
    const record: MachineDocument<'state-show'> = recordAt(folded.resources, given.arguments[0] ?? '')
    if (context.globals.switch('json')) context.print.json(writeDigests(record))
    else context.print.result(recordText(record))
    return 0
  },
})
