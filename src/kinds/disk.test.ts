// Disks: made unattached, moved by way of none, grown and never shrunk.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { compatSchema } from '../api/calls/compat.ts'
import { readShape } from './definition/shape.ts'
import { Disk } from './disk.ts'

const desired = { name: 'data', size: 2000, backend: 'LOCAL', region: 'fra-1' } as const
const live = (fields: object = {}) => readShape(Disk.live, { id: '1', ...desired, region: { code: 'fra-1' }, boot: false, state: 'AVAILABLE', ...fields }, {})
const attached = live({ instance: { id: '5', name: 'web' } })

function steps(wanted: object, there?: ReturnType<typeof live>, recorded: object = desired) {
  return Disk.steps(wantedView(Disk, { desired: { ...desired, ...wanted }, recorded, live: there })).map(({ name, call, disruption, sets, clears }) => ({
    name,
    body: call.body,
    ...(disruption && { disruption }),
    ...(clears ? { clears } : { sets }),
  }))
}

test('is made without its instance, and attached then', () => {
  expect(steps({ instance: '5' })).toEqual([
    { name: 'create', body: desired, sets: desired },
    { name: 'attach', body: { instance_id: '5' }, sets: { instance: '5' } },
  ])
})
describe('once it is there', () => {
  test('nothing is done without a change', () => {
    expect(steps({ instance: '5' }, attached, { ...desired, instance: '5' })).toEqual([])
    expect(steps({}, attached)).toEqual([])
  })
  test('it is renamed and grown', () => {
    expect(steps({ name: 'data-2', size: 3000 }, live())).toEqual([
      { name: 'rename', body: { name: 'data-2' }, sets: { name: 'data-2' } },
      { name: 'resize', body: { size: 3000 }, sets: { size: 3000 } },
    ])
  })
  const detach = { name: 'detach', body: undefined, disruption: 'interruption', clears: ['instance'] }
  test('it moves by way of none', () => {
    expect(steps({ instance: '6' }, attached, { ...desired, instance: '5' })).toEqual([
      detach,
      { name: 'attach', body: { instance_id: '6' }, sets: { instance: '6' } },
    ])
  })
  test.each([
    ['null', { instance: null }],
    ['removed', {}],
  ])('it is detached where its instance is %s', (_, wanted) => {
    expect(steps(wanted, attached, { ...desired, instance: '5' })).toEqual([detach])
  })
  test('it is attached again where somebody detached it', () => {
    expect(steps({ instance: '5' }, live({ instance: null }), { ...desired, instance: '5' }).map((step) => step.name)).toEqual(['attach'])
  })
})
describe('its size', () => {
  const problems = (size: number, there = live(), other = {}) =>
    Disk.refuse?.(wantedView(Disk, { desired: { ...desired, ...other, size }, recorded: desired, live: there }), () => undefined).length
  test('never shrinks, but where it is made anew anyway', () => {
    expect([problems(1999), problems(2000), problems(2001)]).toEqual([1, 0, 0])
    expect(problems(1999, live(), { backend: 'CEPH' })).toBe(0)
  })
  test('has a price and a share of the quota once it is known', () => {
    const price = (spec: object) => Disk.price?.({ ...desired, ...spec }, () => undefined, compatSchema.parse({}))
    expect(price({})).toEqual({ rateMicroUsd: 0, estimate: { region: 'fra-1', parts: [{ type: 'STORAGE', storage_bytes: 2000, storage_backing: 'LOCAL' }] } })
    expect(price({ region: '\u0001unknown\u0001Vpc/a /id\u0002' })).toBeUndefined()
    expect(Disk.quota?.(desired, () => undefined)).toEqual({ max_storage_bytes: 2000 })
  })
})
test('boot disks belong to their instances', async () => {
  const reader = cannedReader({ '/v1/workspaces/9/disks': [{ id: '1', boot: true }, { id: '2', boot: false }, { id: '3' }] })
  const all = await Disk.list(reader, cannedAt())
  expect(all.map((one) => Disk.ours?.(one))).toEqual([false, true, true])
})
test('is detached before it is deleted', () => {
  const names = (there: ReturnType<typeof live>) =>
    Disk.removal({ id: '1', workspaceId: '9', recorded: {}, live: there, fresh: false, nowMs: 0 }).map((step) => step.name)
  expect([names(attached), names(live())]).toEqual([['detach', 'delete'], ['delete']])
})
