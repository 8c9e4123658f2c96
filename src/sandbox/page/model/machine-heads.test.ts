// What is told of instances, disks and addresses.
import { expect, test } from 'vitest'
import { instance, modelOf } from '../../../../test/builders/page-look.ts'
import { machineHeads } from './machine-heads.ts'

const GIB = 1024 ** 3
const ip = { workspace_id: 'w', dns: null, granted_with: null, instance_id: 'a', state: 'AVAILABLE' }
const disk = { workspace_id: 'w', name: 'data', size_bytes: 50 * GIB, boot: false, instance_id: 'a', state: 'AVAILABLE' }
const model = modelOf({
  instances: [instance('a'), instance('own', { plan_id: null, os_name: null })],
  ips: [
    { ...ip, id: 'f', address: '198.51.100.1', dns: 'mail.example.test' },
    { ...ip, id: 'g', address: '203.0.113.7', granted_with: 'a' },
    { ...ip, id: 'free', address: '198.51.100.2', instance_id: null },
  ],
  disks: [
    { ...disk, id: 'b', name: 'system', size_bytes: 20 * GIB, boot: true },
    { ...disk, id: 'd' },
  ],
  vpcs: [{ id: 'x', workspace_id: 'w', name: 'backend', range: '10.0.0.0/24' }],
  memberships: [
    { id: 'm', vpc_id: 'x', instance_id: 'a', address: '10.0.0.2' },
    { id: 'n', vpc_id: 'gone', instance_id: 'a', address: '10.0.1.2' },
  ],
  apps: [{ id: 'p', workspace_id: 'w', name: 'blog', image: 'blog:1', template_name: 'blog', instance_id: 'a', domain: null, state: 'AVAILABLE' }],
  dediboxes: [{ id: 'm', workspace_id: 'w', name: 'metal', region: 'fra-1', plan_id: 'p', online: true }],
  dediboxIps: ['m', 'another'].map((id) => ({ id, workspace_id: 'w', dedibox_id: id, address: `203.0.113.${id.length}` })),
})
const told = (table: string, id: string) => machineHeads[table]?.(model, id)

test('an instance with all that hangs on it, and one with nothing', () => {
  expect(told('instances', 'a')?.facts).toEqual([
    ['plan', 'small'],
    ['size', '2 cpu · 4 GiB'],
    ['region', 'fra-1'],
    ['system', 'Debian 13'],
    ['addresses', '198.51.100.1 (floating) mail.example.test\n203.0.113.7'],
    ['disks', 'system 20 GiB (boot)\ndata 50 GiB'],
    ['networks', 'backend 10.0.0.2\ngone 10.0.1.2'],
    ['apps', 'blog blog:1 available'],
  ])
  expect(told('instances', 'own')?.facts).toEqual([
    ['size', '2 cpu · 4 GiB'],
    ['region', 'fra-1'],
  ])
})

test('disks and addresses say what they hang on, if on anything', () => {
  expect(told('disks', 'd')).toMatchObject({
    kind: 'disk',
    title: 'data',
    state: { word: 'available' },
    facts: [
      ['size', '50 GiB'],
      ['attached to', 'a'],
    ],
  })
  expect(told('ips', 'f')).toMatchObject({
    kind: 'floating IP',
    title: '198.51.100.1',
    facts: [
      ['dns', 'mail.example.test'],
      ['attached to', 'a'],
    ],
  })
  expect(told('ips', 'g')).toMatchObject({ kind: 'address', facts: [['attached to', 'a']] })
  expect(told('ips', 'free')).toMatchObject({ kind: 'floating IP', facts: [] })
})

test('a dedicated server has its own addresses alone', () => {
  expect(told('dediboxes', 'm')?.facts).toContainEqual(['addresses', '203.0.113.1'])
})

test.each(Object.keys(machineHeads))('of %s that are gone nothing is told', (table) => {
  expect(told(table, 'gone')).toBeUndefined()
})
