// What a record says of an object beside its spec, without what the spec has as digests alone.
import type { JsonObject } from '../../../base/json.ts'
import { holdsDigest } from './sealed-like.ts'

/** The outputs but for those with the name of a field that holds something sensitive: these the spec tells. */
export function recordedOutputs(outputs: JsonObject, spec: JsonObject): JsonObject {
  const secret = Object.keys(spec).filter((name) => Object.hasOwn(outputs, name) && holdsDigest(spec[name]))
  return secret.length === 0 ? outputs : Object.fromEntries(Object.entries(outputs).filter(([name]) => !secret.includes(name)))
}
