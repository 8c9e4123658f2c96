// `iac state list`: the addresses that the state holds.
import { compareAddresses } from '../../../base/address.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { currentState, noteAbsence, resourcesOf } from '../../context/state-access.ts'
import type { MachineDocument } from '../../render/machine-shapes.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateListCommand = defineCommand({
  summary: 'the addresses that the state holds',
  arguments: [],
  flags: {},
  idle: idleFlags.withoutWriting,
  examples: [{ text: 'state list --json', about: 'addresses, kinds and ids for machines' }],
  async run(context) {
    const state = await currentState(context)
    noteAbsence(context, state)
    const resources = resourcesOf(state).toSorted((a, b) => compareAddresses(a.address, b.address))
    const document: MachineDocument<'state-list'> = resources.map(({ address, kind, id }) => ({ address, kind, id }))
    if (context.globals.switch('json')) context.print.json(document)
    else context.print.result(resources.map((one) => `${safeLine(one.address)}\n`).join(''))
    return 0
  },
})
