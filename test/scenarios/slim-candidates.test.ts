// What a lost create may have made, and what is looked up, is judged by the whole record, where lists show little more than names.
import { expect, test } from 'vitest'
import { call } from '../../src/api/calls/call.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, instance, project } from './stage.ts'

const slim = { sandbox: { readings: { lists: 'slim' } } } as const

/** Whatever happens while the first request of an operation is lost on its way. */
function losing(world: World, lost: string, meanwhile: () => Promise<void>): void {
  let isLost = false
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== lost || isLost) return undefined
    isLost = true
    void meanwhile()
    return { reset: 'before' }
  }
}

test('a boot disk is never taken for the disk that was to be made', async () => {
  const world = createWorld(slim)
  const { disks } = world.sandbox.world.tables
  const texts = all(instance('web'), manifest('Disk', 'web', 'name: web\nsize: 20GiB\nbackend: LOCAL\nregion: fra-1', 'depends_on: [Instance/web]'))
  losing(world, 'createDisk', async () => {
    for (const one of disks.all()) if (one.boot) disks.update(one.id, { name: 'web' })
  })
  const { exitCode, document } = await world.apply(all(texts, instance('other')))
  const made = document.resources.find((one) => one.address === 'Disk/web')?.id ?? ''
  expect([exitCode, disks.get(made)?.boot]).toEqual([0, false])
  expect((await world.apply(all(instance('web'), instance('other')))).exitCode).toBe(0)
  expect(disks.all().every((one) => one.boot)).toBe(true)
})

test('a server in another region is never taken for the one that was to be made', async () => {
  const world = createWorld(slim)
  const { instances, plans } = world.sandbox.world.tables
  const plan = plans.all().find((one) => one.name === 'ryzen-4')?.id ?? ''
  losing(world, 'createInstance', async () => {
    const body = { type: 'PLAN', name: 'web', plan, region: 'ams-1', start: true } as const
    await world.run().client.send(call(routes.createInstance, { wid: world.sandbox.workspaceId }, body))
  })
  const { exitCode, document } = await world.apply(instance('web'))
  const [made] = document.resources.map((one) => one.id)
  const theirs = instances.all().filter((one) => one.id !== made)
  expect([exitCode, instances.get(made ?? '')?.region, theirs.map((one) => one.region)]).toEqual([0, 'fra-1', ['ams-1']])
  expect(brief((await world.plan(instance('web'))).plan)).toEqual([])
  expect((await world.destroy()).exitCode).toBe(0)
  expect(instances.all().map((one) => one.id)).toEqual(theirs.map((one) => one.id))
})

test('what is looked up has all that a single read of it shows, and neither a boot disk nor what leaves is meant', async () => {
  const world = createWorld(slim)
  const disk = manifest('Disk', 'data', 'name: data\nsize: 20GiB\nbackend: CEPH\nregion: fra-1')
  expect((await world.beside().apply(all(instance('theirs'), disk))).exitCode).toBe(0)
  const { disks } = world.sandbox.world.tables
  const ours = disks.all().find((one) => !one.boot)
  const boot = disks.all().find((one) => one.boot)
  disks.update(boot?.id ?? '', { name: 'data' })
  const texts = {
    'iac.yaml': project("outputs:\n  size: { value: \"${lookup('Disk', 'data').size}\" }\n  id: { value: \"${lookup('Disk', 'data').id}\" }\n"),
    'main.yaml': '',
  }
  const { document } = await world.apply(texts)
  expect([document.outputs['size'], document.outputs['id']]).toMatchObject([{ value: 20 * 2 ** 30 }, { value: ours?.id }])
})
