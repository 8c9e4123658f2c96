// Mistakes on the command line.
import { Failure, failure } from '../../base/diagnostic.ts'

/** A mistake on the command line; without a nearest right word its hint is left to who knows the command. */
export function usageFailure(message: string): Failure {
  const [first = '', second = ''] = message.replace(/^error: /, '').split('\n')
  const wrong = /^unknown option '(.+)'$/.exec(first)?.[1] ?? ''
  const near =
    /^\(Did you mean (?:one of )?(.+)\?\)$/
      .exec(second)?.[1]
      ?.split(', ')
      .filter((one) => !areOpposite(one, wrong)) ?? []
  return failure('usage', first, near.length === 0 ? {} : { hint: `did you mean ${near.join(', ')}?` })
}

/** Whether one of two flags takes back the other: it is near in letters, and the last thing that was meant. */
function areOpposite(one: string, other: string): boolean {
  return bareName(one) === bareName(other) && one.startsWith('--no-') !== other.startsWith('--no-')
}

function bareName(flag: string): string {
  return flag.replace(/^--(?:no-)?/, '').replace(/=.*$/s, '')
}

/** What was thrown, mistakes without a hint pointing to the help of the command that ran; '' is the program's. */
export function pointingToHelp(error: unknown, name: string): unknown {
  if (!(error instanceof Failure)) return error
  const hint = `see \`iac ${name === '' ? '' : `${name} `}--help\``
  const pointing = error.diagnostics.map((one) => (one.code === 'usage' && one.hint === undefined ? { ...one, hint } : one))
  return new Failure(error.exitCode, pointing)
}
