// Texts that name a whole for_each and are evaluated while a plan is carried out: they see what the manifests declare, in one order.
import { expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, files, instance, saved, vpc } from './stage.ts'

const each = (kind: 'Vpc' | 'Instance', keys: string): string =>
  kind === 'Vpc'
    ? vpc('net', '10.20.0.0/24', `for_each: [${keys}]`).replace('name: net-net', 'name: "net-${each.key}"')
    : instance('web', '', `for_each: [${keys}]`)
const joined = "${Instance['web'].map(k, k + '=' + Instance['web'][k].ip4).join(',')}"
const told = (text: string, metadata = '') => vpc('told', '10.30.0.0/24', metadata).replace('of told', text)
const descriptionOf = (world: World): string | undefined => world.sandbox.world.tables.vpcs.all().find((one) => one.name === 'told-net')?.description
const keysTold = (world: World) => descriptionOf(world)?.replaceAll(/=[\d.]+/g, '')

test.each([['fresh'], ['saved']])('keys stand in the order of their bytes when it is planned and when it is made, %s', async (how) => {
  const world = createWorld()
  const run = async (texts: string) => (how === 'fresh' ? world.apply(texts) : world.applySaved(texts, saved((await world.plan(texts)).plan)))
  const wanted = all(each('Instance', 'blue, amber'), told(`"${joined}"`))
  expect([(await run(wanted)).exitCode, keysTold(world)]).toEqual([0, 'amber,blue'])
  expect(brief((await world.plan(wanted)).plan)).toEqual([])
  const more = all(each('Instance', 'green, blue, amber'), told(`"${joined}"`))
  expect([(await run(more)).exitCode, keysTold(world)]).toEqual([0, 'amber,blue,green'])
  expect(brief((await world.plan(more)).plan)).toEqual([])
})

test.each([['fresh'], ['saved']])('a key that goes is not in it any more, %s', async (how) => {
  const world = createWorld()
  await world.apply(each('Instance', 'a, b'))
  const wanted = all(each('Instance', 'a, c'), told(`"${joined}"`))
  const done = how === 'fresh' ? await world.apply(wanted) : await world.applySaved(wanted, saved((await world.plan(wanted)).plan))
  expect([done.exitCode, keysTold(world)]).toEqual([0, 'a,c'])
  expect(brief((await world.plan(wanted)).plan)).toEqual([])
})

const single = vpc('net', '10.20.0.0/24')
const member = (to: string) => instance('web', `vpcs: ['${to}']`)
const named = (to: string) => told(`"\${${to}.id}"`)

test.each([
  ['from keys to none', each('Vpc', 'q'), 'net["q"]', "Vpc['net']['q']", single, 'net', "Vpc['net']"],
  ['from none to keys', single, 'net', "Vpc['net']", each('Vpc', 'q'), 'net["q"]', "Vpc['net']['q']"],
])('%s in one plan, with what refers to it', async (_, before, reference, text, after, next, nextText) => {
  const world = createWorld()
  expect((await world.apply(all(before, member(reference), named(text)))).exitCode).toBe(0)
  const wanted = all(after, member(next), named(nextText))
  expect((await world.apply(wanted)).exitCode).toBe(0)
  expect(brief((await world.plan(wanted)).plan)).toEqual([])
})

test('what is left out under the same name changes nothing of it', async () => {
  const world = createWorld()
  await world.apply(each('Vpc', 'q'))
  const wanted = all(single, named("Vpc['net']"))
  expect((await world.apply(wanted, { excludes: ['Vpc/net["q"]'] })).exitCode).toBe(0)
  expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(3)
})

test('a for_each without keys is an empty map beside what is not known yet', async () => {
  const world = createWorld()
  const wanted = files(
    'variables: { zones: { type: list, default: [] } }',
    each('Instance', '').replace('[]', '"${vars.zones}"'),
    vpc('main'),
    told(`"x${joined} \${Vpc['main'].id}"`),
  )
  const done = await world.applySaved(wanted, saved((await world.plan(wanted)).plan))
  expect(done.exitCode).toBe(0)
  expect(descriptionOf(world)).toMatch(/^x \d+$/)
})
