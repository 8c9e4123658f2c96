// Disks in no state on an instance that goes: taken off, since the service might delete them, and named, since they stay and cost.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, said, vpc } from './stage.ts'

const custom = (cpu: number, more = '{ size_bytes: 10GiB, boot: false, backing: LOCAL }') =>
  manifest(
    'Instance',
    'own',
    `type: CUSTOM\ngroup: RYZEN\ncpu: ${cpu}\nmemory_bytes: 4GiB\nregion: fra-1\nstorage: [{ size_bytes: 60GiB, boot: true, backing: LOCAL }, ${more}]`,
  )
const disk = (on: string) => manifest('Disk', 'data', `size: 20GiB\nbackend: LOCAL\nregion: fra-1\ninstance: ${on}`)

describe('a disk that an instance was made with', () => {
  test.each([
    ['goes', vpc('main')],
    ['is replaced', all(custom(4), vpc('main'))],
  ])('stays where that %s, and plan and apply say so', async (_, texts) => {
    const world = createWorld()
    await world.apply(all(custom(2), vpc('main')))
    const { disks } = world.sandbox.world.tables
    const extra = disks.all().find((one) => !one.boot)
    const words = `disk ${extra?.name} (id ${extra?.id})`
    expect(said((await world.plan(texts)).plan)).toEqual([`advice Instance/own: its deletion leaves behind what nobody manages: ${words}`])
    world.events.length = 0
    expect((await world.apply(texts)).exitCode).toBe(0)
    const notes = world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : []))
    expect(notes).toContain(`Instance/own: what was taken off it stays and costs, and nothing manages it: ${words}`)
    expect(disks.all().find((one) => one.id === extra?.id)).toMatchObject({ instanceId: null })
  })
  test.each([
    ['goes', vpc('main'), 0],
    ['is replaced', all(custom(4), vpc('main')), 1],
  ])('costs as before where that %s, and what was attached since is no difference', async (_, texts, made) => {
    const hourly = async (text: string) => Number((await createWorld().plan(text)).plan.cost?.hourly_after)
    const world = createWorld()
    await world.apply(all(custom(2), vpc('main')))
    const id = world.sandbox.world.tables.instances.all()[0]?.id
    expect((await world.beside().apply(disk(`{ id: "${id}" }`))).exitCode).toBe(0)
    const { plan } = await world.plan(texts)
    expect(said(plan)).toEqual([expect.stringMatching(/leaves behind what nobody manages: disk .* disk data /)])
    const left = await hourly(disk('null').replace('20GiB', '10GiB'))
    expect(left).toBeGreaterThan(0)
    expect(plan.cost).toMatchObject({ hourly_before: String(await hourly(custom(2))), unpriced: [] })
    expect(Number(plan.cost?.hourly_after)).toBe(left + made * (await hourly(custom(4))))
  })
  test('is no matter of a disk that is in the state, whether it stays or goes as well', async () => {
    const world = createWorld()
    const texts = (cpu: number) => all(custom(cpu, '').replace(', ]', ']'), disk('own'))
    await world.apply(texts(2))
    expect(said((await world.plan(texts(4))).plan)).toEqual([])
    world.events.length = 0
    expect((await world.apply(texts(4))).exitCode).toBe(0)
    expect((await world.destroy(texts(4))).exitCode).toBe(0)
    expect(world.events.flatMap((one) => (one.type === 'note' ? [one.diagnostic.summary] : [])).filter((one) => one.includes('disk'))).toEqual([])
  })
})
