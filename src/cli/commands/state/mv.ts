// `iac state mv A B`: a resource gets another address.
import { parseAddress } from '../../../base/address.ts'
import { failure } from '../../../base/diagnostic.ts'
import { withNames } from '../../../state/rename.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import { assertSettled, changeState } from '../../context/state-access.ts'
import { addressOf, recordAt } from '../../context/state-addresses.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateMvCommand = defineCommand({
  summary: 'give a recorded resource another address',
  arguments: [
    { name: 'FROM', about: 'the address it has' },
    { name: 'TO', about: 'the address it gets, of the same kind' },
  ],
  flags: {},
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state mv Instance/web Instance/frontend', about: 'after renaming the manifest' }],
  async run(context, given) {
    const [first = '', second = ''] = given.arguments
    const [from, to] = [addressOf(first), addressOf(second)]
    if (parseAddress(from)?.kind !== parseAddress(to)?.kind) throw usageFailure('a resource cannot become another kind')
    await changeState(context, (document, folded) => {
      recordAt(folded.resources, from)
      if (folded.resources.has(to)) throw failure('state_command', `the state already holds ${to}`)
      assertSettled(folded, new Set([from, to]))
      const renamed = (address: string): string => (address === from ? to : address)
      return { ...document, resources: document.resources.map((one) => withNames(one, renamed)) }
    })
    context.print.note(`${safeLine(from)} is now ${safeLine(to)}`)
    return 0
  },
})
