// Which texts are secret: told to the client before anything is sent, since the service may quote each of them anywhere.
import type { JsonValue } from '../../../base/json.ts'
import { isList, isObject } from '../../../base/json.ts'
import type { Project } from '../../../project/resolving/declared.ts'
import type { Run } from '../run.ts'

/** The texts of a sensitive value: what it holds as strings and numbers. */
export function textsOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)]
  if (isList(value)) return value.flatMap(textsOf)
  return isObject(value) ? Object.values(value).flatMap(textsOf) : []
}

/** The texts of a project's sensitive variables, which stand in other values, too. */
export function secretVariables({ variables }: Pick<Project, 'variables'>): readonly string[] {
  return Object.values(variables).flatMap((one) => (one.sensitive ? textsOf(one.value) : []))
}

/** Tells the client of sensitive values. */
export function hideValues({ client }: { readonly client: Pick<Run['client'], 'secrets'> }, values: Iterable<JsonValue>): void {
  for (const value of values) for (const text of textsOf(value)) client.secrets.add(text)
}
