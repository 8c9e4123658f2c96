// The command that takes an object over, as hints name it.
import type { Run } from './run.ts'

/** `iac import -e staging 'Kind/name' ID`: with the flags that lead to the same state; the address stands in quotes for a shell. */
export function importCommand({ flags = [] }: Pick<Run, 'flags'>, address: string, id: string): string {
  return ['iac import', ...flags, `'${address.replaceAll("'", String.raw`'\''`)}'`, id].join(' ')
}
