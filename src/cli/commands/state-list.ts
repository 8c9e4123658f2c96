// `iac state list`: the addresses that the state holds.
import { compareAddresses } from '../../address.ts'
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'
import { safeLine } from '../render/sanitise.ts'
import { currentState, resourcesOf } from '../state-access.ts'

export const stateListCommand = defineCommand({
  summary: 'the addresses that the state holds',
  arguments: [],
  flags: {},
  idle: idleFlags.withoutWriting,
  examples: [{ text: 'state list --json', about: 'addresses, kinds and ids for machines' }],
  async run(context) {
    const resources = resourcesOf(await currentState(context)).toSorted((a, b) => compareAddresses(a.address, b.address))
    if (context.globals.switch('json')) context.print.json(resources.map(({ address, kind, id }) => ({ address, kind, id })))
    else context.print.result(resources.map((one) => `${safeLine(one.address)}\n`).join(''))
    return 0
  },
})
