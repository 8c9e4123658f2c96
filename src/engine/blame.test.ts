// Whom a list of workflows blames: by the object that it names, by its sort where it names none, and nobody else.
import { expect, test } from 'vitest'
import { changeFor } from '../../test/builders/change.ts'
import type { Call } from '../api/calls/call.ts'
import { ApiError } from '../api/calls/call.ts'
import type { JsonValue } from '../base/json.ts'
import { kinds } from '../kinds/registry.ts'
import type { ResourceRecord, StateDocument } from '../state/record.ts'
import type { Asking } from './blame.ts'
import { blame } from './blame.ts'

const written = (command: string, time: string, serial: number): StateDocument => ({
  format: 'iac-state/v1',
  tool_version: '0.0.0',
  lineage: 'l',
  serial,
  written: { time, command },
  salt: '',
  project: 'p',
  environment: null,
  resources: [],
  outputs: {},
})

const recordOf = (address: string, id: string, spec: ResourceRecord['spec'] = {}): ResourceRecord => ({
  address,
  kind: address.split('/')[0] ?? '',
  id,
  workspace_id: '1',
  status: 'ready',
  spec,
  outputs: {},
  depends_on: [],
  protected: false,
  on_remove: 'delete',
  deposed: [],
  origins: {},
  uncertain: [],
})

const workflow = (number: number, name: string, data: JsonValue, started = '2026-01-01T10:00:00Z'): JsonValue => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  name,
  state: 'COMPLETED',
  started,
  duration: 1,
  data,
})

interface Given {
  readonly items?: readonly JsonValue[]
  readonly own?: string
  readonly documents?: readonly StateDocument[]
  readonly aheadMs?: number
  readonly fails?: number
}

/** The ends of the ids of who is blamed, with ? where that is not certain, and since when. */
async function blamed(record: ResourceRecord, { items = [], own, documents = [written('apply', '2026-01-01T09:00:00Z', 1)], aheadMs = 0, fails }: Given) {
  const asked: Call[] = []
  const run: Asking = {
    kinds,
    clock: { wall: () => 0 },
    client: {
      serverNow: () => aheadMs,
      async all(call) {
        asked.push(call)
        if (fails !== undefined) throw new ApiError(fails, '', 'GET /v1/workspaces/{wid}/workflows')
        return [...items]
      },
    },
  }
  const store = {
    read: async () => ({ document: documents[0], entries: [], torn: false }),
    history: async () => documents.map((one) => one.serial),
    generation: async (serial: number) => documents.find((one) => one.serial === serial) ?? written('', '', serial),
  }
  const open = own === undefined ? [] : [{ workflowId: own }]
  const resources = new Map([[record.address, record]])
  const drift = [changeFor({ address: record.address, kind: record.kind, id: record.id, action: 'update' })]
  const { since, objects } = await blame(run, store, drift, { resources, open: JSON.parse(JSON.stringify(open)) })
  return { since, asked, names: objects[0]?.workflows.map((one) => `${one.id.slice(-1)}${one.certain ? '' : '?'}`) }
}

const disk = recordOf('Disk/data', '9')
const dhcp = recordOf('DhcpSettings/web', '7', { instance: '7' })

test.each([
  ['one that names it', disk, [workflow(1, 'disk.attach', { disk_id: '9', instance_id: '7' }), workflow(2, 'disk.attach', { disk_id: '8' })], ['1']],
  ['one in whose data it is an object', disk, [workflow(1, 'volume.move', { volume: { id: 9 } })], ['1']],
  ['of its sort those that name no object, and not for certain', disk, [workflow(1, 'disk.resize', null), workflow(2, 'instance.power', null)], ['1?']],
  ['the latest first', disk, [workflow(1, 'disk.resize', null), workflow(2, 'disk.resize', null, '2026-01-01T11:00:00Z')], ['2?', '1?']],
  [
    'none that began before, or does not tell when',
    disk,
    [workflow(1, 'disk.resize', null, '2026-01-01T08:59:00Z'), workflow(2, 'disk.resize', null, 'later')],
    [],
  ],
  ['none that only has to do with what it hangs on', dhcp, [workflow(1, 'instance.power', { instance_id: '7' }), workflow(2, 'instance.power', null)], []],
  ['of its sort one that names what it hangs on', dhcp, [workflow(1, 'dhcp.set', { instance_id: '7' }), workflow(2, 'dhcp.set', { instance_id: '8' })], ['1']],
  ['nobody where there is nothing that is a workflow', disk, [null, 7, 'x', { id: '9' }], []],
] as const)('blames %s', async (_, record, items, names) => {
  expect((await blamed(record, { items })).names).toEqual(names)
})

test('nobody is blamed where the service does not list workflows, nor by what is unfinished here', async () => {
  expect((await blamed(disk, { fails: 403 })).names).toEqual([])
  expect((await blamed(disk, { items: [workflow(1, 'disk.resize', null)], own: '00000000-0000-4000-8000-000000000001' })).names).toEqual([])
})

test('what was imported later is blamed on nothing that was before', async () => {
  const items = [workflow(1, 'disk.resize', { disk_id: '9' }), workflow(2, 'disk.resize', { disk_id: '9' }, '2026-01-01T13:00:00Z')]
  const imported = { ...written('import', '2026-01-01T12:00:00Z', 2), resources: [disk] }
  const later = { ...written('power', '2026-01-01T12:30:00Z', 3), resources: [disk] }
  expect(await blamed(disk, { items, documents: [later, imported, written('apply', '2026-01-01T09:00:00Z', 1)] })).toMatchObject({
    since: '2026-01-01T09:00:01.000Z',
    names: ['2'],
  })
  expect(await blamed(disk, { items, documents: [imported] })).toMatchObject({ since: '2026-01-01T12:00:01.000Z', names: ['2'] })
  const other = { ...imported, resources: [disk, recordOf('Disk/other', '8')] }
  const before = { ...written('apply', '2026-01-01T09:00:00Z', 1), resources: [disk] }
  expect((await blamed(disk, { items, documents: [other, before] })).names).toEqual(['2', '1'])
})

test('looks since the last run that saw the service, by the clock of that', async () => {
  const apply = written('apply', '2026-01-01T09:00:00Z', 1)
  expect((await blamed(disk, {})).since).toBe('2026-01-01T09:00:01.000Z')
  expect((await blamed(disk, { aheadMs: 60_000 })).since).toBe('2026-01-01T09:01:01.000Z')
  expect((await blamed(disk, { documents: [written('state mv', '2026-01-01T12:00:00Z', 2), apply] })).since).toBe('2026-01-01T09:00:01.000Z')
  expect((await blamed(disk, { documents: [written('power', '2026-01-01T12:00:00Z', 2), apply] })).since).toBe('2026-01-01T09:00:01.000Z')
  expect((await blamed(disk, { documents: [written('apply (override a)', '2026-01-01T12:00:00Z', 2), apply] })).since).toBe('2026-01-01T12:00:01.000Z')
  const unknown = await blamed(disk, { documents: [], items: [workflow(1, 'disk.resize', null)] })
  expect([unknown.since, unknown.names, unknown.asked[0]?.query]).toEqual([null, ['1?'], undefined])
})
