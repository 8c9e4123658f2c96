// A run that found nothing to change needs no second computation as long as all that it was made from is the same: it is asked again, and told again.
import type { ExitCode } from '../../base/catalogue.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Loaded, StateStore } from '../../state/store.ts'
import type { OpenedLine } from '../context/connection.ts'
import type { Context } from '../context/context.ts'
import { createContext } from '../context/context.ts'
import type { KeptAsking, KeptPlace, Sealed } from './kept-run.ts'
import { keptPlace } from './kept-run.ts'
import type { Looking } from './looking.ts'
import { givenTo, mayBeTold, notingSurroundings, tellAgain } from './looking.ts'
import type { Answers } from './seen-answers.ts'
import { askAgain, digestNow, noAnswers, notingExchange } from './seen-answers.ts'
import { notingFiles, seenNow } from './seen-files.ts'

/**
 * Runs a command that only looks, or, where the last run like it was settled and reads what it read then (program, words, variables, files, state, and every
 * answer of the service, all asked for again), prints what that one printed. What was asked for in vain is given to the run, so that nothing is asked twice.
 */
export async function unlessUnchanged(context: Context, looking: Looking): Promise<ExitCode> {
  // Whatever is wrong with the way there is told in its turn.
  const opened = mayBeTold(context, looking) ? await context.line().catch(() => undefined) : undefined
  const { leadsTo } = opened ?? {}
  const place = leadsTo && keptPlace<KeptAsking>(context, leadsTo.token ?? '')
  if (!opened || !place) return (await looking.running(context)).code
  const kept = place.read()
  const isLike = kept !== undefined && kept.run.about === kept.seal(givenTo(context, looking, leadsTo, kept.run.variables))
  const found = isLike ? await lookedAgain(context, opened, kept) : nothingFound
  if (!found.isSame || !kept) return await runNoting(context, looking, { place, opened: { ...opened, leadsTo }, found })
  tellAgain(context, kept.run.printed)
  return 0
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

async function lookedAgain(context: Context, { line }: OpenedLine, { run, seal }: Sealed<KeptAsking>): Promise<Found> {
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
async function stampNow(context: Context, { state }: KeptAsking): Promise<string | undefined> {
  try {
    // Whoever only looks leaves nothing behind when it is ended by a signal.
    const reading = createContext({ ...context, surroundings: { ...context.surroundings, heed: () => undefined } })
    const { stamps } = await reading.store({ state })
    return await stamps?.now()
  } catch {
    return undefined
  }
}

interface Noting {
  readonly place: KeptPlace<KeptAsking>
  readonly opened: OpenedLine & { readonly leadsTo: object }
  readonly found: Found
}

/** Runs it, noting all that it looks at, and keeps that if it was settled. */
async function runNoting(context: Context, looking: Looking, { place, opened, found }: Noting): Promise<ExitCode> {
  const { surroundings, variables, printed } = notingSurroundings(context.surroundings)
  let state: SeenState | undefined
  const files = notingFiles(context.files)
  const answers = notingExchange(opened.line.exchange, found.answers, () => isSameState(state, found.state))
  const inner = createContext({
    ...context,
    surroundings,
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
  const [seen, told] = [answers.seen(), printed()]
  if (code !== 0 || !isSettled || !told || !seen || state?.stamp === undefined) return code
  const { settings, stamp } = state
  const { looks, digest } = files.seen()
  const read = variables()
  place.write((seal) => ({
    keptAt: surroundings.clock.wall(),
    about: seal(givenTo(context, looking, opened.leadsTo, read)),
    variables: read,
    looks,
    files: seal(digest),
    state: settings,
    stamp: seal(stamp),
    questions: seen.questions,
    answers: seal(seen.digest),
    printed: told,
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
    // Where a shared state is not there yet, former ones in the project's folder are looked at, too (left-behind.ts).
    note(loaded.document || loaded.entries.length > 0 ? stamp : undefined)
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
