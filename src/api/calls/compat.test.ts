// What settings of the API's open questions may say, and what they may never lead to.
import { describe, expect, test } from 'vitest'
import { compatSchema } from './compat.ts'
import { isOpenRequest, pathFault } from './open-path.ts'

const accepts = (settings: object): boolean => compatSchema.safeParse(settings).success

describe('the calls for floating IPs', () => {
  test.each([
    { path: '/v1/commands/attach-ip' },
    { path: '/v1/commands/detach' },
    { path: '/v1/commands/network/assign_address', method: 'PATCH' },
    { path: '/v1/commands/ips/{id}/attach', ip: null },
    { path: '/v1/networking/ips/{id}/instance', ip: null, method: 'PUT' },
    { path: '/v1/networking/ips/{id}', ip: null, method: 'PATCH' },
    { path: '/v1/networking/ips/attach' },
  ])('can be %j', (command) => {
    expect(accepts({ attach_ip: command })).toBe(true)
    expect(accepts({ detach_ip: command })).toBe(true)
  })

  test.each([
    { method: 'DELETE' },
    { method: 'GET' },
    { method: 'DELETE', path: '/v1/instances/1152921504607016201', ip: null, instance: null },
    { path: '/v1/instances/{id}/power' },
    { path: '/v1/networking/ips' },
    { path: '/v1/networking/ips/' },
    { path: '/v1/networking/ips/1152921504607016201/attach' },
    { path: '/v1/networking/ips/{id}/attach/{id}' },
    { path: '/v1/networking/ips/{iid}/attach' },
    { path: '/v1/networking/ips/../../instances/{id}' },
    { path: '/v1/networking/ips/./attach' },
    { path: '/v1/networking/ips/%2e%2e/%2e%2e/instances' },
    { path: '/v1/networking/ips/attach%2f..' },
    { path: '/v1/networking/ips//attach' },
    { path: '/v1/networking/ips/attach/' },
    { path: '/v1/networking/ips/attach?x=1' },
    { path: '/v1/networking/ips/attach#x' },
    { path: '/v1/networking/ips/attach\\..' },
    { path: '/v1/networking/ips/attach\n' },
    { path: '//host/v1/networking/ips/attach' },
    { path: 'https://host/v1/networking/ips/attach' },
    { path: '/V1/networking/ips/attach' },
    { path: '/v1/networking/ips/@me' },
    { path: '/v1/networking/ips/{id}/dns', method: 'PUT', instance: 'dns' },
    { path: '/v1/commands/dedibox-reset-vnc', ip: 'dedibox_id' },
    { path: '/v1/commands/reset-password', ip: 'ip_id', instance: 'instance_id' },
    { path: '/v1/commands/suspend-networking' },
    { path: '/v1/commands/zip-all' },
    { ip: null },
    { ip: 'same', instance: 'same' },
    { ip: '__proto__' },
    { ip: 'a"b' },
  ])('cannot be %j', (command) => {
    expect(accepts({ attach_ip: command })).toBe(false)
    expect(accepts({ detach_ip: command })).toBe(false)
  })

  test('are told by what is sent, too', () => {
    expect(isOpenRequest('POST', '/v1/networking/ips/1152921504607016201/attach')).toBe(true)
    expect(isOpenRequest('PUT', '/v1/networking/ips/5/dns')).toBe(false)
    expect(isOpenRequest('DELETE', '/v1/networking/ips/5/attach')).toBe(false)
    expect(isOpenRequest('POST', '/v1/networking/ips/5/6')).toBe(false)
    expect(pathFault('/v1/commands/attach-ip')).toBeUndefined()
  })
})

test.each([
  { settle_window: '7h' },
  { read_grace: '365d' },
  { busy_retry: '9007199254740991ms' },
  { page_size: 0 },
  { page_size: 1e9 },
  { fields: { 'Vpc.vlan': 'vlan' } },
  { fields: { 'Vpc.vlan': '/' } },
  { fields: { 'Vpc.vlan': '/a'.repeat(17) } },
  { fields: { 'Vpc.vlan': `/${'a'.repeat(65)}` } },
  { fields: { vlan: '/a' } },
  { wrapper: { workflow: '__proto__' } },
  { workspace_flags: { other: 'X' } },
])('%j is refused', (settings) => {
  expect(accepts(settings)).toBe(false)
})
