// What a plan advises: in words for people, at the right time, and with the line to paste.
import { describe, expect, test } from 'vitest'
import { diagnosticsText } from '../../src/cli/render/diagnostics/diagnostic-text.ts'
import { noColours } from '../../src/cli/render/text/palette.ts'
import type { Plan } from '../../src/engine/model/plan-data.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, cluster, files, instance, rule, said, service, vpc } from './stage.ts'

describe('no diagnostic holds a token', () => {
  const deny = rule('deny', 'action: DROP\nport_start: 80')
  const secret = files(
    'variables: { note: { type: string, sensitive: true, default: quiet } }',
    instance('web', 'vpcs: []'),
    rule('own', 'action: DROP\ndescription: "${vars.note}"'),
  )
  test.each([
    ['rules of an instance that is not made yet', all(instance('web'), deny, rule('again', 'action: ACCEPT\nport_start: 80'))],
    ['sensitive values', secret],
    ['services on a cluster that is not made yet', all(cluster('A: b'), service('shop', 'replicas: 5'))],
    ['a vpc of an unknown name', all(vpc('main'), manifest('Vpc', 'two', 'name: "n-${Vpc[\'main\'].vlan}"\ndescription: d\nrange: 10.20.0.0/24'))],
  ])('%s', async (_, texts) => {
    const { plan } = await createWorld().plan(texts)
    const told = plan.diagnostics.map((one) => [one.summary, one.detail, one.hint].join(' ')).join('\n')
    expect(told).not.toMatch(/[\u0001\u0002]/)
    expect(JSON.stringify(plan)).not.toMatch(/\\u000[12]/)
  })
  test('a step that the role does not allow is named by address', async () => {
    const world = createWorld()
    await world.apply(instance('web', 'vpcs: []'))
    const { members } = world.sandbox.world.tables
    members.update(members.all()[0]?.id ?? '', { accessLevel: 'VIEWER' })
    const { plan } = await world.plan(all(vpc('main'), instance('web', 'vpcs: [main]')))
    expect(said(plan)).toContainEqual(expect.stringMatching(/^advice Instance\/web: join VPC Vpc\/main needs the role /))
  })
  test('an instance that is not made yet is named', async () => {
    const { plan } = await createWorld().plan(all(instance('web'), deny))
    expect(said(plan)).toContainEqual('advice no rule of Instance/web accepts TCP 22: SSH will be dropped')
  })
})

describe('rules that let nothing in', () => {
  test('of many instances are told once, with the addresses of these', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const { plan } = await createWorld().plan(
      all(...names.flatMap((name) => [instance(name), rule(name, 'action: ACCEPT\nport_start: 22').replace('instance: web', `instance: ${name}`)])),
    )
    expect(plan.diagnostics.map(({ code, address }) => `${code} ${address}`)).toEqual(names.map((name) => `advice Instance/${name}`))
    const text = diagnosticsText(plan.diagnostics, noColours)
    expect(text.match(/return traffic/g)).toHaveLength(1)
    expect(text).toMatch(
      /^warning: no rule of Instance\/a accepts return traffic over TCP or UDP: [^]*\n {2}and 4 more like this: Instance\/b, Instance\/c, Instance\/d, Instance\/e\n$/,
    )
  })
  const ssh = rule('ssh', 'action: ACCEPT\nport_start: 22')
  const back = all(
    rule('back', 'action: ACCEPT\nport_start: 1024\nport_end: 65535'),
    rule('udp', 'action: ACCEPT\nport_start: 1024\nport_end: 65535').replace('TCP', 'UDP'),
  )
  const web = rule('http', 'action: ACCEPT\nport_start: 80')
  const warned = (found: Parameters<typeof said>[0]) => said(found).filter((one) => one.startsWith('advice '))

  test('are none while others do that nobody manages here', async () => {
    const world = createWorld()
    await world.beside().apply(all(instance('web'), ssh, back))
    const id = world.sandbox.world.tables.instances.all()[0]?.id
    const byId = (text: string) => text.replace('instance: web', `instance: { id: "${id}" }`)
    expect(warned((await world.plan(byId(web))).plan)).toEqual([])
    const never = byId(rule('late', 'action: DROP\nport_start: 22\npriority: 1').replace('priority', 'remote: 203.0.113.0/24\n  priority'))
    const { firewallRules } = world.sandbox.world.tables
    const [first] = firewallRules.all()
    firewallRules.update(first?.id ?? '', { priority: 9 })
    expect(warned((await world.plan(byId(never))).plan)).toEqual([
      `advice FirewallRule/late: never decides: FirewallRule ${first?.id}, which is in no state, has a higher priority and matches all of it`,
    ])
  })
  test('are none while what is left out does, or stays though it is forgotten', async () => {
    const world = createWorld()
    const texts = all(instance('web'), ssh, back, web)
    await world.apply(texts)
    const narrower = all(instance('web'), ssh.replace('port_start: 22', 'port_start: 2222'), back, web)
    expect(warned((await world.plan(narrower, { excludes: ['FirewallRule/ssh'] })).plan)).toEqual([])
    expect(warned((await world.plan(narrower)).plan)).toHaveLength(1)
    const retained = files('removed: [{ address: FirewallRule/ssh, destroy: false }]\n', instance('web'), back, web)
    expect(warned((await world.plan(retained)).plan)).toEqual([])
  })
  test('are warned of where the rule that would is not made in this plan', async () => {
    const world = createWorld()
    await world.apply(all(instance('web'), back))
    const { plan } = await world.plan(all(instance('web'), back, ssh), { excludes: ['FirewallRule/ssh'] })
    expect(warned(plan)).toEqual([expect.stringContaining('no rule of Instance/web accepts TCP 22')])
  })
})

