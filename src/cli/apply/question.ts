// The question before anything is changed, in OpenTofu's words, answered by one line of standard input.
import { failure } from '../../base/diagnostic.ts'
import type { Context } from '../context/context.ts'

/** Whether the answer is `yes`. Throws a Failure 3 where nobody may be asked. */
export async function askYes(context: Context, question: { readonly title: string; readonly lines: readonly string[] }): Promise<boolean> {
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
