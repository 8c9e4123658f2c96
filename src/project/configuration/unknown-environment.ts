// An environment that the project file does not declare.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { nearest } from '../../base/nearest.ts'
import { listed } from '../findings/issues.ts'
import { quote } from '../findings/source.ts'

/** What is said of its name, with the nearest of those that are declared. */
export function unknownEnvironment(name: string, declared: readonly string[]): Diagnostic {
  const near = nearest(name, declared)
  const hint = near === undefined ? `declared in iac.yaml: ${listed(declared)}` : `did you mean ${near}?`
  return diagnostic('unknown_environment', `no environment ${quote(name)} is declared`, { hint })
}
