// Floating IPs: made, named and attached in this order, moved by way of none, and found again only while they are unattached.
import { describe, expect, test } from 'vitest'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { readShape } from './definition/shape.ts'
import { FloatingIp } from './floating-ip.ts'

const desired = { type: 'IPv4', region: 'fra-1', ddos: false } as const
const live = (fields: object = {}) => readShape(FloatingIp.live, { id: '1', family: 'ipv4', address: '203.0.113.9', instance: null, ...fields }, {})

function steps(wanted: object, there?: ReturnType<typeof live>, recorded: object = {}) {
  const view = wantedView(FloatingIp, { desired: { ...desired, ...wanted }, recorded: { ...desired, ...recorded }, live: there })
  return FloatingIp.steps(view).map(({ name, call }) => [name, call.body])
}
const attach = (instance: string) => ['attach', { ip_id: '1', instance_id: instance }]
const detach = ['detach', { ip_id: '1' }]

test('is made, named and attached', () => {
  expect(steps({})).toEqual([['create', desired]])
  expect(steps({ dns: 'a.example.com', instance: '5' })).toEqual([['create', desired], ['set reverse DNS', { dns: 'a.example.com' }], attach('5')])
})
describe('once it is there', () => {
  const recorded = { dns: 'a.example.com', instance: '5' }
  const there = live({ ...recorded, instance: { id: '5' } })
  test('nothing is done without a change', () => {
    expect(steps(recorded, there, recorded)).toEqual([])
    expect(steps({}, there)).toEqual([])
  })
  test('it gets its name between two instances', () => {
    expect(steps({ dns: 'b.example.com', instance: '6' }, there, recorded)).toEqual([detach, ['set reverse DNS', { dns: 'b.example.com' }], attach('6')])
  })
  test.each([
    ['removed', {}],
    ['null', { instance: null }],
  ])('it is detached where the instance is %s, and gets its default name back where that is removed', (_, wanted) => {
    expect(steps(wanted, there, recorded)).toEqual([detach, ['reset reverse DNS', undefined]])
  })
})
test('is told from others by its family, where it is seen to be unattached', () => {
  const key = (there: ReturnType<typeof live>) => FloatingIp.naturalKey(FloatingIp.toSpec(there))
  expect(FloatingIp.naturalKey(desired)).toBe('IPv4')
  expect([key(live()), key(live({ instance: '5' })), key(readShape(FloatingIp.live, { id: '1', type: 'IPv4' }, {}))]).toEqual(['IPv4', undefined, undefined])
})
test('one that shows another region or protection is not what was asked for', () => {
  const can = (fields: object) => FloatingIp.canBe?.(live(fields), desired)
  expect([can({}), can({ region: { code: 'fra-1' } }), can({ region: 'FRA-1' }), can({ region: 'Frankfurt 1', ddos: false })]).toEqual([true, true, true, true])
  expect([can({ region: { code: 'ams-1' } }), can({ region: 'ams-1' }), can({ ddos: true })]).toEqual([false, false, false])
})
test('only IPv4 is protected', () => {
  const problems = (type: 'IPv4' | 'IPv6', ddos: boolean) => FloatingIp.check?.({ ...desired, type, ddos }).length
  expect([problems('IPv4', true), problems('IPv6', false), problems('IPv6', true)]).toEqual([0, 0, 1])
})
test('counts against the limit of its family and the one of all', () => {
  expect(FloatingIp.quota?.({ ...desired, type: 'IPv6' }, () => undefined)).toEqual({ max_floating_ipv4: 0, max_floating_ipv6: 1, max_floating_ips: 1 })
})
test('is detached before it is deleted', () => {
  const names = (there: ReturnType<typeof live>) =>
    FloatingIp.removal({ id: '1', workspaceId: '9', recorded: {}, live: there, fresh: false, nowMs: 0 }).map((step) => step.name)
  expect([names(live({ instance: '5' })), names(live())]).toEqual([['detach', 'delete'], ['delete']])
})
