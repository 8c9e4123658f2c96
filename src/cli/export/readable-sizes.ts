// Numbers of bytes as people write them, wherever the schema of a field has them.
import * as z from 'zod'
import type { JsonValue } from '../../base/json.ts'
import { isList, isObject } from '../../base/json.ts'
import { formatSize } from '../../base/units.ts'
import { marksOf } from '../../kinds/definition/fields.ts'

// Below it the number itself is as easily read.
const LEAST = 1024

/** The value with each number of bytes that has a short exact form in that form. */
export function readableSizes(schema: z.core.$ZodType, value: JsonValue): JsonValue {
  if (marksOf(schema).form === 'bytes' && !isList(value)) return readableSize(value)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) return readableSizes(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && isList(value)) return value.map((one) => readableSizes(schema.element, one))
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const own = shape[name]
      return [name, own ? readableSizes(own, one) : one]
    }),
  )
}

function readableSize(value: JsonValue): JsonValue {
  if (typeof value !== 'number' || value < LEAST) return value
  const text = formatSize(value)
  return text.length <= 7 && !/^\d+B$/.test(text) ? text : value
}
