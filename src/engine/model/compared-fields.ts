// Which fields of an object a plan compares: whoever looks at it asks for the same ones, or what is there would seem to change with who looks.
import type { ResourceRecord } from '../../state/record.ts'

/** Those that are declared, recorded or in doubt, each once. */
export function comparedFields(declared: Iterable<string>, record: Pick<ResourceRecord, 'spec' | 'uncertain'> | undefined): readonly string[] {
  return [...new Set([...declared, ...Object.keys(record?.spec ?? {}), ...(record?.uncertain ?? [])])]
}
