// What people give beside flags: asked for on a terminal, secrets without showing them, or a line of standard input each.
import { failure } from '../../base/diagnostic.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

/** Whom to ask, and whether that is allowed. */
export interface Asked {
  readonly surroundings: Pick<Surroundings, 'stdin' | 'stderr' | 'stop'>
  readonly mayAsk: boolean
}

/** What is asked for, as in "the password"; `flag` is the one that lets it come from standard input, and nothing at all is '' where it is optional. */
export interface Wanted {
  readonly name: string
  readonly prompt: string
  readonly flag?: string
  readonly optional?: boolean
}

/** A secret: typed unseen, or the next line of standard input. Throws a Failure 3 where nobody may be asked or nothing comes, and an AbortError for a ^C. */
export async function secretOf(asked: Asked, wanted: Wanted): Promise<string> {
  const read: Read = async (stdin, stop, ask) => {
    try {
      // Whoever types fast would see the first letters of it.
      return await stdin.readSecret(stop, ask)
    } finally {
      // The end of the line was not shown, either.
      if (stdin.isTerminal) asked.surroundings.stderr.write('\n')
    }
  }
  return await answered(asked, wanted, read)
}

/** The same, shown while it is typed. */
export async function lineOf(asked: Asked, wanted: Wanted): Promise<string> {
  return (await answered(asked, wanted, lineAsked)).trim()
}

/** A new password: typed twice on a terminal. Throws a Failure 3 where the two differ. */
export async function newPasswordOf(asked: Asked, wanted: Wanted): Promise<string> {
  const password = await secretOf(asked, wanted)
  // A pipe makes no mistake in typing.
  if (asked.surroundings.stdin.isTerminal && (await secretOf(asked, { ...wanted, prompt: 'Again' })) !== password)
    throw failure('usage', 'the two passwords are not the same', { hint: 'nothing was changed; begin anew' })
  return password
}

/** Throws a Failure 3 where something would be asked for on a terminal, and nobody may be asked. */
export function assertMayBeAsked({ surroundings, mayAsk }: Asked, { name, flag }: Wanted): void {
  if (surroundings.stdin.isTerminal && !mayAsk) throw failure('usage', `${name} would be asked for, and nobody may be asked here`, { hint: flagHint(flag) })
}

/** Asks, and reads the answer. */
type Read = (stdin: Surroundings['stdin'], stop: AbortSignal, ask: () => void) => Promise<string | undefined>

async function lineAsked(...[stdin, stop, ask]: Parameters<Read>): Promise<string | undefined> {
  ask()
  return await stdin.readLine(stop)
}

async function answered(asked: Asked, wanted: Wanted, read: Read): Promise<string> {
  const { name, prompt, flag, optional = false } = wanted
  const { stdin, stderr, stop } = asked.surroundings
  assertMayBeAsked(asked, wanted)
  const ask = (): void => {
    if (stdin.isTerminal) stderr.write(`${prompt}: `)
  }
  const text = await read(stdin, stop, ask)
  if (stop.aborted) throw new DOMException('stopped', 'AbortError')
  if (!optional && (text === undefined || text === '')) throw failure('usage', `${name} is missing`, { hint: flagHint(flag) })
  return text ?? ''
}

function flagHint(flag: string | undefined): string {
  return flag === undefined ? 'give it on a line of standard input' : `give it on a line of standard input, with --${flag}`
}
