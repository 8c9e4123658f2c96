// What a record says of an object beside its spec, without what the spec has as digests alone, and what is told once.
import type { JsonObject } from '../../../base/json.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import { holdsDigest } from './sealed-like.ts'

/** The outputs but for those with the name of a field that holds something sensitive, which the spec tells, and values that are told once, whatever a read shows. */
export function recordedOutputs({ outputs: declared }: Pick<AnyKind, 'outputs'>, outputs: JsonObject, spec: JsonObject): JsonObject {
  const secret = Object.keys(outputs).filter((name) => declared[name]?.once || (Object.hasOwn(spec, name) && holdsDigest(spec[name])))
  return secret.length === 0 ? outputs : Object.fromEntries(Object.entries(outputs).filter(([name]) => !secret.includes(name)))
}
