// What a reference points at where the apply alone knows which it is, or how that will be: judged right before anything is sent, as planning would have.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, instance, vpc } from './stage.ts'

/** One of two instances, which a network that the same apply makes decides. */
const late = (name: string, from = 'source') => `"\${Vpc['${from}'].id == '' ? Instance['spare'].id : Instance['${name}'].id}"`
const address = (on: string) => manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: false\ninstance: ${on}`)
const dhcp = (on: string) => manifest('DhcpSettings', 'web', `instance: ${on}\nv4: mail`)
const node = (on: string) => manifest('K3sNode', 'web', `instance: ${on}`)
const three = (spec = '') => all(instance('web', spec), instance('api', spec), instance('spare', spec))
const own = manifest('K3sCluster', 'main', '')
const elsewhere = (on: string, wanted: string) => `plan_impossible DhcpSettings/web: FloatingIp/mail is on Instance/${on}, not on Instance/${wanted}`

/** The exit code, what of the kinds that are judged was sent, and what failed: with its place and its way out. */
async function refused(world: World, texts: string) {
  const sent = effects(world)
  const done = await world.apply(texts)
  const failed = (done.outcome?.failed ?? []).map((one) => [`${one.code} ${one.summary}`, typeof one.position?.line, typeof one.hint])
  return { exitCode: done.exitCode, sent: sent.filter((one) => /Dhcp|K3sNode/.test(one)), failed }
}
const only = (problem: string) => ({ exitCode: 8, sent: [], failed: [[problem, 'number', 'string']] })

test('settings of an instance that is known late, with an address that is on another one', async () => {
  const world = createWorld()
  await world.apply(all(three(), address('web')))
  expect(await refused(world, all(three(), address('web'), vpc('source'), dhcp(late('api'))))).toEqual(only(elsewhere('web', 'api')))
})

test('settings with an address whose instance is known late', async () => {
  const texts = (on: string) => all(three(), vpc('source'), address(late(on)), dhcp('web'))
  expect(await refused(createWorld(), texts('api'))).toEqual(only(elsewhere('api', 'web')))
  const world = createWorld()
  expect((await world.apply(texts('web'))).exitCode).toBe(0)
  expect(brief((await world.plan(texts('web'))).plan)).toEqual([])
})

test('settings that would be made anew on an instance that is known late keep those that are there', async () => {
  const world = createWorld()
  await world.apply(all(three(), address('web'), dhcp('web')))
  expect(await refused(world, all(three(), address('web'), vpc('source'), dhcp(late('api'))))).toEqual(only(elsewhere('web', 'api')))
})

test('settings of an instance that is known late, with an address that the same apply puts there', async () => {
  const world = createWorld()
  await world.apply(all(three(), address('api')))
  const texts = all(three(), vpc('source'), address(late('web')), dhcp(late('web')))
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})

test('a node on an instance that is known late and off', async () => {
  const off = 'plan_impossible K3sNode/web: Instance/web is off, and only an instance that runs joins the cluster'
  const texts = (spec: string) => all(own, three(spec), vpc('source'), node(late('web')))
  expect(await refused(createWorld(), texts('power: OFF'))).toEqual(only(off))
  const world = createWorld()
  await world.apply(all(own, three()))
  for (const one of world.sandbox.world.tables.instances.all()) world.sandbox.world.tables.instances.update(one.id, { online: false })
  expect(await refused(world, texts(''))).toEqual(only(off))
  expect((await world.apply(texts('power: ON'))).exitCode).toBe(0)
})
