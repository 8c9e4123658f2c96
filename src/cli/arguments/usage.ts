// Mistakes on the command line.
import { Failure, failure } from '../../base/diagnostic.ts'
import { otherFlags } from './other-words.ts'

/** A mistake on the command line; without a nearest right word its hint is left to who knows the command. An unknown option is named without its value, which may be a secret. */
export function usageFailure(message: string): Failure {
  const said = message.replace(/^error: /, '')
  const [line = '', second = ''] = said.split('\n')
  const wrong = unknownOption(said)
  const first = wrong === undefined ? line : `unknown option '${wrong}'`
  const near =
    /^\(Did you mean (?:one of )?(.+)\?\)$/
      .exec(second)?.[1]
      ?.split(', ')
      .filter((one) => !areOpposite(one, wrong ?? '')) ?? []
  const hint = otherFlags.get(wrong ?? '') ?? (near.length === 0 ? undefined : `did you mean ${near.join(', ')}?`)
  return failure('usage', first, hint === undefined ? {} : { hint })
}

/** The option that a message calls unknown; of one with a single dash its letter, since the value stands right behind that. */
function unknownOption(message: string): string | undefined {
  const word = /^unknown option '([^=\s']*)/.exec(message)?.[1]
  return word?.startsWith('--') === false ? word.slice(0, 2) : word
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
