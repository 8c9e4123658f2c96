// What a template asks of an app: a value for each variable without a default, a port for a domain. Said when planning, as far as the template is known.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld } from '../builders/world.ts'
import { all, instance, said } from './stage.ts'

const app = (template: string, spec = '') => manifest('App', 'orders', `instance: web\ntemplate_id: ${template}\n${spec}`)
const lacks = (name: string) => `unsupported_change App/orders: the template has no value for ${name}, and the app gives none`
const closed = 'unsupported_change App/orders: the template has no port with http true that a domain could lead to'

async function refusals(world: World, texts: string): Promise<readonly string[]> {
  return said((await world.plan(all(instance('web'), texts))).plan).filter((one) => one.startsWith('unsupported'))
}

test.each([
  ['a variable without a default', app('{ name: postgres }'), [lacks('POSTGRES_DB')]],
  ['a variable and a port', app('{ name: postgres }', 'environment: { OTHER: x }\ndomain: shop.apps.sandbox.test'), [lacks('POSTGRES_DB'), closed]],
  ['nothing', app('{ name: postgres }', 'environment: { POSTGRES_DB: orders, ADVERTISED: null }'), []],
  ['nothing, with a domain', app('{ name: nginx }', 'domain: shop.apps.sandbox.test'), []],
  [
    'nothing that is known',
    all(manifest('Disk', 'a', 'size: 1GiB\nbackend: CEPH\nregion: fra-1'), app('{ name: postgres }', "environment: \"${{'POSTGRES_DB': Disk['a'].id}}\"")),
    [],
  ],
])('an app lacks %s', async (_, texts, problems) => {
  expect(await refusals(createWorld(), texts)).toEqual(problems)
})

test('an app that is there lacks nothing, and a template that cannot be read asks for nothing', async () => {
  const world = createWorld()
  const given = app('{ name: postgres }', 'environment: { POSTGRES_DB: orders }')
  await world.apply(all(instance('web'), given))
  const { appTemplates } = world.sandbox.world.tables
  for (const one of appTemplates.all()) appTemplates.update(one.id, { environment: [{ key: 'NEW', value: null, description: null }] })
  expect(await refusals(world, given)).toEqual([])
  const second = given.replaceAll('orders', 'second')
  expect(await refusals(world, all(given, second))).toEqual([lacks('NEW').replace('orders', 'second')])
  world.sandbox.faults.hook = ({ operation }) => (operation === 'getAppTemplate' ? { status: 403 } : undefined)
  expect(await refusals(world, all(given, second))).toEqual([])
})

test('a template that the plan changes is not asked', async () => {
  const template = (value: string) => manifest('AppTemplate', 'shop', `description: sells\nimage: shop:1\nenvironment: [{ key: URL, value: ${value} }]`)
  const world = createWorld({ staff: true })
  await world.apply(template('null'))
  expect(await refusals(world, all(template('null'), app('shop')))).toEqual([lacks('URL')])
  expect(await refusals(world, all(template('x'), app('shop')))).toEqual([])
  expect((await world.apply(all(template('x'), instance('web'), app('shop')))).exitCode).toBe(0)
})
