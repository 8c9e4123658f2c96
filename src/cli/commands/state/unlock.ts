// `iac state unlock ID`: breaks a lock whose holder is gone.
import type { Owner } from '../../../state/store.ts'
import { askYes } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { storeOf } from '../../context/state-access.ts'
import { safeLine } from '../../render/text/sanitise.ts'

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
    // What nobody holds needs no answer: the store knows whether there is anything to break.
    const isHeld = holder?.id === id
    if (isHeld && !given.switch('auto-approve') && !(await askYes(context, questionAbout(holder)))) {
      context.print.note('\nUnlock cancelled.')
      return 1
    }
    await store.unlock(id)
    context.print.note('the lock was broken')
    return 0
  },
})

function questionAbout({ operation, who, pid, created }: Owner) {
  const held = `It is held by ${safeLine(operation)} by ${safeLine(who)}, process ${pid}, since ${safeLine(created)}.`
  return { title: 'Do you really want to break the lock?', lines: [held, 'If that run is still going, two runs will work on one state.'] }
}
