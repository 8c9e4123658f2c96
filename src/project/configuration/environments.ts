// Environments that the project file declares, and the one that a run is for.
import { diagnostic } from '../../base/diagnostic.ts'
import type { Diagnostic, Position } from '../../base/diagnostic.ts'
import { nearest } from '../../base/words/nearest.ts'
import { listed } from '../findings/issues.ts'
import { quote } from '../findings/source.ts'
import type { ProjectFields } from './project-schema.ts'

/** The environment that a run is for: the one that was asked for, else `default_environment`; null for none. */
export function environmentOf(asked: string | null, fields: Pick<ProjectFields, 'default_environment'> | undefined): string | null {
  return asked ?? fields?.default_environment ?? null
}

/** What is said of a name that is not declared, with the nearest of those that are; at its place where it stands in iac.yaml. */
export function unknownEnvironment(name: string, declared: readonly string[], position?: Position): Diagnostic {
  const near = nearest(name, declared)
  const known = declared.length === 0 ? 'none is declared in iac.yaml' : `declared in iac.yaml: ${listed(declared)}`
  return diagnostic('unknown_environment', `no environment ${quote(name)} is declared`, {
    ...(position === undefined ? {} : { position }),
    hint: near === undefined ? known : `did you mean ${quote(near)}?`,
  })
}
