// `iac state unlock ID`: breaks a lock whose holder is gone.
import { failure } from '../../../base/diagnostic.ts'
import type { Owner } from '../../../state/store.ts'
import { isApproved } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { defineCommand } from '../../context/command.ts'
import { storeOf } from '../../context/state-access.ts'
import { safeLine } from '../../render/text/sanitise.ts'

export const stateUnlockCommand = defineCommand({
  summary: 'break a lock whose holder is gone',
  about: 'Breaks the lock with this id, as the message of a refused run or `iac status` shows it. Never do so while its holder still runs.',
  arguments: [{ name: 'ID', about: 'the id of the lock', optional: true }],
  flags: {
    damaged: { type: 'switch', about: 'instead of an ID: put a free lock in the place of one that cannot be read' },
    'auto-approve': { type: 'switch', about: 'do not ask' },
  },
  idle: idleFlags.withoutManifests,
  examples: [
    { text: 'state unlock 5f2c…', about: 'after making sure that the holder is gone' },
    { text: 'state unlock --damaged', about: 'where a command says that the lock is damaged, and no run is going' },
  ],
  async run(context, given) {
    const [id] = given.arguments
    const isDamaged = given.switch('damaged')
    if ((id === undefined) !== isDamaged)
      throw failure('usage', isDamaged ? 'a damaged lock has no ID' : 'the ID of the lock is missing', {
        hint: 'write `iac state unlock ID` as `iac status` shows it, or `iac state unlock --damaged`',
      })
    // Whoever breaks a lock may lack the key of the state.
    const store = await storeOf(context, 'lock first')
    if (id === undefined) {
      if (!(await isApproved(context, given, questionAboutDamaged, cancelled))) return 1
      await store.unlockDamaged()
      context.print.note('a free lock stands in the place of the damaged one')
      return 0
    }
    const holder = await store.holder()
    const question = holder?.id === id ? questionAbout(holder) : store.unknownLock === undefined ? undefined : questionAboutUnknown
    // What nobody holds for certain needs no answer: there is nothing to break.
    if (question && !(await isApproved(context, given, question, cancelled))) return 1
    await store.unlock(id)
    context.print.note('the lock was broken')
    return 0
  },
})

const cancelled = 'Unlock cancelled.'

const questionAboutDamaged = {
  title: 'Do you really want to replace the lock?',
  lines: ['Nobody can tell whose it was. If a run is still going, two runs will work on one state.'],
}

/** A lock that other tools can have at the server, too. */
const questionAboutUnknown = {
  title: 'Do you really want to break the lock?',
  lines: ['Nothing tells who has a lock with this id: another tool may. If its run is still going, two runs will work on one state.'],
}

function questionAbout({ operation, who, pid, created }: Owner) {
  const held = `It is held by ${safeLine(operation)} by ${safeLine(who)}, process ${pid}, since ${safeLine(created)}.`
  return { title: 'Do you really want to break the lock?', lines: [held, 'If that run is still going, two runs will work on one state.'] }
}
