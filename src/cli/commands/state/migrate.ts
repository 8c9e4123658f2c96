// `iac state migrate --to FILE`: the state to the place that another project file names.
import { basename, dirname, resolve } from 'node:path'
import { failure } from '../../../base/diagnostic.ts'
import { checkMove, moveCommand, moveState } from '../../../state/delivery/move-state.ts'
import type { HeldPlace } from '../../../state/delivery/move-state.ts'
import type { StateStore } from '../../../state/store.ts'
import { askYes, assertMayAsk } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { stateIn, stateOf } from '../../context/load-given.ts'
import { safeLine } from '../../render/text/sanitise.ts'
import { openAnywhere } from '../../storage/open-store.ts'
import { ownerOf } from '../../surroundings/owner.ts'

export const stateMigrateCommand = defineCommand({
  summary: 'move the state to where another project file says',
  about:
    'Moves state, journal and history to the place that the state settings of FILE name, under both locks, and leaves a mark in the old place: whatever is run on it later ends with 9 and names the new one. Ended half way, it goes on where it is run again.',
  arguments: [],
  flags: {
    to: { type: 'text', value: 'FILE', about: 'a project file of the same project, from the working directory; with -e its settings for that environment' },
    'auto-approve': { type: 'switch', about: 'do not ask' },
  },
  idle: idleFlags.withoutManifests,
  examples: [{ text: 'state migrate --to shared/iac.yaml', about: 'from a file of one folder to what a team shares' }],
  async run(context, given) {
    const file = given.text('to')
    if (file === undefined) throw usageFailure('--to FILE is needed: a project file whose state settings name the new place')
    const approved = given.switch('auto-approve')
    if (!approved) assertMayAsk(context)
    const { print, surroundings } = context
    const { from, to } = await places(context, resolve(surroundings.workingFolder, file))
    surroundings.graceful(true)
    try {
      return await held(context, from, (source) =>
        held(context, to, async (goal) => {
          await checkMove(source, goal)
          const question = {
            title: `Do you really want to move the state to ${safeLine(to.where)}?`,
            lines: [`${safeLine(from.where)} only says so afterwards.`],
          }
          if (!approved && !(await askYes(context, question))) {
            print.note('\nMove cancelled.')
            return surroundings.stop.aborted ? 130 : 1
          }
          const time = new Date(surroundings.clock.wall()).toISOString()
          const { document, wasDone, leftBehind } = await moveState(source, goal, { time, command: moveCommand })
          const resources = `${document.resources.length} resource${document.resources.length === 1 ? '' : 's'}`
          for (const serial of leftBehind) print.note(`warning: generation ${serial} cannot be read, and was left behind`)
          print.note(
            `${wasDone ? 'the state was moved before' : 'the state was moved'}: ${safeLine(to.where)} holds it (serial ${document.serial}, ${resources})`,
          )
          print.note(`let ${safeLine(file)} take the place of the project file, or write its state settings there`)
          return 0
        }),
      )
    } finally {
      surroundings.graceful(false)
    }
  },
})

/** The two places; throws a Failure 3 where they are one, or of two projects. */
async function places({ folder, globals, surroundings }: Context, path: string): Promise<{ readonly from: StateStore; readonly to: StateStore }> {
  const own = await stateOf(folder, globals, surroundings)
  const other = await stateIn({ folder: dirname(path), name: basename(path), isNeeded: true }, globals, surroundings)
  if (own.project !== other.project) {
    const detail = `It names the project ${other.project}, this one is ${own.project}.`
    throw failure('state_command', 'the file is of another project', { detail, hint: 'a state moves within its project' })
  }
  const [from, to] = [await openAnywhere(own.state, folder, surroundings), await openAnywhere(other.state, dirname(path), surroundings)]
  if (from.where === to.where) throw failure('state_command', 'the file names the place where the state is', { hint: 'give it other state settings' })
  return { from, to }
}

/** Holds the lock of a place while `work` runs; one that cannot be given back is a warning. */
async function held<T>({ surroundings, globals, print }: Context, store: StateStore, work: (place: HeldPlace) => Promise<T>): Promise<T> {
  print.diagnostics(store.advice ?? [])
  const lease = await store.lock(ownerOf(surroundings, moveCommand), globals.number('lock-timeout') ?? 0, surroundings.stop)
  try {
    return await work({ store, lease })
  } finally {
    const warning = await lease.release()
    if (warning !== undefined) print.note(`warning: ${warning}`)
  }
}
