// A run that found nothing to change needs no second computation as long as all that it was made from is the same: it is asked again, and told again.
import { hash } from 'node:crypto'
import type { ExitCode } from '../../base/catalogue.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import { globalFlags } from '../arguments/flags.ts'
import { isForActions } from '../arguments/plan-flags.ts'
import type { OpenedLine } from '../context/connection.ts'
import type { Context } from '../context/context.ts'
import { createContext } from '../context/context.ts'
import type { Output, Surroundings } from '../surroundings/surroundings.ts'
import type { KeptPlace, KeptRun, Printed } from './kept-run.ts'
import { keptPlace } from './kept-run.ts'
import type { Answers } from './seen-answers.ts'
import { askAgain, digestNow, noAnswers, notingExchange } from './seen-answers.ts'
import { notingFiles, seenNow } from './seen-files.ts'
import { notingEnvironment, variablesNow } from './seen-variables.ts'

/** How a run ended. `isSettled`: it found nothing to change or to refuse, and the same things will be found as long as nothing else is there, however late it is. */
export interface Concluded {
  readonly code: ExitCode
  readonly isSettled: boolean
}

/** Whether a run of plan or drift prints for people alone, from the service that is reached over a network: what others read tells of its time, or is written elsewhere. */
export function tellsPeople({ globals, surroundings }: Context, given: Given): boolean {
  const isOther = ['json', 'verbose', 'sandbox'].some((flag) => globals.switch(flag)) || globals.list('file').includes('-')
  return !isOther && given.list('format').length === 0 && given.text('json-into') === undefined && !isForActions(surroundings.environment, given)
}

type Running = (context: Context) => Promise<Concluded>

/** A run to be told again, and what could tell that it is the same. */
interface Asked {
  readonly flags: Flags
  readonly given: Given
  readonly running: Running
}

/** For so long at most: once a day everything is computed anew. */
const LONGEST_MS = 24 * 3_600_000
/** The variable that has everything computed. */
const SWITCH = 'IAC_PLAN_CACHE'

/**
 * Runs a command that only looks, or, where the last run like it was settled and reads what it read then (program, words, variables, files, state, and every
 * answer of the service, all asked for again), prints what that one printed. What was asked for in vain is given to the run, so that nothing is asked twice.
 */
export async function unlessUnchanged(context: Context, asked: Asked): Promise<ExitCode> {
  const { surroundings } = context
  const isOff = ['off', '0', 'false', 'no'].includes(surroundings.environment[SWITCH] ?? '')
  const place = isOff ? undefined : keptPlace([context.folder, context.name, context.globals.text('env')], surroundings)
  // Whatever is wrong with the way there is told in its turn.
  const opened = place && (await context.line().catch(() => undefined))
  if (!place || !opened?.leadsTo) return (await asked.running(context)).code
  const kept = place.read()
  const isLike = kept !== undefined && isFresh(kept, surroundings) && kept.about === aboutOf(context, asked, opened, kept)
  const found = isLike ? await lookedAgain(context, opened, kept) : nothingFound
  if (!found.isSame || !kept) return await noted(context, asked, { place, opened, found })
  for (const [to, text] of kept.printed) surroundings[to].write(text)
  return 0
}

/** What a second look found: whether all is the same, and the answers that it asked for, with the stamp of the state that they are no older than. */
interface Found {
  readonly isSame: boolean
  readonly answers: Answers
  readonly stamp?: string
}

const nothingFound: Found = { isSame: false, answers: noAnswers }

async function lookedAgain(context: Context, { line }: OpenedLine, kept: KeptRun): Promise<Found> {
  const { stamp } = kept
  // As in every plan the state is older than what is live.
  if ((await stampNow(context, kept)) !== stamp) return nothingFound
  const answers = askAgain(line.exchange, kept.questions, context.surroundings.stop)
  // They leave before the disk is waited for.
  await new Promise<void>((resolve) => void setImmediate(resolve))
  const areFiles = seenNow(context.files, kept.looks) === kept.files
  // What is wrong with other files is told without waiting for a service.
  return { isSame: areFiles && (await digestNow(answers)) === kept.answers, answers, stamp }
}

