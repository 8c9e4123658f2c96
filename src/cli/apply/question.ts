// The question before anything is changed, in OpenTofu's words, answered by one line of standard input.
import { failure } from '../../base/diagnostic.ts'
import type { Given } from '../arguments/flags.ts'
import type { Context } from '../context/context.ts'

interface Question {
  readonly title: string
  readonly lines: readonly string[]
}

/** Whether it may be done: by --auto-approve, or a yes; for anything else these words say what was not done. Throws a Failure 3 where nobody may be asked. */
export async function isApproved(context: Context, given: Given, question: Question, declined = 'Nothing was sent.'): Promise<boolean> {
  if (given.switch('auto-approve')) return true
  const said = await askYes(context, question)
  if (!said) context.print.note(`\n${declined}`)
  return said
}

/** The exit code of what was not approved, for a graceful command; any other is ended by ^C itself, and ends with 1. */
export function unapprovedCode({ surroundings }: Pick<Context, 'surroundings'>): 1 | 130 {
  return surroundings.stop.aborted ? 130 : 1
}

/** Whether the answer is `yes`. Throws a Failure 3 where nobody may be asked. */
export async function askYes(context: Context, question: Question): Promise<boolean> {
  assertMayAsk(context)
  const { surroundings, print } = context
  const { bold } = print.errorPalette
  const lines = question.lines.map((line) => `  ${line}`)
  surroundings.stderr.write(`\n${bold(question.title)}\n${lines.join('\n')}\n  Only 'yes' will be accepted to approve.\n\n  ${bold('Enter a value:')} `)
  const answer = await surroundings.stdin.readLine(surroundings.stop)
  if (!surroundings.stdin.isTerminal) surroundings.stderr.write('\n')
  return answer?.trim() === 'yes'
}

/** Throws a Failure 3 where a question would be needed and nobody may be asked, or standard input holds manifests in place of an answer. */
export function assertMayAsk(context: Context): void {
  if (context.globals.list('file').includes('-'))
    throw failure('usage', 'this needs an approval, and standard input holds the manifests', { hint: 'add --auto-approve, or write the manifests to a file' })
  if (context.mayAsk) return
  throw failure('usage', 'this needs an approval, and nobody may be asked here', {
    hint: 'add --auto-approve; with CI, --no-input and --json no question is asked',
  })
}
