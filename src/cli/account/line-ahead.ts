// A line of standard input that is needed once something was sent: read ahead, so that nothing is sent where none can come.
import type { Clock } from '../../base/clock.ts'
import { failure } from '../../base/diagnostic.ts'
import type { Input } from '../surroundings/surroundings.ts'
import type { Asked, Wanted } from './secret-question.ts'
import { assertMayBeAsked } from './secret-question.ts'

/** Within it an input that has ended has told so; a program that answers what it reads is not waited for. */
const ENDED_WITHIN_MS = 50

/**
 * Whom to ask once the rest of the work needs an answer: a terminal as it is, else standard input, of which a line has come or still may.
 * Throws a Failure 3 where nobody may be asked, and where the input ends without a line.
 */
export async function lineAhead(asked: Asked & { readonly surroundings: { readonly clock: Clock } }, wanted: Wanted): Promise<Asked> {
  assertMayBeAsked(asked, wanted)
  const { stdin, clock, stop } = asked.surroundings
  if (stdin.isTerminal) return asked
  let line: ReturnType<Input['readLine']> | undefined = stdin.readLine(stop)
  const isOver = await Promise.race([line.then((text) => text === undefined), clock.sleep(ENDED_WITHIN_MS).then(() => false)])
  if (isOver && !stop.aborted)
    throw failure('usage', `${wanted.name} is asked for once its secret was shown, and standard input has no line for it`, {
      hint: 'nothing was sent; run it at a terminal, or from a program that reads what is shown and answers',
    })
  const readSecret: Input['readSecret'] = async (signal) => {
    const first = line ?? stdin.readLine(signal)
    line = undefined
    return await first
  }
  return { ...asked, surroundings: { ...asked.surroundings, stdin: { ...stdin, readSecret } } }
}