/** The stamp of the state where it was; undefined where it cannot be had. */
async function stampNow(context: Context, { state }: KeptRun): Promise<string | undefined> {
  try {
    const { stamps } = await context.store({ state })
    return await stamps?.now()
  } catch {
    return undefined
  }
}

function isFresh({ keptAt }: KeptRun, { clock }: Surroundings): boolean {
  const ageMs = clock.wall() - keptAt
  return ageMs >= 0 && ageMs < LONGEST_MS
}

/** A digest of all that a run is given: words, place, terminal, address and caller, and what it reads of the environment. */
function aboutOf(
  context: Context,
  { flags, given }: Pick<Asked, 'flags' | 'given'>,
  { leadsTo }: OpenedLine,
  { salt, variables }: Pick<KeptRun, 'salt' | 'variables'>,
): string {
  const { workingFolder, homeFolder, userId, stdout, stderr, environment } = context.surroundings
  const screens = [stdout, stderr].map(({ size, colours }) => [size?.columns ?? null, colours])
  const places = [context.folder, workingFolder, homeFolder, userId ?? null, screens, leadsTo?.baseUrl ?? null, leadsTo?.token ?? null]
  return hash('sha256', JSON.stringify([salt, wordsOf({ ...globalFlags, ...flags }, given), places, variablesNow(environment, variables)]))
}

/** What was said on the command line, flag by flag. */
function wordsOf(flags: Flags, given: Given): unknown {
  const said = Object.entries(flags).map(([name, { type }]) => {
    if (type === 'switch') return [name, given.switch(name)]
    if (type === 'list') return [name, given.list(name)]
    return [name, (type === 'integer' || type === 'duration' ? given.number(name) : given.text(name)) ?? null]
  })
  return [said, given.arguments]
}

interface Noting {
  readonly place: KeptPlace
  readonly opened: OpenedLine
  readonly found: Found
}

/** Runs it, noting all that it looks at, and keeps that if it was settled. */
async function noted(context: Context, asked: Asked, { place, opened, found }: Noting): Promise<ExitCode> {
  const { surroundings } = context
  let state: { readonly settings: StateSettings; readonly stamp: string | undefined } | undefined
  const files = notingFiles(context.files)
  const variables = notingEnvironment(surroundings.environment)
  const answers = notingExchange(opened.line.exchange, found.answers, () => state !== undefined && state.stamp === found.stamp)
  const printed: Printed[] = []
  let isForPeople = true
  const notingStream = (to: Printed[0]): Output =>
    notingOutput(surroundings[to], (text) => (text === undefined ? (isForPeople = false) : printed.push([to, text])))
  const { workingFolder } = surroundings
  const inner = createContext({
    ...context,
    surroundings: {
      ...surroundings,
      workingFolder,
      environment: variables.environment,
      stdout: notingStream('stdout'),
      stderr: notingStream('stderr'),
    },
    files: files.files,
    line: async () => ({ ...opened, client: (compat) => opened.client(compat, { ...opened.line, exchange: answers.exchange }) }),
  })
  const noting: Context = {
    ...inner,
    async store(project, takesClear) {
      const store = await inner.store(project, takesClear)
      const { stamps } = store
      if (!stamps) return store
      return {
        ...store,
        async read() {
          const { loaded, stamp } = await stamps.read()
          // Read twice, it must have been the same.
          state = { settings: project.state, stamp: !state || state.stamp === stamp ? stamp : undefined }
          return loaded
        },
      }
    },
  }
  const { code, isSettled } = await asked.running(noting)
  const seen = answers.seen()
  if (code !== 0 || !isSettled || !isForPeople || !seen || state?.stamp === undefined) return code
  const salt = Buffer.from(surroundings.randomBytes(16)).toString('hex')
  const known = { salt, variables: variables.seen() }
  const { looks, digest } = files.seen()
  place.write({
    ...known,
    keptAt: surroundings.clock.wall(),
    about: aboutOf(context, asked, opened, known),
    looks,
    files: digest,
    state: state.settings,
    stamp: state.stamp,
    questions: seen.questions,
    answers: seen.digest,
    printed,
  })
  return code
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
