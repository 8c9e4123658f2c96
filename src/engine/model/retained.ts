// Whether an object whose manifest is gone, or that a destroy is about, is forgotten and stays.
import { matchesAddress } from '../../base/address.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'

export type Retained = (record: Pick<ResourceRecord, 'address' | 'on_remove'>) => boolean

/** What a `removed` block says, else what its own manifest said last; one that is to be destroyed may say it since. */
export function createRetained({ moved, removed, resources }: Pick<Project, 'moved' | 'removed' | 'resources'>, destroy: boolean): Retained {
  const kept = new Set(destroy ? resources.flatMap((one) => (one.lifecycle.onRemove === 'retain' ? [one.address] : [])) : [])
  const declared = new Set(resources.map((one) => one.address))
  return ({ address, on_remove: onRemove }) => {
    // Blocks are about manifests that are gone: one that fits this address is meant for another environment.
    const names = removed.length === 0 || declared.has(address) ? [] : formerNames(moved, address)
    const blocks = removed.filter((one) => names.some((name) => matchesAddress(one.address, name)))
    return blocks.length > 0 ? blocks.some((one) => !one.destroy) : onRemove === 'retain' || kept.has(address)
  }
}

/** An address, and all that `moved` blocks lead to it from: a block that names one of these is about the same resource. */
function formerNames(moved: Project['moved'], address: string): readonly string[] {
  const names = new Set([address])
  for (const name of names)
    for (const { from, to } of moved) {
      if (name === to) names.add(from)
      else if (name.startsWith(`${to}[`)) names.add(`${from}${name.slice(to.length)}`)
    }
  return [...names]
}
