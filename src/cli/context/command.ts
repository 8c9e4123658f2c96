// What a command is: one object with metadata, arguments, flags and a handler.
import type { ExitCode } from '../../base/catalogue.ts'
import type { Operating } from '../../kinds/definition/operations.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import type { Context } from './context.ts'

export interface Argument {
  readonly name: string // as help shows it: FOLDER
  readonly about: string
  readonly optional?: true
  readonly many?: true // may be given several times: the last argument alone
  readonly choices?: readonly string[]
  readonly operation?: Operating // an address of a kind that has it
}

export interface Example {
  readonly text: string // the words after `iac`
  readonly about: string
}

export interface Command {
  readonly summary: string
  readonly about?: string
  readonly arguments: readonly Argument[]
  readonly flags: Flags
  /** Global flags that the command does not take, since it uses their letter itself. */
  readonly without?: readonly string[]
  /** Global flags that mean nothing to the command: taken, and not shown. */
  readonly idle?: readonly string[]
  /** What flags with one dash are read as, where Terraform's readers call the command by them; others get their second dash. */
  readonly oneDash?: Readonly<Record<string, readonly string[]>>
  /** Whether --json prints a stream, in which what went wrong stands as well; others print it as `validate --json` does, where there is no result. */
  readonly streams?: true
  readonly examples: readonly Example[]
  run(context: Context, given: Given): Promise<ExitCode>
}

/** A command as its file defines it, frozen. */
export function defineCommand(command: Command): Command {
  return Object.freeze(command)
}
