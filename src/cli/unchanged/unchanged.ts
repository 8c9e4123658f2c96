// A run that found nothing to change needs no second computation as long as all that it was made from is the same: it is asked again, and told again.
import type { ExitCode } from '../../base/catalogue.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Loaded, StateStore } from '../../state/store.ts'
import type { Flag, Flags, Given } from '../arguments/flags.ts'
import { globalFlags } from '../arguments/flags.ts'
import { isForActions } from '../arguments/plan-flags.ts'
import type { OpenedLine } from '../context/connection.ts'
import type { Context } from '../context/context.ts'
import { createContext } from '../context/context.ts'
import type { Output } from '../surroundings/surroundings.ts'
import type { KeptPlace, KeptRun, Printed } from './kept-run.ts'
import { keptPlace } from './kept-run.ts'
import type { Answers } from './seen-answers.ts'
import { askAgain, digestNow, noAnswers, notingExchange } from './seen-answers.ts'
import { notingFiles, seenNow } from './seen-files.ts'
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

/**
 * Runs a command that only looks, or, where the last run like it was settled and reads what it read then (program, words, variables, files, state, and every
 * answer of the service, all asked for again), prints what that one printed. What was asked for in vain is given to the run, so that nothing is asked twice.
 */
export async function unlessUnchanged(context: Context, looking: Looking): Promise<ExitCode> {
  const { surroundings } = context
  const { environment } = surroundings
  const isPlain = on.includes(environment[SWITCH] ?? '') && !isForActions(environment, looking.given) && areFlagsPlain(looking)
  // Whatever is wrong with the way there is told in its turn.
  const opened = isPlain ? await context.line().catch(() => undefined) : undefined
  const place = opened?.leadsTo && keptPlace([context.folder, context.name, context.globals.text('env')], opened.leadsTo.token ?? '', surroundings)
  if (!opened || !place) return (await looking.running(context)).code
  const kept = place.read()
  const isLike = kept !== undefined && kept.run.about === kept.seal(aboutOf(context, looking, opened, kept.run.variables))
  const found = isLike ? await lookedAgain(context, opened, kept) : nothingFound
  if (!found.isSame || !kept) return await runNoting(context, looking, { place, opened, found })
  for (const [to, text] of kept.run.printed) surroundings[to].write(text)
  return 0
}