describe('another name', () => {
  const linesIn = ({ plan }: { readonly plan: Plan }) =>
    plan.diagnostics.flatMap((one) => (/ would be deleted, and /.test(one.summary) ? [one.hint?.replace(/^.*under moved: */, '')] : []))
  const advised = async (before: string, after: string) => {
    const world = createWorld()
    await world.apply(before)
    const lines = linesIn(await world.plan(after))
    // What is pasted is taken, and makes nothing else necessary.
    const mended = files(lines.length === 0 ? '' : `moved:\n  ${lines.join('\n  ')}`, after)
    if (lines.length > 0) expect(linesIn(await world.plan(mended))).toEqual([])
    return lines
  }
  const net = (name: string, range = '10.20.0.0/24', metadata = '') => manifest('Vpc', name, `description: d\nrange: ${range}`, metadata)
  const nets = (name: string, keys: string, range = '10.20.0.0/24') => net(name, range, `for_each: [${keys}]`)

  test('brings the line to paste', async () => {
    expect(await advised(vpc('main'), vpc('main').replace('name: main\n', 'name: core\n'))).toEqual(['- { from: Vpc/main, to: Vpc/core }'])
  })
  test('also where the name of the object follows', async () => {
    expect(await advised(net('main'), net('core'))).toEqual(['- { from: Vpc/main, to: Vpc/core }'])
    expect(await advised(net('main'), net('main', '10.20.0.0/24', 'for_each: [a]'))).toEqual(['- { from: Vpc/main, to: \'Vpc/main["a"]\' }'])
  })
  test('is that of the very name at the service, before one whose name only follows', async () => {
    const named = (name: string, own: string) => manifest('Vpc', name, `name: ${own}\ndescription: d\nrange: 10.20.0.0/24`)
    expect(await advised(all(net('core'), named('other', 'main')), net('main'))).toEqual(['- { from: Vpc/other, to: Vpc/main }'])
    const keyed = `- { from: Vpc/net-b, to: 'Vpc/net["b"]' }`
    expect(await advised(all(net('net-a'), net('net-b')), nets('net', 'b'))).toEqual([keyed])
  })
  test('brings one line for all keys of a for_each', async () => {
    expect(await advised(nets('net', 'a, b, c'), nets('nets', 'a, b, c'))).toEqual(['- { from: Vpc/net, to: Vpc/nets }'])
    expect(await advised(nets('net', 'a, b, c'), nets('nets', 'b, c'))).toEqual(['- { from: Vpc/net, to: Vpc/nets }'])
    expect(await advised(nets('net', 'a, b, c'), nets('nets', 'b, c, d'))).toEqual([
      '- { from: Vpc/net, to: Vpc/nets }',
      `- { from: 'Vpc/net["a"]', to: 'Vpc/nets["d"]' }`,
    ])
  })
  test('brings a line for each key where not all of them moved alike', async () => {
    const keys = (from: string, to: string, all: readonly string[]) => all.map((key) => `- { from: 'Vpc/${from}["${key}"]', to: 'Vpc/${to}["${key}"]' }`)
    expect(await advised(nets('net', 'a, b, c'), all(nets('net', 'a'), nets('nets', 'b, c')))).toEqual(keys('net', 'nets', ['b', 'c']))
    expect(await advised(nets('net', 'a, b'), all(nets('one', 'a'), nets('two', 'b')))).toEqual([...keys('net', 'one', ['a']), ...keys('net', 'two', ['b'])])
    expect(await advised(all(nets('one', 'a'), nets('two', 'b')), nets('net', 'a, b'))).toEqual([...keys('one', 'net', ['a']), ...keys('two', 'net', ['b'])])
    const ranges = (name: string, b: string) => net(name, '"${each.value}"', `for_each: { a: 10.1.0.0/24, b: ${b} }`)
    expect(await advised(ranges('net', '10.2.0.0/24'), ranges('nets', '10.3.0.0/24'))).toEqual(keys('net', 'nets', ['a']))
  })
  test('of many names the old and the new address', async () => {
    const world = createWorld()
    const names = ['net-a', 'net-b', 'net-c', 'net-d', 'net-e']
    await world.apply(all(...names.map((name, at) => net(name, `10.${at}.0.0/24`))))
    const { plan } = await world.plan(all(...names.map((name, at) => net(`${name}2`, `10.${at}.0.0/24`))))
    const text = diagnosticsText(plan.diagnostics, noColours)
    expect(text.match(/would be deleted/g)).toHaveLength(1)
    expect(text).toContain(`  and 4 more like this: ${['b', 'c', 'd', 'e'].map((one) => `Vpc/net-${one} -> Vpc/net-${one}2`).join(', ')}\n`)
  })
  test('is none where the specs differ', async () => {
    expect(await advised(net('main'), net('core', '10.21.0.0/24'))).toEqual([])
    expect(await advised(all(net('main'), net('core')), net('core'))).toEqual([])
  })
})

describe('a field of the first boot', () => {
  const web = (more = '') => instance('web', `os_name: Debian\nstart: true\n${more}`)
  test('of an instance whose making goes on has no note', async () => {
    const world = createWorld()
    world.sandbox.faults.hook = ({ operation }) => (operation === 'powerInstance' ? { status: 422 } : undefined)
    await world.apply(web())
    world.sandbox.faults.hook = undefined
    const { plan } = await world.plan(web())
    expect(plan.changes).toMatchObject([{ address: 'Instance/web', reason: 'resumed' }])
    expect(said(plan)).toEqual([])
    const other = await world.plan(web('uefi: true'))
    expect(said(other.plan).filter((one) => one.includes('start matters'))).toEqual([])
  })
})
