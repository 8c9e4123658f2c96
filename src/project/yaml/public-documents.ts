// Which documents may be kept outside of the project: those that hold no secret, nor anything that could be one.
import type * as z from 'zod'
import { isList, isObject } from '../../base/json.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { marksOf } from '../../kinds/definition/fields.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { childOf } from '../findings/schema.ts'
import { callsSensitive } from '../findings/source.ts'
import { looksLikeSecret } from './secret-literals.ts'

const header = new Set(['apiVersion', 'kind', 'metadata', 'spec'])
// A secret field may name a variable or another resource's output: anything else could write the secret out.
const nameAlone = /^\$\{\s*(?:vars\.\w+|[A-Z]\w*\['[^'"]*'\](?:\["[^'"]*"\])?\.\w+)\s*\}$/

/** Whether a text is a name and no more: a variable, or an output of another resource. */
export function isNameAlone(text: string): boolean {
  return nameAlone.test(text)
}

/** Whether a document of one of these kinds has no literal in a secret field, no `sensitive(`, nothing that looks like a secret and no field that is not known. */
export function isPublicDocument(kinds: ReadonlyMap<string, AnyKind>, value: JsonValue, text: string): boolean {
  if (!isObject(value) || typeof value.kind !== 'string' || callsSensitive(text) || looksLikeSecret(text)) return false
  const kind = kinds.get(value.kind)
  if (!kind || !Object.keys(value).every((key) => header.has(key))) return false
  return !isObject(value.spec) || isPublic(value.spec, kind.spec, false)
}

function isPublic(value: JsonValue, schema: z.core.$ZodType | undefined, secret: boolean): boolean {
  if (!schema && !secret) return false
  const hidden = secret || (schema !== undefined && marksOf(schema).secret === true)
  const below = (member: JsonValue, part: string | number): boolean => isPublic(member, schema && childOf(schema, part), hidden)
  if (isList(value)) return value.every((item, index) => below(item, index))
  if (isObject(value)) return isReference(value, schema) || Object.keys(value).every((key) => below(value[key] ?? null, key))
  return !hidden || value === null || (typeof value === 'string' && isNameAlone(value))
}

/** `{ id }` or `{ name }` in a field that takes a text. */
function isReference(value: JsonObject, schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && marksOf(schema).ref !== undefined && Object.values(value).every((member) => !isObject(member) && !isList(member))
}