function areFlagsPlain({ flags, given }: Looking): boolean {
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

/** A state, and what stood there when it was read; undefined where it was written meanwhile. */
interface SeenState {
  readonly settings: StateSettings
  readonly stamp: string | undefined
}

/** What a second look found: whether all is the same, and what it asked for, with the state that this is no older than. */
interface Found {
  readonly isSame: boolean
  readonly answers: Answers
  readonly state?: SeenState
}

const nothingFound: Found = { isSame: false, answers: noAnswers }

async function lookedAgain(context: Context, { line }: OpenedLine, { run, seal }: NonNullable<ReturnType<KeptPlace['read']>>): Promise<Found> {
  const areFilesSame = (): boolean => seal(seenNow(context.files, run.looks)) === run.files
  // Where the state is far away, too, files that differ are told of before anything is waited for.
  if (run.state.backend !== 'local' && !areFilesSame()) return nothingFound
  const stamp = await stampNow(context, run)
  // As in every plan the state is older than what is live.
  if (stamp === undefined || seal(stamp) !== run.stamp) return nothingFound
  const answers = askAgain(line.exchange, run.questions, context.surroundings.stop)
  // They leave before the disk is waited for.
  await new Promise<void>((resolve) => void setImmediate(resolve))
  const differs = !areFilesSame()
  const digest = differs ? undefined : await digestNow(answers)
  return { isSame: digest !== undefined && seal(digest) === run.answers, answers, state: { settings: run.state, stamp } }
}

/** The stamp of the state where it was; undefined where it cannot be had. */
async function stampNow(context: Context, { state }: KeptRun): Promise<string | undefined> {
  try {
    // Whoever only looks leaves nothing behind when it is ended by a signal.
    const reading = createContext({ ...context, surroundings: { ...context.surroundings, heed: () => undefined } })
    const { stamps } = await reading.store({ state })
    return await stamps?.now()
  } catch {
    return undefined
  }
}

/** All that a run is given: words, place, terminal, address and caller, and what it reads of the environment. */
function aboutOf(context: Context, { flags, given }: Looking, { leadsTo }: OpenedLine, variables: SeenVariables): string {
  const { workingFolder, homeFolder, userId, stdout, stderr, environment } = context.surroundings
  const screens = [stdout, stderr].map(({ size, colours }) => [size?.columns ?? null, colours])
  const words = Object.entries({ ...globalFlags, ...flags }).map(([name, flag]) => [name, valueOf(name, flag, given)])
  return JSON.stringify([words, given.arguments, context.folder, workingFolder, homeFolder, userId, screens, leadsTo, variablesNow(environment, variables)])
}

interface Noting {
  readonly place: KeptPlace
  readonly opened: OpenedLine
  readonly found: Found
}

/** Runs it, noting all that it looks at, and keeps that if it was settled. */
async function runNoting(context: Context, looking: Looking, { place, opened, found }: Noting): Promise<ExitCode> {
  const { surroundings } = context
  let state: SeenState | undefined
  const files = notingFiles(context.files)
  const variables = notingEnvironment(surroundings.environment)
  const answers = notingExchange(opened.line.exchange, found.answers, () => isSameState(state, found.state))
  const printed: Printed[] = []
  let isWhole = true
  const notingStream = (to: Printed[0]): Output => notingOutput(surroundings[to], (text) => (text === undefined ? (isWhole = false) : printed.push([to, text])))
  const inner = createContext({
    ...context,
    surroundings: { ...surroundings, environment: variables.environment, stdout: notingStream('stdout'), stderr: notingStream('stderr') },
    files: files.files,
    line: async () => ({ ...opened, client: (compat) => opened.client(compat, { ...opened.line, exchange: answers.exchange }) }),
  })
  const noting: Context = {
    ...inner,
    async store(project, reads) {
      const settings = project.state
      const store = await inner.store(project, reads)
      return notingStore(store, (stamp) => {
        // Read twice, it must have been the same.
        state = { settings, stamp: !state || state.stamp === stamp ? stamp : undefined }
      })
    },
  }
  const { code, isSettled } = await looking.running(noting)
  const seen = answers.seen()
  if (code !== 0 || !isSettled || !isWhole || !seen || state?.stamp === undefined) return code
  const { settings, stamp } = state
  const { looks, digest } = files.seen()
  const read = variables.seen()
  place.write((seal) => ({
    keptAt: surroundings.clock.wall(),
    about: seal(aboutOf(context, looking, opened, read)),
    variables: read,
    looks,
    files: seal(digest),
    state: settings,
    stamp: seal(stamp),
    questions: seen.questions,
    answers: seal(seen.digest),
    printed,
  }))
  return code
}

/** Two states without a word in them have one stamp wherever they are. */
function isSameState(one: SeenState | undefined, other: SeenState | undefined): boolean {
  return one?.stamp !== undefined && one.stamp === other?.stamp && JSON.stringify(one.settings) === JSON.stringify(other.settings)
}

/** The same store, telling of the stamp of what is read, and of undefined where anything else is asked of it. */
function notingStore(store: StateStore, note: (stamp: string | undefined) => void): StateStore {
  async function read(): Promise<Loaded> {
    if (!store.stamps) return await store.read()
    const { loaded, stamp } = await store.stamps.read()
    note(stamp)
    return loaded
  }
  return new Proxy(
    { ...store, read },
    {
      get(target, name: keyof StateStore) {
        if (Object.hasOwn(target, name) && !['read', 'where', 'folder', 'advice'].includes(name)) note(undefined)
        return target[name]
      },
    },
  )
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
