// `iac state migrate --to FILE`: the state to the place that another project file names.
import { basename, dirname, resolve } from 'node:path'
import { diagnostic, Failure, failure } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { shellWord } from '../../../base/words/shell-word.ts'
import { checkOwner } from '../../../engine/model/state-owner.ts'
import { unknownEnvironment } from '../../../project/configuration/environments.ts'
import { stateBackends } from '../../../project/configuration/state-backends.ts'
import { nameLine } from '../../../project/configuration/state-places.ts'
import { projectFileName } from '../../../project/files/find-project.ts'
import type { StateSettings } from '../../../project/resolving/declared.ts'
import { checkMove, moveCommand, moveState } from '../../../state/delivery/move-state.ts'
import type { HeldPlace } from '../../../state/delivery/move-state.ts'
import type { StateStore } from '../../../state/store.ts'
import { assertMayAsk, isApproved, unapprovedCode } from '../../apply/question.ts'
import { idleFlags } from '../../arguments/flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import { defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { statesIn } from '../../context/load-given.ts'
import type { StatesOf } from '../../context/load-given.ts'
import { linesOfLeft, statesLeft } from '../../context/states-left.ts'
import { safeLine } from '../../render/text/sanitise.ts'
import { openAnywhere, placeOf } from '../../storage/open-store.ts'
import { ownerOf } from '../../surroundings/owner.ts'

export const stateMigrateCommand = defineCommand({
  summary: 'move the state to where another project file says',
  about:
    'Moves state, journal and history to the place that the state settings of FILE name, under both locks, and leaves a mark in the old place: whatever is run on it later ends with 9 and names the new one. Ended half way, it goes on where it is run again. It names the states of other environments that are still to be moved.',
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
    if (!given.switch('auto-approve')) assertMayAsk(context)
    const { print, surroundings } = context
    const move = await moveTo(context, file)
    const { from, to } = move
    if (move.bares !== undefined) print.diagnostics([move.bares])
    surroundings.graceful(true)
    try {
      return await held(context, from, (source) =>
        held(context, to, async (goal) => {
          await checkMove(source, goal)
          const question = {
            title: 'Do you really want to move the state?',
            lines: [
              `Its new place is ${safeLine(to.where)}; ${safeLine(from.where)} only says so afterwards.`,
              ...(move.left.length === 0 ? [] : ['Others of this project stay where they are:', ...move.left]),
            ],
          }
          if (!(await isApproved(context, given, question, 'Move cancelled.'))) return unapprovedCode(context)
          const time = new Date(surroundings.clock.wall()).toISOString()
          const { document, wasDone, leftBehind } = await moveState(source, goal, { time, command: moveCommand })
          for (const serial of leftBehind) print.note(`warning: generation ${serial} cannot be read, and was left behind`)
          if (move.seals) print.diagnostics(bareHistory(from.where, (await from.history()).length))
          const resources = `${document.resources.length} resource${document.resources.length === 1 ? '' : 's'}`
          const how = move.bares === undefined ? '' : ', in clear'
          print.note(
            `${wasDone ? 'the state was moved before' : 'the state was moved'}: ${safeLine(to.where)} holds it (serial ${document.serial}, ${resources}${how})`,
          )
          for (const line of linesOfTheRest(file, move.left)) print.note(line)
          return 0
        }),
      )
    } finally {
      surroundings.graceful(false)
    }
  },
})

/** What the project file becomes, once nothing lies any more where it says. */
function linesOfTheRest(file: string, left: readonly string[]): readonly string[] {
  const last = `let ${safeLine(file)} take the place of the project file, or write its state settings there`
  if (left.length === 0) return [last]
  return [
    'others of this project are still where they were, and an apply without them would make everything anew:',
    ...left,
    `once all of them are moved, ${last}`,
  ]
}

interface Move {
  readonly from: StateStore
  readonly to: StateStore
  /** The states that stay, a line each. */
  readonly left: readonly string[]
  /** What is told where it is encrypted now, and will not be. */
  readonly bares: Diagnostic | undefined
  /** It is in clear now, and will be encrypted. */
  readonly seals: boolean
}

