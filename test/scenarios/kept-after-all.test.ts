// What stays although a plan, made of what was remembered or of several blocks, could take it for what goes.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, project, saved, vpc } from './stage.ts'

describe('a plan made without a refresh', () => {
  test.each([
    ['Instance', 'instance.create', instance('web', '', 'lifecycle: { prevent_destroy: true }')],
    ['Disk', 'disk.create', manifest('Disk', 'data', 'size: 10GiB\nbackend: LOCAL\nregion: fra-1', 'lifecycle: { prevent_destroy: true }')],
  ])('replaces no %s whose making failed and that is up by now', async (kind, operation, text) => {
    const world = createWorld({ sandbox: { courses: [{ operation, outcome: 'FAILED', leaves: 'failed' }] } })
    expect((await world.apply(text)).exitCode).toBe(8)
    const { instances, disks } = world.sandbox.world.tables
    if (kind === 'Instance') for (const { id } of instances.all()) instances.update(id, { state: 'AVAILABLE', online: true })
    else for (const { id } of disks.all()) disks.update(id, { state: 'AVAILABLE' })
    const { plan } = await world.plan(text, { unread: true })
    expect(brief(plan)).toEqual([expect.stringMatching(/^replace .*\(failed\)/)])
    const sent = effects(world)
    await expect(world.applySaved(text, saved(plan))).rejects.toMatchObject({ exitCode: 6 })
    expect(sent).toEqual([])
    expect((await world.apply(text)).exitCode).toBe(0)
    expect(sent).toEqual([])
  })
})

describe('a removed block that retains', () => {
  const blocks = (text: string) => ({ 'iac.yaml': project(text), 'main.yaml': vpc('other', '10.9.0.0/24') })
  test.each([
    ['with a move away', 'moved: [{ from: Vpc/alpha, to: Vpc/gone }]\nremoved: [{ address: Vpc/alpha, destroy: false }]\n'],
    [
      'with two moves away',
      'moved: [{ from: Vpc/alpha, to: Vpc/beta }, { from: Vpc/beta, to: Vpc/gone }]\nremoved: [{ address: Vpc/alpha, destroy: false }]\n',
    ],
    ['by the new name', 'moved: [{ from: Vpc/alpha, to: Vpc/gone }]\nremoved: [{ address: Vpc/gone, destroy: false }]\n'],
  ])('retains what it names, %s', async (_, text) => {
    const world = createWorld()
    await world.apply({ ...blocks(''), 'alpha.yaml': vpc('alpha') })
    const { plan } = await world.plan(blocks(text))
    expect(brief(plan).filter((one) => one.startsWith('delete'))).toEqual([])
    expect(await world.apply(blocks(text))).toMatchObject({ exitCode: 0, outcome: { destroyed: 0, forgotten: 1 } })
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
  })

  test('retains the keys of a for_each that moved', async () => {
    const world = createWorld()
    const keyed = vpc('alpha', '10.3.0.0/24', 'for_each: [a]')
    await world.apply({ ...blocks(''), 'alpha.yaml': keyed })
    const text = 'moved: [{ from: Vpc/alpha, to: Vpc/gone }]\nremoved: [{ address: Vpc/alpha, destroy: false }]\n'
    expect(await world.apply(blocks(text))).toMatchObject({ exitCode: 0, outcome: { destroyed: 0 } })
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(2)
  })
})

test('all of it is gone where nothing keeps it', async () => {
  const world = createWorld()
  await world.apply(all(vpc('alpha'), vpc('other', '10.9.0.0/24')))
  expect(await world.apply(vpc('other', '10.9.0.0/24'))).toMatchObject({ outcome: { destroyed: 1 } })
})
