// `iac state pull`: prints the state.
import { failure } from '../../../base/diagnostic.ts'
import { encodeDocument } from '../../../state/document.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { askingOf, currentIn } from '../../context/state-access.ts'
import { safeJson } from '../../render/text/sanitise.ts'

export const statePullCommand = defineCommand({
  summary: 'print the state',
  about:
    'Prints the state as its file would hold it, what the journal adds included: in clear, also where the state is encrypted. Edited, it goes back by `iac state push`.',
  arguments: [],
  flags: {},
  idle: [...idleFlags.withoutWriting, 'json'],
  examples: [{ text: 'state pull > copy.json', about: 'a copy to look into or to edit' }],
  async run(context) {
    const asking = await askingOf(context)
    const { document } = await currentIn(await context.store(asking))
    if (!document) throw failure('state_command', 'there is no state yet', { hint: 'the first apply makes it' })
    if (asking.state.keys !== undefined) context.print.note('the state is encrypted, and this is it in clear')
    context.print.result(safeJson(encodeDocument(document)))
    return 0
  },
})
