// What a reference points at and what the service asks of it: a node's instance runs, an address that is given is on the instance.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, brief, effects, files, instance, said, saved } from './stage.ts'

const own = manifest('K3sCluster', 'main', '')
const node = (on = 'web') => manifest('K3sNode', 'web', `instance: ${on}`)
const off = (of = 'Instance/web') => `plan_impossible K3sNode/web: ${of} is off, and only an instance that runs joins the cluster`
const address = (name: string, spec = '') => manifest('FloatingIp', name, `type: IPv4\nregion: fra-1\nddos: false\n${spec}`)
const dhcp = (spec = 'v4: mail', on = 'web') => manifest('DhcpSettings', 'web', `instance: ${on}\n${spec}`)
const pair = all(instance('web'), instance('api'))

/** Switched off by hand. */
function switchOff(world: World) {
  const { instances } = world.sandbox.world.tables
  for (const one of instances.all()) instances.update(one.id, { online: false })
}

/** The exit code, what was sent, and what the error of this text has: whose it is, a position and a hint. */
async function refused(world: World, texts: Parameters<World['apply']>[0], problem: string) {
  const sent = effects(world)
  const done = await world.apply(texts)
  const found = done.plan.diagnostics.find((one) => `${one.code} ${one.summary}` === problem)
  return [done.exitCode, ...sent, found?.address, typeof found?.position?.line, typeof found?.hint]
}
const by = (address: string) => [3, address, 'number', 'string']

describe('a node on an instance that is off is refused by the plan', () => {
  test.each(['start: false', 'power: OFF', 'start: false\nuefi: true', 'power: OFF\nfirewall_enabled: true'])('as its manifest says: %s', async (spec) => {
    expect(await refused(createWorld(), all(own, instance('web', spec), node()), off())).toEqual(by('K3sNode/web'))
  })
  test.each(['{ id: "${Instance[\'web\'].id}" }', "\"${Instance['web'].id + ''}\"", "\"${vars.x ? Instance['web'].id : Instance['api'].id}\""])(
    'as the manifest of one says that an expression gives: %s',
    async (on) => {
      expect(
        await refused(
          createWorld(),
          files('variables: { x: { type: bool, default: true } }', own, instance('web', 'power: OFF'), instance('api'), node(on)),
          off(),
        ),
      ).toEqual(by('K3sNode/web'))
    },
  )
  test('as it is switched off by this plan, or by a manifest that says nothing else', async () => {
    const world = createWorld()
    await world.apply(all(own, instance('web')))
    expect(await refused(world, all(own, instance('web', 'power: OFF'), node()), off())).toEqual(by('K3sNode/web'))
    switchOff(world)
    expect(await refused(world, all(own, instance('web'), node()), off())).toEqual(by('K3sNode/web'))
    const forgotten = files('removed: [{ address: Instance/web, destroy: false }]', own, node(`{ id: "${world.sandbox.world.tables.instances.all()[0]?.id}" }`))
    expect(await refused(world, forgotten, off())).toEqual(by('K3sNode/web'))
  })
  test('as it is seen to be where it is in no state', async () => {
    const world = createWorld()
    await world.beside().apply(instance('web'))
    const id = world.sandbox.world.tables.instances.all()[0]?.id
    const texts = all(own, node(`{ id: "${id}" }`))
    switchOff(world)
    expect(await refused(world, texts, off(`Instance ${id}`))).toEqual(by('K3sNode/web'))
    expect(await refused(world, all(texts, instance('api')), off(`Instance ${id}`))).toEqual(by('K3sNode/web'))
  })
  test('of a file where it was switched off since, which is stale', async () => {
    const world = createWorld()
    await world.apply(all(own, instance('web')))
    const texts = all(own, instance('web'), node())
    const { plan } = await world.plan(texts)
    switchOff(world)
    const sent = effects(world)
    await expect(world.applySaved(texts, saved(plan))).rejects.toMatchObject({
      exitCode: 6,
      diagnostics: [{ code: 'plan_stale', summary: off().replace('plan_impossible ', '') }],
    })
    expect(sent).toEqual([])
    for (const one of world.sandbox.world.tables.instances.all()) world.sandbox.world.tables.instances.update(one.id, { online: true })
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
  })
  test('from a file, too', async () => {
    const world = createWorld()
    const texts = all(own, instance('web', 'power: OFF'), node())
    const { plan } = await world.plan(texts)
    await expect(world.applySaved(texts, saved(plan))).rejects.toMatchObject({ exitCode: 3 })
  })
})

