// `iac state unlock ID`: breaks a lock whose holder is gone.
import { defineCommand } from '../command.ts'
import { idleFlags } from '../flags.ts'
import { askYes } from '../question.ts'
import { safeLine } from '../render/sanitise.ts'
import { storeOf } from '../state-access.ts'

export const stateUnlockCommand = defineCommand({
  summary: 'break a lock whose holder is gone',
  about: 'Breaks the lock with this id, as the message of a refused run or `iac status` shows it. Never do so while its holder still runs.',
  arguments: [{ name: 'ID', about: 'the id of the lock' }],
  flags: { 'auto-approve': { type: 'switch', about: 'do not ask' } },
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state unlock 5f2c…', about: 'after making sure that the holder is gone' }],
  async run(context, given) {
    const [id = ''] = given.arguments
    const store = await storeOf(context)
    const holder = await store.holder()
    const who = holder
      ? `${safeLine(holder.operation)} by ${safeLine(holder.who)}, process ${holder.pid}, since ${safeLine(holder.created)}`
      : 'nobody that is known'
    const question = {
      title: 'Do you really want to break the lock?',
      lines: [`It is held by ${who}.`, 'If that run is still going, two runs will work on one state.'],
    }
    if (!given.switch('auto-approve') && !(await askYes(context, question))) {
      context.print.note('\nUnlock cancelled.')
      return 1
    }
    await store.unlock(id)
    context.print.note('the lock was broken')
    return 0
  },
})
