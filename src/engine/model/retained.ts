// Whether an object whose manifest is gone is forgotten and stays.
import { matchesAddress } from '../../base/address.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'

/** What a `removed` block says, else what its own manifest said last. */
export function isRetained({ removed }: Pick<Project, 'removed'>, destroy: boolean, record: ResourceRecord): boolean {
  const blocks = removed.filter((one) => matchesAddress(one.address, record.address))
  return blocks.length > 0 ? blocks.some((one) => !one.destroy) : record.on_remove === 'retain' && !destroy
}
