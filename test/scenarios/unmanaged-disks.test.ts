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
