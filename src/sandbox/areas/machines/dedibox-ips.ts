// The addresses of dediboxes: section "Dediboxes".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import { summaryOf } from '../../request/summaries.ts'
import type { DediboxIpRow } from '../../store/dedibox-rows.ts'
import type { World } from '../../world.ts'
import { canonicalAddress } from '../network/addresses.ts'

const rules = [
  rule({
    id: 'dedibox-ips.used',
    section: 'Dediboxes',
    quote: '202, created IP; 409 if address in use',
    routes: ['createDediboxIp'],
    status: 409,
    field: 'address',
    message: 'the address is in use',
    broken: ({ world, body }) => isUsed(world, body.address, undefined),
  }),
  rule({
    id: 'dedibox-ips.used-elsewhere',
    section: 'Dediboxes',
    quote: '409 if address used by another record',
    routes: ['updateDediboxIp'],
    status: 409,
    field: 'address',
    message: 'another record uses the address',
    broken: ({ world, params, body }) => isUsed(world, body.address, params.ip),
  }),
]

/** Lists, makes, changes and removes them. */
export const dediboxIpsArea = area(
  {
    listWorkspaceDediboxIps({ world, params, query }) {
      const rows = filtered(world.tables.dediboxIps.by('workspace', params.workspace), [
        among(query.id, (row) => row.id),
        among(query.dedibox, (row) => row.dediboxId),
        equals(query.address === undefined ? undefined : canonicalAddress(query.address), (row) => row.canonical),
        equals(query.type, (row) => row.type),
        search(query.q, (row) => [row.address, row.id, dediboxOf(world, row).name]),
      ])
      return listing('dedibox_ip', rows, (row) => ipView(world, row), 'oldest')
    },
    listDediboxIps: ({ world, params }) => listing('dedibox_ip', world.tables.dediboxIps.by('dedibox', params.id), (row) => ipView(world, row), 'oldest'),
    createDediboxIp({ world, params, body: { address, type } }) {
      const { id: dediboxId, workspaceId } = found(world.tables.dediboxes.get(params.id), 'dedibox')
      const row = world.tables.dediboxIps.insert({ workspaceId, dediboxId, type, address, canonical: canonicalAddress(address) })
      return { kind: 'dedibox_ip', view: ipView(world, row) }
    },
    getDediboxIp: ({ world, params }) => ({ kind: 'dedibox_ip', view: ipView(world, ipOf(world, params)) }),
    updateDediboxIp({ world, params, body: { address, type } }) {
      const row = world.tables.dediboxIps.update(ipOf(world, params).id, { address, type, canonical: canonicalAddress(address) })
      return { kind: 'dedibox_ip', view: ipView(world, row) }
    },
    deleteDediboxIp({ world, params }) {
      world.tables.dediboxIps.delete(ipOf(world, params).id)
      return undefined
    },
  },
  { rules },
)

/** The record of this dedibox: another one's is not found. */
function ipOf({ tables }: World, { id, ip }: { readonly id: string; readonly ip: string }): DediboxIpRow {
  const row = tables.dediboxIps.get(ip)
  return found(row?.dediboxId === id ? row : undefined, 'IP')
}

/** Whether a dedibox, or an instance or workspace, has the address, however it is written. */
function isUsed({ tables }: World, address: string, exceptId: string | undefined): boolean {
  const canonical = canonicalAddress(address)
  return tables.dediboxIps.by('address', canonical).some((row) => row.id !== exceptId) || tables.ips.first('address', canonical) !== undefined
}

function dediboxOf({ tables }: World, { dediboxId }: DediboxIpRow) {
  return summaryOf(tables.dediboxes, dediboxId)
}

function ipView(world: World, row: DediboxIpRow): JsonObject {
  return { id: row.id, address: row.address, type: row.type, dedibox: dediboxOf(world, row), created_at: row.createdAt }
}
