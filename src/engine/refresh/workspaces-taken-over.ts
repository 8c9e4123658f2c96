// Workspaces that a plan takes over: what stands in them is there already, and is looked at as in those that are recorded.
import type { Declared } from '../../project/resolving/declared.ts'
import type { ResourceRecord } from '../../state/record.ts'

/** Which object an address means, and where that stands. */
export type Places = ReadonlyMap<string, Pick<ResourceRecord, 'id' | 'workspace_id'>>

/** What is recorded, and with it the workspaces that manifests take over and the caller sees. */
export function withTakenOver(recorded: Places, declared: readonly Declared[], visible: readonly { readonly id: string }[]): Places {
  const taken = declared.filter(({ address, kind, importId }) => kind.contains && !recorded.has(address) && visible.some((one) => one.id === importId))
  if (taken.length === 0) return recorded
  return new Map([...recorded, ...taken.map(({ address, importId = '' }) => [address, { id: importId, workspace_id: null }] as const)])
}
