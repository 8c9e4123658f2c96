// A replacement whose old object goes first: nothing goes before it is known that the new one can be made.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, effects, instance } from './stage.ts'

const disk = (backend: string, more = '') => manifest('Disk', 'data', `size: 10GiB\nbackend: ${backend}\nregion: fra-1\n${more || 'name: data'}`)
const custom = manifest(
  'Instance',
  'build',
  'type: CUSTOM\nname: build\ngroup: RYZEN\nregion: fra-1\ncpu: 2\nmemory_bytes: 4GiB\nstorage: [{ size_bytes: 40GiB, boot: true, backing: LOCAL }]',
)

test('what the new one needs is made first, and where that fails the old one stays', async () => {
  const world = createWorld()
  expect((await world.apply(disk('LOCAL'))).exitCode).toBe(0)
  world.sandbox.faults.list.push({ operation: 'createInstance', status: 403, message: 'no', times: 100 })
  const sent = effects(world)
  const after = all(instance('build'), disk('CEPH', 'name: data\ninstance: build'))
  expect((await world.apply(after)).exitCode).toBe(4)
  expect([sent, world.sandbox.world.tables.disks.all().map((one) => one.backend)]).toEqual([['createInstance'], ['LOCAL']])
  world.sandbox.faults.list.length = 0
  expect((await world.apply(after)).exitCode).toBe(0)
  expect(sent.indexOf('createInstance', 1)).toBeLessThan(sent.indexOf('deleteDisk'))
})

test('what does not fit once it is known keeps the old one', async () => {
  const world = createWorld()
  expect((await world.apply(disk('LOCAL'))).exitCode).toBe(0)
  const sent = effects(world)
  const done = await world.apply(all(custom, disk('CEPH', 'name: "data-${Instance[\'build\'].ip4}"')))
  expect([done.exitCode, done.outcome?.failed.map((one) => one.address)]).toEqual([8, ['Disk/data']])
  expect([sent.includes('deleteDisk'), world.sandbox.world.tables.disks.all().find((one) => one.name === 'data')?.backend]).toEqual([false, 'LOCAL'])
})
