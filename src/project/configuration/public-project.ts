// Which project files may be kept outside of the project: those in which no value of a variable, and nothing of a state, could be a secret.
import { isObject } from '../../base/json.ts'
import type { JsonValue } from '../../base/json.ts'
import { narrow } from '../findings/schema.ts'
import { looksLikeSecret } from '../yaml/secret-literals.ts'
import { projectSchema } from './project-schema.ts'

const open = new Set(['apiVersion', 'kind', 'name', 'manifests', 'variables', 'default_environment', 'moved', 'removed', 'guards'])

/** Whether a project file fits its schema, gives no variable a value, says nothing of the state, and holds nothing that looks like a secret. */
export function isPublicProject(value: JsonValue, text: string): boolean {
  if (!isObject(value) || !Object.keys(value).every((key) => open.has(key)) || looksLikeSecret(text)) return false
  const parsed = projectSchema.safeParse(narrow(value))
  return parsed.success && Object.values(parsed.data.variables ?? {}).every((one) => one.default === undefined)
}
