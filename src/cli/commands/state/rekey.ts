// `iac state rekey`: everything that is kept of the state, by the first key.
import { failure } from '../../../base/diagnostic.ts'
import { assertMayAsk, isApproved, unapprovedCode } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { stateOf } from '../../context/load-given.ts'
import { settled, underLock } from '../../context/state-access.ts'

export const stateRekeyCommand = defineCommand({
  summary: 'encrypt everything that is kept of the state anew',
  about:
    'Encrypts the state, its journal and its whole history by the first key of `state.encryption`, what is in clear included, and removes what was set aside as damaged. Ended half way, it goes on where it is run again; until then every key that was in use is still needed. Saved plans stay under the key that they were made with.',
  arguments: [],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state rekey', about: 'after `state.encryption` was set, or got another first key' }],
  async run(context, given) {
    const { surroundings, print } = context
    const { state } = await stateOf(context.folder, context.globals, surroundings)
    if (state.keys === undefined) {
      const hint = 'state: { encryption: { keys: [env:IAC_STATE_KEY] } }'
      throw failure('state_command', 'the state is not encrypted: state.encryption in iac.yaml names no key', { hint })
    }
    if (!given.switch('auto-approve')) assertMayAsk(context)
    const question = {
      title: 'Do you really want to encrypt everything that is kept of the state?',
      lines: [`Whoever lacks the key in ${state.keys[0]} can read none of it afterwards.`, 'What is in clear there is taken as yours.'],
    }
    surroundings.graceful(true)
    try {
      return await underLock(
        context,
        async (lease, store) => {
          const { document, entries } = settled(await lease.read())
          if (!document) throw failure('state_command', 'there is no state yet', { hint: 'the first apply makes it, encrypted' })
          if (!(await isApproved(context, given, question, 'Rekey cancelled.'))) return unapprovedCode(context)
          await lease.write({ ...document, serial: document.serial + 1 }, entries)
          for (const serial of await lease.resealHistory()) print.note(`warning: generation ${serial} cannot be read, and was left as it is`)
          const count = (await store.history()).length
          print.note(`the state, its journal and ${count} generation${count === 1 ? '' : 's'} are encrypted by the key in ${state.keys?.[0]}`)
          return 0
        },
        { reads: 'clear too' },
      )
    } finally {
      surroundings.graceful(false)
    }
  },
})
