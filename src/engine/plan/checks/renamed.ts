// A resource that seems to have another name now: what would be deleted has the spec of what would be created.
import { parseAddress } from '../../../base/address.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { JsonObject } from '../../../base/json.ts'
import { same } from '../../model/equal.ts'
import { push } from '../../model/needs.ts'
import type { Planned } from '../../model/planned-resource.ts'

/** One warning, with the line to paste, for each delete that has a create of its kind and workspace with the same spec. */
export function renamedAdvice(selected: readonly Planned[]): Diagnostic[] {
  const gone = new Map<string, Planned[]>()
  for (const one of selected) if (one.action === 'delete' && one.reason === 'removed' && !one.deposed) push(gone, placeOf(one), one)
  if (gone.size === 0) return []
  return selected.flatMap((made) => {
    const candidates = made.action === 'create' && made.reason === 'new' ? (gone.get(placeOf(made)) ?? []) : []
    const index = candidates.findIndex((old) => alike(made, old))
    const [old] = index < 0 ? [] : candidates.splice(index, 1)
    return old ? [adviceFor(made, old)] : []
  })
}

function placeOf(one: Planned): string {
  return `${one.kind.name} ${one.workspaceId ?? one.workspaceAddress ?? ''}`
}

/** Equal specs; a name that only repeats the logical one follows it. */
function alike(made: Planned, old: Planned): boolean {
  const [wanted, recorded] = [made.desired ?? {}, old.record?.spec ?? {}]
  const followed = repeatsName(wanted, made.address) && repeatsName(recorded, old.address)
  return Object.entries(made.kind.fields).every(([field, marks]) => (field === 'name' && followed) || same(wanted[field], recorded[field], marks))
}

function repeatsName(spec: JsonObject, address: string): boolean {
  const { name = '', key } = parseAddress(address) ?? {}
  return spec['name'] === (key === undefined ? name : `${name}-${key}`)
}

function adviceFor(made: Planned, old: Planned): Diagnostic {
  const text = `${old.address} would be deleted, and ${made.address} made with the same spec`
  const hint = `if it is the same one under another name, write in iac.yaml, under moved:  - { from: ${quoted(old.address)}, to: ${quoted(made.address)} }`
  return diagnostic('advice', text, { address: made.address, position: made.declared?.position, hint })
}

/** An address as YAML takes it: one with a key needs quotes. */
function quoted(address: string): string {
  return address.includes('[') ? `'${address.replaceAll("'", "''")}'` : address
}
