// Which fields of an object a plan compares: whoever looks at it asks for the same ones, or what is there would seem to change with who looks.
import { pathOf } from '../../../base/pointer.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Change } from '../plan-data.ts'

/** Those that are declared, recorded or uncertain, each once. */
export function comparedFields(declared: Iterable<string>, record: Pick<ResourceRecord, 'spec' | 'uncertain'> | undefined): readonly string[] {
  const fields = new Set(declared)
  for (const field of Object.keys(record?.spec ?? {})) fields.add(field)
  for (const field of record?.uncertain ?? []) fields.add(field)
  return [...fields]
}

/** The fields that a change declares, those among them that are not known yet. */
export function declaredBy({ after, after_unknown: unknown }: Pick<Change, 'after' | 'after_unknown'>): readonly string[] {
  return [...new Set([...Object.keys(after ?? {}), ...unknown.flatMap((pointer) => pathOf(pointer)[0] ?? [])])]
}
