// Mistakes on the command line.
import type { Failure } from '../diagnostic.ts'
import { failure } from '../diagnostic.ts'

/** A mistake on the command line. */
export function usageFailure(message: string, name?: string): Failure {
  const [first = '', second = ''] = message.replace(/^error: /, '').split('\n')
  const near = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(second)?.[1]
  const hint = near === undefined ? (name === undefined ? 'see `iac --help`' : `see \`iac ${name} --help\``) : `did you mean ${near}?`
  return failure('usage', first, { hint })
}
