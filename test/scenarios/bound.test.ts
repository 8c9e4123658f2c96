// What cannot be without another object, or needs it as it is: left out it keeps that one, told to stay it counts as destroyed with it.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, said, vpc } from './stage.ts'

const around = all(vpc('main'), manifest('K3sCluster', 'main', ''), instance('other'))
const kinds: readonly (readonly [string, string])[] = [
  ['K3sNode', ''],
  ['DhcpSettings', ''],
  ['VpcAttachment', 'vpc: main'],
  ['Disk', 'size: 10GiB\nbackend: LOCAL\nregion: fra-1'],
]
const on = (kind: string, spec: string, where: string, metadata = '') => manifest(kind, 'one', `instance: ${where}\n${spec}`, metadata)

async function standing(kind: string, spec: string, metadata = ''): Promise<World> {
  const world = createWorld()
  expect((await world.apply(all(around, instance('web'), on(kind, spec, 'web', metadata)))).exitCode).toBe(0)
  return world
}

describe.each(kinds)('%s', (kind, spec) => {
  test('left out keeps the instance that it is on, though its manifest says another one now', async () => {
    const world = await standing(kind, spec)
    const wanted = all(around, on(kind, spec, 'other'))
    const sent = effects(world)
    const done = await world.apply(wanted, { excludes: [`${kind}/one`] })
    expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [], []])
    expect((await world.apply(wanted)).exitCode).toBe(0)
    expect(brief((await world.plan(wanted)).plan)).toEqual([])
  })
})

describe.each(kinds.slice(0, 3))('%s that ignores where it is to be', (kind, spec) => {
  const ignoring = 'lifecycle: { ignore_changes: [/instance] }'
  const guarded = 'lifecycle: { ignore_changes: [/instance], prevent_destroy: true }'
  const gone = (metadata: string) => all(around, on(kind, spec, 'other', metadata))
  const replaced = (metadata: string) => all(around, instance('web').replace('ryzen-4', 'ryzen-8'), on(kind, spec, 'web', metadata))
  test.each([
    ['goes', gone],
    ['is replaced', replaced],
  ])('counts as destroyed where its instance %s, and is protected', async (_, wanted) => {
    const world = await standing(kind, spec, ignoring)
    const { plan } = await world.plan(wanted(ignoring))
    expect(brief(plan)).toContainEqual(`replace ${kind}/one (immutable_field): delete, create`)
    const sent = effects(world)
    expect((await world.apply(wanted(ignoring), {}, { maxDestroy: plan.summary.delete })).exitCode).toBe(5)
    const refused = await world.apply(wanted(guarded))
    expect(refused.exitCode).toBe(5)
    expect(said(refused.plan)).toContainEqual(expect.stringMatching(new RegExp(`^guard_protected ${kind}/one `)))
    expect(sent).toEqual([])
  })
})
