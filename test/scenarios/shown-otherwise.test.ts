// Answers in forms that the document leaves open: none of them makes anything anew, or twice.
import { describe, expect, test } from 'vitest'
import type { WireRequest, WireResponse } from '../../src/api/transport/wire.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance } from './stage.ts'

type Inner = (request: WireRequest) => Promise<WireResponse>

/** A service whose answers about servers and disks are altered before they arrive. */
const altering =
  (alter: (text: string) => string) =>
  (inner: Inner): Inner =>
  async (request) => {
    const answer = await inner(request)
    if (!/instances|disks/.test(request.path)) return answer
    return { ...answer, text: async (most) => alter(await answer.text(most)) }
  }

const disk = (name: string, spec = ''): string => manifest('Disk', name, `size: 10GiB\nbackend: LOCAL\nregion: fra-1\n${spec}`)
const custom = (storage: string): string =>
  manifest('Instance', 'own', `type: CUSTOM\ngroup: RYZEN\ncpu: 2\nmemory_bytes: 4GiB\nregion: fra-1\nstorage: [${storage}]`)
const boot = '{ size_bytes: 20GiB, boot: true, backing: LOCAL }'
const more = '{ size_bytes: 10GiB, boot: false, backing: LOCAL }'

describe('a region', () => {
  test.each([['{"id":"fra-1","name":"Frankfurt 1"}'], ['{"name":"Frankfurt 1"}'], ['{"id":"77","code":"fra-1"}'], ['"FRA-1"'], ['"Frankfurt 1"']])(
    'that is shown as %s is the one that was asked for',
    async (shown) => {
      const world = createWorld({ transport: altering((text) => text.replaceAll('"region":"fra-1"', `"region":${shown}`)) })
      const texts = all(instance('web'), disk('data'))
      expect((await world.apply(texts)).exitCode).toBe(0)
      expect(brief((await world.plan(texts)).plan)).toEqual([])
      await world.apply(texts, { refreshOnly: true })
      expect(brief((await world.plan(texts)).plan)).toEqual([])
      const moved = all(instance('web'), disk('data').replace('fra-1', 'ams-1'))
      expect(brief((await world.plan(moved)).plan)).toEqual([expect.stringMatching(/^replace Disk\/data/)])
    },
  )

  test('that is shown by its name makes no second one of what was lost on the way', async () => {
    const world = createWorld({ transport: altering((text) => text.replaceAll('"region":"fra-1"', '"region":{"name":"Frankfurt 1"}')) })
    const lost = new Set(['createDisk', 'createInstance'])
    world.sandbox.faults.hook = ({ operation }) => (lost.delete(`${operation}`) ? { reset: 'after' } : undefined)
    const texts = all(instance('web'), disk('data'))
    await world.apply(texts)
    expect((await world.apply(texts)).exitCode).toBe(0)
    const { disks, instances } = world.sandbox.world.tables
    expect([disks.all().filter(({ name }) => name === 'data').length, instances.all().length]).toEqual([1, 1])
  })

  test('of nodes of its own is refused by the plan where the workspace has none, before anything goes', async () => {
    const world = createWorld()
    const texts = all(instance('web'), disk('data'))
    await world.apply(texts)
    const sent = effects(world)
    const { plan } = await world.plan(texts.replaceAll('fra-1', 'PRIVATE_CLOUD'))
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ address }) => address)).toEqual(['Disk/data', 'Instance/web'])
    expect((await world.apply(texts.replaceAll('fra-1', 'PRIVATE_CLOUD'))).exitCode).toBe(3)
    expect(sent).toEqual([])
  })
})

describe('a server with sizes of its own', () => {
  test.each([
    [
      'without a type, with a plan',
      (text: string) => text.replaceAll(/"type":"CUSTOM",?/g, '').replaceAll('"plan":null', '"plan":{"id":"99","name":"custom-2-4"}'),
    ],
    ['with its disks in another order', (text: string) => text.replaceAll(/"storage":\[(\{[^}]*\}),(\{[^}]*\})\]/g, '"storage":[$2,$1]')],
    ['with a disk that has grown', (text: string) => text.replaceAll('"size_bytes":21474836480', '"size_bytes":42949672960')],
    [
      'with a disk more',
      (text: string) => text.replaceAll(/"storage":\[(\{[^}]*\})/g, '"storage":[{"size_bytes":1073741824,"boot":false,"backing":"CEPH"},$1'),
    ],
  ])('is the one that was asked for, shown %s', async (_, alter) => {
    const world = createWorld({ transport: altering(alter) })
    const texts = custom(`${boot}, ${more}`)
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    await world.apply(texts, { refreshOnly: true })
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    expect(brief((await world.plan(custom(boot))).plan)).toEqual([expect.stringMatching(/^replace Instance\/own/)])
  })
})