/** What is told of the old place of a state that is encrypted from now on: nothing is deleted there before anybody has proven the new one. */
function bareHistory(where: string, count: number): readonly Diagnostic[] {
  if (count === 0) return []
  const stays = count === 1 ? 'generation stays' : 'generations stay'
  return [
    diagnostic('advice', `the state is encrypted now, and ${count} ${stays} in clear: the history of ${safeLine(where)}`, {
      hint: 'delete them there once the new place has proven itself',
    }),
  ]
}

/** The move to where a file says once it stands in the place of the project file, in whose folder local paths are; throws a Failure 3 where both places are one, or of two projects or environments. */
async function moveTo({ folder, globals, surroundings }: Context, file: string): Promise<Move> {
  const path = resolve(surroundings.workingFolder, file)
  const states = await statesIn({ folder, name: projectFileName, isNeeded: false }, globals, surroundings)
  const others = await statesIn({ folder: dirname(path), name: basename(path), isNeeded: true, called: states.project }, globals, surroundings)
  assertSame(states, others, safeLine(file))
  const { environment } = states
  const [here, there] = [states.stateFor(environment), others.stateFor(environment)]
  const [from, to] = [await openAnywhere(here, folder, surroundings), await openAnywhere(there, folder, surroundings)]
  if (placeOf(from, here, surroundings) === placeOf(to, there, surroundings)) throw samePlace(there)
  // There nothing but its name tells whose it is.
  if (there.backend !== 'local')
    checkOwner({ name: others.project, isNamed: true, folder, environment, state: there }, (await from.read()).document, from.where)
  const [dir, isSandbox] = [globals.text('dir'), globals.switch('sandbox')]
  const words = `iac state migrate${dir === undefined ? '' : ` --dir ${shellWord(dir)}`} --to ${shellWord(safeLine(file))}`
  const left = isSandbox ? [] : await statesLeft(folder, states, others, surroundings)
  const bares =
    here.keys === undefined || there.keys !== undefined
      ? undefined
      : diagnostic('advice', `the state is encrypted, and will lie in clear: ${safeLine(file)} names no key`, {
          hint: `write the encryption of the project file into its state settings, too: encryption: { keys: [${here.keys.map((one) => `env:${one}`).join(', ')}] }`,
        })
  return { from, to, left: linesOfLeft(left, words, states), bares, seals: here.keys === undefined && there.keys !== undefined }
}

/** Both locks of a move would be one. */
function samePlace({ backend }: StateSettings): Failure {
  const { place } = stateBackends[backend]
  const more: Partial<Record<typeof backend, string>> = {
    http: ', too, where a journal_address is added or taken out: the journal of a state that is there stays where it is',
    local: ': it is from the folder of the project, where the file is to stand',
  }
  return failure('state_command', 'the file names the place where the state is', { hint: `give it another state.${place}${more[backend] ?? ''}` })
}

/** A state moves within its project and its environment: what is run afterwards has to find it where the same words lead. */
function assertSame(own: StatesOf, other: StatesOf, file: string): void {
  if (own.project !== other.project) {
    const detail = `It names the project ${other.project}, this one is ${own.project}.`
    throw failure('state_command', 'the file is of another project', { detail, hint: 'a state moves within its project' })
  }
  if (own.isNamed && !other.isNamed) throw failure('state_command', `${file} does not name the project`, { hint: `write \`${nameLine(own.project)}\` into it` })
  const { environment } = own
  if (environment !== null && !own.environments.includes(environment)) throw new Failure(3, [unknownEnvironment(environment, own.environments)])
  if (own.defaultEnvironment !== other.defaultEnvironment) throw ofOtherEnvironment(own, other, file)
  if (environment !== null && !other.environments.includes(environment))
    throw failure('unknown_environment', `${file} declares no environment ${environment}`, { hint: 'write it below its environments, as in the project file' })
}

function ofOtherEnvironment(own: StatesOf, other: StatesOf, file: string): Failure {
  const written = own.defaultEnvironment === null ? 'take default_environment out of it' : `write \`default_environment: ${own.defaultEnvironment}\` into it`
  return failure('state_command', `${file} chooses another environment than the project file`, {
    detail: `Without -e it is for ${chosen(other)}, this one for ${chosen(own)}. What is run afterwards would look for the state elsewhere.`,
    hint: `${written}, with the same environments`,
  })
}

function chosen({ defaultEnvironment }: StatesOf): string {
  return defaultEnvironment === null ? 'no environment' : `the environment ${defaultEnvironment}`
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