describe('a node is made on an instance', () => {
  test.each(['', 'power: ON', 'uefi: true', 'power: ON\nfirewall_enabled: true'])('that the plan makes: %s', async (spec) => {
    const texts = all(own, instance('web', spec), node())
    const world = createWorld()
    expect((await world.apply(texts)).exitCode).toBe(0)
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('that the plan starts, and stays one where that is switched off', async () => {
    const world = createWorld()
    await world.apply(all(own, instance('web', 'power: OFF')))
    expect((await world.apply(all(own, instance('web', 'power: ON'), node()))).exitCode).toBe(0)
    expect((await world.apply(all(own, instance('web', 'power: OFF'), node()))).exitCode).toBe(0)
  })
})

describe('settings that give an address', () => {
  const elsewhere = (what = 'FloatingIp/mail', on = 'is on Instance/api') => `plan_impossible DhcpSettings/web: ${what} ${on}, not on Instance/web`
  test.each([
    ['that is made for another instance', all(pair, address('mail', 'instance: api'), dhcp()), elsewhere()],
    ['that is on none', all(pair, address('mail'), dhcp()), elsewhere().replace('is on Instance/api, not', 'is on no instance, and not')],
  ])('%s are refused by the plan', async (_, texts, problem) => {
    expect(await refused(createWorld(), texts, problem)).toEqual(by('DhcpSettings/web'))
  })
  test('that is on another instance are refused by the plan, until it moves the address', async () => {
    const world = createWorld()
    await world.apply(all(pair, address('mail', 'instance: api')))
    expect(await refused(world, all(pair, address('mail', 'instance: api'), dhcp()), elsewhere())).toEqual(by('DhcpSettings/web'))
    const moved = all(pair, address('mail', 'instance: web'), dhcp())
    expect((await world.apply(moved)).exitCode).toBe(0)
    expect(brief((await world.plan(moved)).plan)).toEqual([])
    // What is taken off by the same plan would be given again by each one after it.
    expect(await refused(world, all(pair, address('mail', 'instance: api'), dhcp()), elsewhere())).toEqual(by('DhcpSettings/web'))
  })
  test('that came with another instance are refused by the plan, and those of its own are made', async () => {
    const world = createWorld()
    await world.apply(pair)
    const { instances, ips } = world.sandbox.world.tables
    const of = (name: string) => ips.all().find((one) => one.family === 'IPv4' && one.instanceId === instances.all().find((each) => each.name === name)?.id)?.id
    expect(await refused(world, all(pair, dhcp(`v4: { id: "${of('api')}" }`)), elsewhere(`FloatingIp ${of('api')}`))).toEqual(by('DhcpSettings/web'))
    expect((await world.apply(all(pair, dhcp(`v4: { id: "${of('web')}" }`)))).exitCode).toBe(0)
    expect(await refused(world, all(pair, dhcp(`v4: { id: "${of('api')}" }`)), elsewhere(`FloatingIp ${of('api')}`))).toEqual(by('DhcpSettings/web'))
  })
  test.each([
    ['v4', 'IPv6', 'IPv4'],
    ['v6', 'IPv4', 'IPv6'],
  ])('of the other family as %s are refused by the plan, before what there is is reset', async (field, family, due) => {
    const given = (name: string, type: string) => address(name, 'instance: web').replace('IPv4', type)
    const both = all(pair, given('first', due), given('second', family))
    const problem = (what: string) => `plan_impossible DhcpSettings/web: ${what} is an ${family} address, and ${field} is given an ${due} one`
    expect(await refused(createWorld(), all(both, dhcp(`${field}: second`)), problem('FloatingIp/second'))).toEqual(by('DhcpSettings/web'))
    const world = createWorld()
    const other = field === 'v4' ? 'v6' : 'v4'
    await world.apply(all(both, dhcp(`${other}: second`)))
    expect(await refused(world, all(both, dhcp(`${field}: second`)), problem('FloatingIp/second'))).toEqual(by('DhcpSettings/web'))
    const id = world.sandbox.world.tables.ips.all().find((one) => one.family === family && one.grantedWith !== null)?.id ?? ''
    expect(await refused(world, all(both, dhcp(`${field}: { id: "${id}" }`)), problem(`FloatingIp ${id}`))).toEqual(by('DhcpSettings/web'))
    expect(brief((await world.plan(all(both, dhcp(`${other}: second`)))).plan)).toEqual([])
    expect((await world.apply(all(both, dhcp(`${field}: first`)))).exitCode).toBe(0)
  })
  test('that moves along with what is replaced are made', async () => {
    const world = createWorld()
    const texts = all(pair, address('mail', 'instance: web'), dhcp())
    await world.apply(texts)
    const done = await world.apply(texts.replace('ryzen-4', 'ryzen-8'))
    expect([said(done.plan).filter((one) => one.startsWith('plan_impossible')), done.exitCode]).toEqual([[], 0])
  })
})

test('an address whose instance nobody knows before is left open', async () => {
  const on = "\"${Instance['web'].online ? Instance['web'].id : Instance['api'].id}\""
  const { plan } = await createWorld().plan(all(pair, address('mail', `instance: ${on}`), dhcp()))
  expect(said(plan).filter((one) => one.startsWith('plan_impossible'))).toEqual([])
})

test('what is in no state is read where it is sent, and once', async () => {
  const world = createWorld()
  await world.beside().apply(instance('web'))
  const id = world.sandbox.world.tables.instances.all()[0]?.id ?? ''
  const texts = all(own, node(`{ id: "${id}" }`))
  await world.apply(texts)
  const asked: string[] = []
  world.sandbox.faults.hook = ({ operation }) => void asked.push(`${operation}`)
  await world.plan(texts)
  expect(asked.filter((one) => one === 'getInstance')).toEqual([])
})
