// A run that only looks: what it is given, whether it may be told again, and everything that it reads of its surroundings and prints.
import type { ExitCode } from '../../base/catalogue.ts'
import type { Flag, Flags, Given } from '../arguments/flags.ts'
import { globalFlags } from '../arguments/flags.ts'
import { isForActions } from '../arguments/plan-flags.ts'
import type { Context } from '../context/context.ts'
import type { Output, Surroundings } from '../surroundings/surroundings.ts'
import type { Printed } from './kept-run.ts'
import type { SeenVariables } from './seen-variables.ts'
import { notingEnvironment, variablesNow } from './seen-variables.ts'

/** How a run ended. `isSettled`: it found nothing to change or to refuse, and the same things will be found as long as nothing else is there, however late it is. */
export interface Concluded {
  readonly code: ExitCode
  readonly isSettled: boolean
}

/** A run that only looks, as the command line has it. */
export interface Looking {
  /** The command's own. */
  readonly flags: Flags
  readonly given: Given
  /** Whether it tells GitHub's runner, too, where it runs there and is not asked not to. */
  readonly tellsActions: boolean
  readonly running: (context: Context) => Promise<Concluded>
}

/** Flags with which a run still only looks, at nothing else than before, and tells people alone. With any other it is computed. */
const plainFlags: ReadonlySet<string> = new Set(
  'dir file env var var-file parallelism lock-timeout no-color no-input quiet target exclude replace refresh-only refresh max-destroy policy override reason no-ci compat detailed-exitcode'.split(
    ' ',
  ),
)
/** The variable that has everything computed, and what it may hold without doing so. */
const SWITCH = 'IAC_PLAN_CACHE'
const on = ['', 'on', '1', 'true']

/** Whether a run may be told again by its flags and its environment. */
export function mayBeTold({ surroundings: { environment } }: Context, { flags, given, tellsActions }: Looking): boolean {
  if (!on.includes(environment[SWITCH] ?? '') || (tellsActions && isForActions(environment, given))) return false
  const said = Object.entries({ ...globalFlags, ...flags }).filter(([name, flag]) => isSaid(valueOf(name, flag, given)))
  return said.every(([name]) => plainFlags.has(name)) && !given.list('file').includes('-')
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false
}

function valueOf(name: string, { type }: Flag, given: Given): unknown {
  if (type === 'switch') return given.switch(name)
  if (type === 'list') return given.list(name)
  return (type === 'integer' || type === 'duration' ? given.number(name) : given.text(name)) ?? null
}

/** All that a run is given: words, place, terminal, the address that it calls, if any, and what it reads of the environment. */
export function givenTo(context: Context, { flags, given }: Looking, leadsTo: object | null, variables: SeenVariables): string {
  const { workingFolder, homeFolder, userId, stdout, stderr, environment } = context.surroundings
  const screens = [stdout, stderr].map(({ size, colours }) => [size?.columns ?? null, colours])
  const words = Object.entries({ ...globalFlags, ...flags }).map(([name, flag]) => [name, valueOf(name, flag, given)])
  return JSON.stringify([words, given.arguments, context.folder, workingFolder, homeFolder, userId, screens, leadsTo, variablesNow(environment, variables)])
}

/** Surroundings that note what is read of the environment, and what is printed. */
export interface NotingSurroundings {
  readonly surroundings: Surroundings
  readonly variables: () => SeenVariables
  /** In order; undefined where something was printed that is not for people. */
  readonly printed: () => readonly Printed[] | undefined
}

/** The same surroundings, noting. */
export function notingSurroundings(surroundings: Surroundings): NotingSurroundings {
  const variables = notingEnvironment(surroundings.environment)
  const printed: Printed[] = []
  let isWhole = true
  const notingStream = (to: Printed[0]): Output => notingOutput(surroundings[to], (text) => (text === undefined ? (isWhole = false) : printed.push([to, text])))
  return {
    surroundings: { ...surroundings, environment: variables.environment, stdout: notingStream('stdout'), stderr: notingStream('stderr') },
    variables: variables.seen,
    printed: () => (isWhole ? printed : undefined),
  }
}

/** The same stream, telling of all that is printed: of what is not for people no more than that it was. */
function notingOutput(output: Output, note: (text: string | undefined) => void): Output {
  return {
    get size() {
      return output.size
    },
    get isGone() {
      return output.isGone
    },
    colours: output.colours,
    write(text) {
      note(text)
      output.write(text)
    },
    data(text) {
      note(undefined)
      output.data(text)
    },
    commands(text) {
      note(undefined)
      output.commands(text)
    },
  }
}

/** Prints what a run printed. */
export function tellAgain({ surroundings }: Context, printed: readonly Printed[]): void {
  for (const [to, text] of printed) surroundings[to].write(text)
}
