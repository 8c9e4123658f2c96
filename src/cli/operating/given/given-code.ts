// Codes and passwords of people: an argument, asked for, or lines of standard input.
import { failure } from '../../../base/diagnostic.ts'
import { secretOf } from '../../account/secret-question.ts'
import type { Flags, Given } from '../../arguments/flags.ts'
import type { Context } from '../../context/context.ts'

/** The first argument, or what is asked for. Throws a Failure 3 where nobody may be asked. */
export async function codeGiven(context: Context, given: Given, name: string, prompt: string): Promise<string> {
  return given.arguments[0] ?? (await secretOf(context, { name, prompt }))
}

/** The flag with which passwords come from a pipe. */
export const passwordFlag = {
  'password-stdin': { type: 'switch', about: 'read what would be asked from lines of standard input' },
} satisfies Flags

/** Throws a Failure 3 where a password is neither typed on a terminal nor said to come from a pipe, which may hold anything else. */
export function assertPasswordComes({ surroundings }: Context, given: Given): void {
  if (surroundings.stdin.isTerminal || given.switch('password-stdin')) return
  throw failure('usage', 'the password is asked for on a terminal, and standard input is none', { hint: 'give it on standard input with --password-stdin' })
}
