// `iac state pull`: prints the state.
import { failure } from '../../../base/diagnostic.ts'
import { encodeDocument } from '../../../state/document.ts'
import type { StateDocument } from '../../../state/record.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import type { Asking } from '../../context/left-behind.ts'
import { askingOf, currentIn } from '../../context/state-access.ts'
import { safeJson } from '../../render/text/sanitise.ts'
import { openAnywhere } from '../../storage/open-store.ts'

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
    const document = await pulled(context, asking)
    if (!document) throw failure('state_command', 'there is no state yet', { hint: 'the first apply makes it' })
    if (asking.state.keys !== undefined) context.print.note('the state is encrypted, and this is it in clear')
    context.print.result(safeJson(encodeDocument(document)))
    return 0
  },
})

/** The state, or what a move that is not done has brought: where the old place is lost, that is all there is of it. */
async function pulled(context: Context, asking: Asking): Promise<StateDocument | undefined> {
  try {
    return (await currentIn(await context.store(asking))).document
  } catch (error) {
    const { document } = await currentIn(await openAnywhere(asking.state, asking.folder, context.surroundings))
    if (document?.moving !== true) throw error
    context.print.note('a move of the state to this place is not done: the old place tells what it is, as long as that is there')
    return { ...document, moving: undefined }
  }
}
