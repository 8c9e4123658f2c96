// What a replacement would send and nothing tells of: the old object would be gone before the service says that there is no such thing.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { canonicalJson } from '../../../base/json.ts'
import type { JsonValue } from '../../../base/json.ts'
import { hasToken } from '../../../base/token.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Planned } from '../../model/planned-resource.ts'

/** A warning for each id of what no list holds, that no object of the kind has, and that is sent once the old object is gone. */
export function unprovenAdvice(planned: readonly Planned[], createFirst: ReadonlySet<string>): readonly Diagnostic[] {
  const sent = planned.flatMap((one) => {
    if (one.action !== 'replace' || createFirst.has(one.address)) return []
    return unlisted(one.kind).flatMap((field) => {
      const value = one.desired?.[field]
      return typeof value !== 'string' || hasToken(value) ? [] : [{ one, field, value }]
    })
  })
  if (sent.length === 0) return []
  const seen = new Set(planned.flatMap((one) => unlisted(one.kind).map((field) => keyOf(one, field, (one.object?.seen ?? one.record?.spec)?.[field]))))
  return sent.flatMap(({ one, field, value }) => (seen.has(keyOf(one, field, value)) ? [] : [unproven(one, field, value)]))
}

/** The fields of a kind that name what nothing lists. */
function unlisted({ fields }: AnyKind): readonly string[] {
  return Object.entries(fields).flatMap(([field, { ref }]) => (ref?.length === 0 ? [field] : []))
}

function keyOf({ kind }: Planned, field: string, value: JsonValue | undefined): string {
  return canonicalJson([kind.name, field, value ?? null])
}

function unproven({ address, declared }: Planned, field: string, value: string): Diagnostic {
  const text = `${address}: no list tells whether there is the ${field} ${value}, and the old object goes before the new one is asked for`
  const hint = 'lifecycle: { create_before_destroy: true } makes the new one first'
  return diagnostic('advice', text, { address, position: declared?.positionOf(`/${field}`), hint })
}
