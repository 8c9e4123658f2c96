// Dedicated servers, which exist already: section "Dediboxes".
import * as z from 'zod'
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { defined } from '../../request/defined.ts'
import { listing } from '../../request/exchange.ts'
import { among, equals, filtered, named, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { NOT_ALLOWED, rule } from '../../request/rules.ts'
import { summaryOf, summaryOrNull } from '../../request/summaries.ts'
import type { DediboxRow } from '../../store/dedibox-rows.ts'
import { isBusy, startWorkflow } from '../../time/workflow-engine.ts'
import type { World } from '../../world.ts'
import { secretOf } from '../../world.ts'
import { commandRules } from '../command-rules.ts'
import { regionView } from './placement.ts'

const commands = { routes: ['powerDedibox', 'resetDediboxVnc'] } as const

const rules = [
  ...commandRules('dediboxes', 'dedibox', commands.routes, { body: 'dedibox_id' }, ({ world, body }) => world.tables.dediboxes.get(body.dedibox_id)),
  rule({
    ...commands,
    id: 'dediboxes.busy',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    status: 409,
    message: 'a workflow on the dedibox is under way',
    broken: ({ world, body }) => world.readings.busyDediboxes === 'refuse' && isBusy(world, 'dediboxes', body.dedibox_id),
  }),
  rule({
    id: 'dediboxes.power-same',
    section: 'Errors',
    quote: NOT_ALLOWED,
    assumed: true,
    routes: ['powerDedibox'],
    status: 409,
    message: 'the dedibox is in that state already',
    broken({ world, body: { dedibox_id: id, action } }) {
      // A power cycle leads to no state that it could be in.
      if (world.readings.powerSame !== 'refuse' || action === 'POWER_CYCLE') return false
      return (action === 'POWER_ON') === world.tables.dediboxes.get(id)?.online
    },
  }),
]

const powerInput = z.object({ action: z.enum(['POWER_ON', 'POWER_OFF', 'POWER_CYCLE']) })

/** Lists, renames, switches dediboxes, and gives their consoles new tokens. */
export const dediboxesArea = area(
  {
    listDediboxes({ world, params, query }) {
      const rows = filtered(world.tables.dediboxes.by('workspace', params.wid), [
        among(query.id, (row) => row.id),
        named(world, query.name),
        equals(query.region, (row) => row.region),
        equals(query.online, (row) => row.online),
        search(query.q, (row) => [row.name, row.region, row.id]),
      ])
      return listing('dedibox', rows, (row) => itemOf(world, row), 'oldest')
    },
    getDedibox: ({ world, caller, params }) => ({
      kind: 'dedibox',
      view: detailOf(world, found(world.tables.dediboxes.get(params.id), 'dedibox'), caller.staff),
    }),
    updateDedibox: ({ world, caller, params, body: { name } }) => ({
      kind: 'dedibox',
      view: detailOf(world, world.tables.dediboxes.update(params.id, defined({ name })), caller.staff),
    }),
    powerDedibox({ world, body: { dedibox_id: id, action } }) {
      const { workspaceId } = found(world.tables.dediboxes.get(id), 'dedibox')
      return { workflow: startWorkflow(world, { operation: 'dedibox.power', workspaceId, subject: { table: 'dediboxes', id }, input: { action } }) }
    },
    resetDediboxVnc({ world, body: { dedibox_id: id } }) {
      const { workspaceId } = found(world.tables.dediboxes.get(id), 'dedibox')
      return { workflow: startWorkflow(world, { operation: 'dedibox.reset-vnc', workspaceId, subject: { table: 'dediboxes', id } }) }
    },
  },
  {
    rules,
    effects: {
      'dedibox.power': {
        done({ tables }, { subject: { id }, input }) {
          tables.dediboxes.update(id, { online: powerInput.parse(input).action !== 'POWER_OFF' })
          return undefined
        },
      },
      'dedibox.reset-vnc': {
        done({ tables }, { subject: { id } }) {
          const { vnc } = found(tables.dediboxes.get(id), 'dedibox')
          tables.dediboxes.update(id, { vnc: { ...vnc, resets: vnc.resets + 1 } })
          return undefined
        },
      },
    },
  },
)

function itemOf(world: World, { id, name, region, online, planId, workspaceId }: DediboxRow): JsonObject {
  return {
    id,
    name,
    region: regionView(world, region),
    online,
    plan: summaryOf(world.tables.plans, planId),
    owner: summaryOf(world.tables.workspaces, workspaceId),
  }
}

/** "`vnc.host` is internal and omitted from user-scoped responses". */
function detailOf(world: World, row: DediboxRow, isStaff: boolean): JsonObject {
  const { host, port, proxied, resets } = row.vnc
  const vnc = { ...(isStaff ? { host } : {}), port, token: secretOf(world, `vnc/${row.id}/${resets}`), proxied }
  return { ...itemOf(world, row), iso: summaryOrNull(world.tables.images, row.isoId), vnc }
}
