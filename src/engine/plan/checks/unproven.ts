// What a replacement would send and nothing tells of: the old object would be gone before the service says that there is no such thing.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { hasToken } from '../../../base/token.ts'
import type { Planned } from '../../model/planned-resource.ts'

/** A warning for each id of what no list holds, that no object of the kind has, and that is sent once the old object is gone. */
export function unprovenAdvice(planned: readonly Planned[], createFirst: ReadonlySet<string>): readonly Diagnostic[] {
  return planned.flatMap((one) => {
    if (one.action !== 'replace' || createFirst.has(one.address)) return []
    const fields = Object.entries(one.kind.fields).flatMap(([field, { ref }]) => (ref?.length === 0 ? [field] : []))
    return fields.flatMap((field) => {
      const value = one.desired?.[field]
      if (typeof value !== 'string' || hasToken(value) || isSeen(planned, one, field, value)) return []
      return [unproven(one, field, value)]
    })
  })
}

function isSeen(planned: readonly Planned[], { kind }: Planned, field: string, value: string): boolean {
  return planned.some((other) => other.kind === kind && (other.object?.seen[field] === value || (!other.object && other.record?.spec[field] === value)))
}

function unproven({ address, declared }: Planned, field: string, value: string): Diagnostic {
  const text = `${address}: no list tells whether there is the ${field} ${value}, and the old object goes before the new one is asked for`
  const hint = 'lifecycle: { create_before_destroy: true } makes the new one first'
  return diagnostic('advice', text, { address, position: declared?.positionOf(`/${field}`), hint })
}
