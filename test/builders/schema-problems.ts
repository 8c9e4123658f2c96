// What a JSON Schema finds wrong with a value, by a validator that editors use.
import { Ajv } from 'ajv'
import type { JsonObject } from '../../src/base/json.ts'

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })

/** Every violation with its place; empty where the value fits. Throws for what is no schema of draft 7. */
export function schemaProblems(schema: JsonObject, value: unknown): readonly string[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? one.keyword}`)
}
