// Whether an object whose manifest is gone, or that a destroy is about, is forgotten and stays.
import { matchesAddress } from '../../base/address.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'

export type Retained = (record: Pick<ResourceRecord, 'address' | 'on_remove'>) => boolean

/** What a `removed` block says, else what its own manifest said last; one that is to be destroyed may say it since. */
export function createRetained({ removed, resources }: Pick<Project, 'removed' | 'resources'>, destroy: boolean): Retained {
  const kept = new Set(destroy ? resources.flatMap((one) => (one.lifecycle.onRemove === 'retain' ? [one.address] : [])) : [])
  const declared = new Set(resources.map((one) => one.address))
  return ({ address, on_remove: onRemove }) => {
    // Blocks are about manifests that are gone: one that fits this address is meant for another environment.
    const blocks = declared.has(address) ? [] : removed.filter((one) => matchesAddress(one.address, address))
    return blocks.length > 0 ? blocks.some((one) => !one.destroy) : onRemove === 'retain' || kept.has(address)
  }
}
