// A run that looks at files alone needs no second computation as long as they, and all else that it is given, are the same: it is told again.
import type { ExitCode } from '../../base/catalogue.ts'
import type { Context } from '../context/context.ts'
import { createContext } from '../context/context.ts'
import { digestKey } from './guessable.ts'
import type { KeptPlace, KeptRun } from './kept-run.ts'
import { keptPlace } from './kept-run.ts'
import type { Looking } from './looking.ts'
import { givenTo, mayBeTold, notingSurroundings, tellAgain } from './looking.ts'
import { notingFiles, seenNow } from './seen-files.ts'

/**
 * Runs a command that only looks at files, or, where the last run like it was settled and program, words, variables and files are what they were then,
 * prints what that one printed. The service is not asked who calls.
 */
export async function unlessFilesChanged(context: Context, looking: Looking): Promise<ExitCode> {
  const place = mayBeTold(context, looking) ? keptPlace<KeptRun>(context, digestKey(context)) : undefined
  if (!place) return (await looking.running(context)).code
  const kept = place.read()
  if (kept === undefined || kept.run.about !== kept.seal(givenTo(context, looking, null, kept.run.variables))) return await runNoting(context, looking, place)
  if (kept.seal(seenNow(context.files, kept.run.looks)) !== kept.run.files) return await runNoting(context, looking, place)
  tellAgain(context, kept.run.printed)
  return 0
}

/** Runs it, noting all that it looks at, and keeps that if it was settled. */
async function runNoting(context: Context, looking: Looking, place: KeptPlace<KeptRun>): Promise<ExitCode> {
  const { surroundings, variables, printed } = notingSurroundings(context.surroundings)
  const files = notingFiles(context.files)
  const { code, isSettled } = await looking.running(createContext({ ...context, surroundings, files: files.files }))
  const told = printed()
  if (code !== 0 || !isSettled || !told) return code
  const { looks, digest } = files.seen()
  const read = variables()
  place.write((seal) => ({
    keptAt: surroundings.clock.wall(),
    about: seal(givenTo(context, looking, null, read)),
    variables: read,
    looks,
    files: seal(digest),
    printed: told,
  }))
  return code
}
