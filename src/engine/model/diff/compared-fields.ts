// Which fields of an object a plan compares: whoever looks at it asks for the same ones, or what is there would seem to change with who looks.
import { pathOf } from '../../../base/pointer.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Change } from '../plan-data.ts'

/** Those that are declared, recorded or uncertain, each once. */
export function comparedFields(declared: Iterable<string>, record: Pick<ResourceRecord, 'spec' | 'uncertain'> | undefined): readonly string[] {
  return [...new Set([...declared, ...Object.keys(record?.spec ?? {}), ...(record?.uncertain ?? [])])]
}

/** The fields that a change declares, those among them that are not known yet. */
export function declaredBy({ after, after_unknown: unknown }: Pick<Change, 'after' | 'after_unknown'>): readonly string[] {
  return [...new Set([...Object.keys(after ?? {}), ...unknown.flatMap((pointer) => pathOf(pointer)[0] ?? [])])]
}
