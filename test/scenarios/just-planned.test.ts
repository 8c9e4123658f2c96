// Plans that were saved and are carried out at once, nothing in between: none of them is refused.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, files, instance, saved, vpc } from './stage.ts'

/** What is left to do once a plan of these texts was saved and carried out. */
async function leftAfter(world: World, texts: Parameters<World['plan']>[0]): Promise<readonly string[]> {
  const done = await world.applySaved(texts, saved((await world.plan(texts)).plan))
  expect(done.exitCode).toBe(0)
  return brief((await world.plan(texts)).plan)
}

const key = 'public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu'

test('what is never made is taken over, by its name and as the only one', async () => {
  const texts = all(manifest('Dedibox', 'db', 'name: metal-1'), manifest('UserProfile', 'me', 'name: Ada Lovelace'))
  expect(await leftAfter(createWorld(), texts)).toEqual([])
})

test('what is never made is renamed and moved', async () => {
  const world = createWorld()
  await world.apply(files('', manifest('Dedibox', 'db', 'name: metal-1')))
  expect(await leftAfter(world, files('moved: [{ from: Dedibox/db, to: Dedibox/main }]', manifest('Dedibox', 'main', 'name: metal-one')))).toEqual([])
})

test('a text with the id of something new stands in a field that is replaced', async () => {
  const world = createWorld()
  await world.apply(instance('web', 'vpcs: []'))
  const next = all(vpc('main'), instance('web', 'vpcs: [main]\ncloud_init: "vpc=${Vpc[\'main\'].id}"').replace('ryzen-4', 'ryzen-8'))
  const { plan } = await world.plan(next)
  expect(brief(plan)).toContain('replace Instance/web (immutable_field): delete, create')
  expect(await leftAfter(world, next)).toEqual([])
})

test('an old half is still leaving', async () => {
  const world = createWorld({ sandbox: { readings: { deletion: 'scheduled' } } })
  const sized = (plan: string): string => instance('web', '', 'lifecycle: { create_before_destroy: true }').replace('ryzen-4', plan)
  await world.apply(sized('ryzen-4'))
  await world.apply(sized('ryzen-8'))
  const { plan } = await world.plan(sized('ryzen-2'))
  expect(plan.changes).toMatchObject([
    { action: 'no-op', deposed: true },
    { action: 'replace', create_before_destroy: true },
  ])
  expect((await world.applySaved(sized('ryzen-2'), saved(plan))).exitCode).toBe(0)
})

test('a key depends on the instance that it is there for', async () => {
  const world = createWorld()
  await world.apply(instance('web'))
  expect(await leftAfter(world, all(instance('web'), manifest('SshKey', 'deploy', key, 'depends_on: [Instance/web]')))).toEqual([])
})

test('a key and the instance that it depends on are made and deleted together, and others wait for the key', async () => {
  const world = createWorld()
  const texts = all(instance('web'), instance('api'), manifest('SshKey', 'deploy', key, 'depends_on: [Instance/web]'))
  const { plan } = await world.plan(texts)
  expect(plan.changes.map((one) => [one.address, one.requires])).toEqual([
    ['Instance/web', []],
    ['SshKey/deploy', ['Instance/web']],
    ['Instance/api', []],
  ])
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect((await world.destroy(texts)).exitCode).toBe(0)
})

test('a key comes before the instances that are made with it, and is no need of theirs afterwards', async () => {
  const world = createWorld()
  const ops = (name: string) => manifest('SshKey', 'ops', `name: ${name}\n${key}`)
  const texts = all(ops('ops-team'), instance('web'))
  const { plan } = await world.plan(texts)
  expect(plan.changes.map((one) => one.address)).toEqual(['SshKey/ops', 'Instance/web'])
  expect(await leftAfter(world, texts)).toEqual([])
  expect((await world.plan(texts)).plan.changes.map((one) => one.depends_on)).toEqual([[], []])
  const renamed = all(ops('ops-crew'), instance('web').replace('ryzen-4', 'ryzen-8'))
  expect(brief((await world.plan(renamed)).plan)).toEqual([
    'replace SshKey/ops (immutable_field): delete, create',
    'replace Instance/web (immutable_field): delete, create',
  ])
  expect(brief((await world.plan(renamed, { targets: ['Instance/web'] })).plan)).toEqual(['replace Instance/web (immutable_field): delete, create'])
  expect(brief((await world.plan(renamed, { excludes: ['SshKey/ops'] })).plan)).toEqual(['replace Instance/web (immutable_field): delete, create'])
  expect(await leftAfter(world, renamed)).toEqual([])
})

test('a workspace is moved and gets a setting', async () => {
  const world = createWorld()
  const team = (name: string, spec = ''): string => manifest('Workspace', name, `name: team-one\n${spec}`)
  await world.apply(files('', team('side')))
  const next = files(
    'moved: [{ from: Workspace/side, to: Workspace/prod }]',
    team('prod', 'disable_ssh_password: true'),
    vpc('net', '10.1.0.0/24', 'workspace: prod'),
  )
  expect(await leftAfter(world, next)).toEqual([])
})

test.each(['null', 'absent'] as const)('a disk is taken over and put on an instance that is new (empty members: %s)', async (emptyMembers) => {
  const world = createWorld({ sandbox: { readings: { emptyMembers } } })
  const disk = (on: string, metadata = '') => manifest('Disk', 'data', `name: data-disk\nsize: 10GiB\nbackend: LOCAL\nregion: fra-1\n${on}`, metadata)
  await world.beside().apply(disk(''))
  expect(await leftAfter(world, all(instance('web'), disk('instance: web', 'import: { name: data-disk }')))).toEqual([])
})
