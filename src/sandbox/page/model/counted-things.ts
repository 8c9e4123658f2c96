// What a wallet counts: everything that is metered in the workspaces it pays for, the dearest first.
import type { PageModel } from './page-model.ts'
import { countText, dollarText } from './plain-text.ts'

/** One thing that costs, as it is shown: where it stands is said if that is not the workspace that is looked at. */
export interface CountedThing {
  readonly key: string
  readonly name: string
  readonly about: string
  readonly hourly: string
}

export interface Counted {
  /** In words, such as `2 instances, 1 address`. */
  readonly words: string
  readonly things: readonly CountedThing[]
  /** How many more there are than shown. */
  readonly more: number
}

const MOST_SHOWN = 8

/** What the wallet that pays for a workspace counts. */
export function countedFor(model: PageModel, workspace: string): Counted {
  const { workspaces } = model.rows
  const owner = workspaces.get(workspace)?.owner_id
  const counted = meteredThings(model).filter((one) => owner !== undefined && workspaces.get(one.workspaceId)?.owner_id === owner)
  const sorted = counted.toSorted((a, b) => Number(b.price - a.price))
  const kinds = [...new Set(counted.map(({ kind }) => kind))]
  const elsewhere = (id: string): string => (id === workspace ? '' : ` in ${workspaces.get(id)?.name ?? id}`)
  return {
    words: kinds.map((kind) => countText(counted.filter((one) => one.kind === kind).length, kind)).join(', '),
    things: sorted.slice(0, MOST_SHOWN).map(({ id, name, kind, workspaceId, price }) => ({
      key: id,
      name,
      about: `${kind}${elsewhere(workspaceId)}`,
      hourly: dollarText(String(price), 4),
    })),
    more: Math.max(0, sorted.length - MOST_SHOWN),
  }
}

/** Rows with a price; a price without a row is of what has just gone. */
function meteredThings({ rows, money }: PageModel) {
  const named = [
    ...[...rows.instances.values()].map(({ id, name, workspace_id }) => ({ id, name, kind: 'instance', workspaceId: workspace_id })),
    ...[...rows.dediboxes.values()].map(({ id, name, workspace_id }) => ({ id, name, kind: 'dedibox', workspaceId: workspace_id })),
    ...[...rows.disks.values()].map(({ id, name, workspace_id }) => ({ id, name, kind: 'disk', workspaceId: workspace_id })),
    ...[...rows.ips.values()].map(({ id, address, workspace_id }) => ({ id, name: address, kind: 'address', workspaceId: workspace_id })),
  ]
  return named.flatMap((one) => {
    const price = money.prices[one.id]
    return price === undefined ? [] : [{ ...one, price: BigInt(price) }]
  })
}
