// Plans that the order of halves, what is left out, and what ends with others make delicate.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, attachment, brief, cluster, effects, files, instance, rule, said, saved, service, vpc } from './stage.ts'

const rules = (...names: readonly string[]) =>
  all(...names.map((name) => rule(name, 'action: ACCEPT\nport_start: 22').replace('instance: web', `instance: ${name}`)))

describe('a written dependency', () => {
  test('orders no removal after the update of what stays', async () => {
    const world = createWorld()
    const after = 'depends_on: [Vpc/main]'
    await world.apply(all(vpc('main'), instance('web', '', after)))
    const sent = effects(world)
    const done = await world.apply(all(vpc('main', '10.21.0.0/24'), instance('web', 'os_name: Debian', after)))
    expect([done.exitCode, sent]).toEqual([0, ['deleteVpc', 'createVpc', 'updateInstance']])
  })
  test('of a trigger that is replaced orders none either', async () => {
    const world = createWorld()
    const texts = (name: string) =>
      all(
        cluster('PASSWORD: one'),
        manifest('K3sSecret', 'extra', `name: ${name}\ndata: { A: b }`),
        service('shop', '', 'lifecycle: { redeploy_triggered_by: [K3sSecret/extra] }'),
      )
    expect((await world.apply(texts('extra'))).exitCode).toBe(0)
    const sent = effects(world)
    const done = await world.apply(texts('other'))
    expect([done.exitCode, sent]).toEqual([0, ['deleteK3sSecret', 'createK3sSecret', 'redeployK3sService']])
  })
  test('yields nothing where a name holds the old object', async () => {
    const world = createWorld()
    const texts = cluster('PASSWORD: one')
    await world.apply(all(texts, service('shop')))
    const sent = effects(world)
    const done = await world.apply(all(texts.replace(/name: db\n( *)data/, 'name: db-2\n$1data'), service('shop')))
    expect([done.exitCode, sent]).toEqual([0, ['createK3sSecret', 'updateK3sService', 'deleteK3sSecret']])
  })
  test('of what is removed still comes after its own removal', async () => {
    const world = createWorld()
    await world.apply(all(vpc('main'), instance('web', '', 'depends_on: [Vpc/main]')))
    const sent = effects(world)
    await world.destroy()
    expect(sent).toEqual(['deleteInstance', 'deleteVpc'])
  })
})

describe('rules of instances that are not made yet', () => {
  test('have a group for each instance: one that fails stops no other', async () => {
    const world = createWorld()
    world.sandbox.faults.hook = ({ operation, body }) => (operation === 'createInstance' && body?.includes('"bad"') ? { status: 422 } : undefined)
    const done = await world.apply(all(instance('bad', 'name: bad'), instance('web'), rules('bad', 'web')))
    expect(done.plan.changes.filter((one) => one.kind === 'FirewallRule').map((one) => one.group)).toEqual(['firewall:Instance/bad', 'firewall:Instance/web'])
    expect(done.document.resources.map((one) => one.address)).toEqual(['FirewallRule/web', 'Instance/web'])
  })
  test.each([
    ["${Instance['web'][each.value].id}", 'firewall:Instance/web["b"]'],
    ["${Instance['web'][{'on': each.value}.on].id}", 'firewall:Instance/web["b"]'],
    ["${Instance['web'][vars.one].id}", 'firewall:Instance/web["b"]'],
    ["${each.value == 'b' ? Instance['web']['b'].id : ''}", 'firewall:FirewallRule/r["x"] /instance'],
  ])('share the group of theirs where an expression is its id and nothing else: %s', async (id, group) => {
    const world = createWorld()
    const made = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\nname: "${each.key}"', 'for_each: [a, b]')
    const ruled = rule('r', 'action: ACCEPT\nport_start: "${each.key == \'x\' ? 22 : 80}"', 'for_each: { x: b, y: b }').replace(
      'instance: web',
      `instance: "${id}"`,
    )
    const texts = files('variables: { one: { type: string, default: b } }', made, ruled)
    const { plan } = await world.plan(texts)
    const groups = plan.changes.filter((one) => one.kind === 'FirewallRule').map((one) => one.group)
    expect(groups).toEqual([group, group.replace('"x"', '"y"')])
    expect((await world.applySaved(texts, saved(plan))).exitCode).toBe(0)
  })
  test('the names of steps show addresses for what is not known yet', async () => {
    const world = createWorld()
    await world.apply(instance('web', 'vpcs: []'))
    const { plan } = await world.plan(all(vpc('main'), instance('web', 'vpcs: [main]')))
    expect(brief(plan)).toContain('update Instance/web (changed): join VPC Vpc/main')
  })
})

describe('while a deletion is scheduled', () => {
  const scheduled = () => createWorld({ sandbox: { readings: { deletion: 'scheduled', scheduledDeletionMs: 3_600_000 } } })
  const texts = all(instance('web'), rules('web'))
  test('what ends with the instance is no difference', async () => {
    const world = scheduled()
    await world.apply(texts)
    await world.destroy(texts)
    expect(brief((await world.plan('')).plan)).toEqual([])
  })
  test('what ends with an old half is left alone, and is no difference', async () => {
    const world = scheduled()
    await world.apply(texts)
    const sent = effects(world)
    const done = await world.apply(texts, { replace: ['Instance/web'] })
    expect([done.exitCode, sent.toSorted()]).toEqual([0, ['createFirewallRule', 'createInstance', 'deleteInstance']])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    await world.clock.advance(3_700_000)
    const last = await world.apply(texts)
    expect(last.document.resources.map((one) => [one.status, one.deposed])).toEqual([
      ['ready', []],
      ['ready', []],
    ])
  })
})

describe('what is left out', () => {
  test('holds what is replaced: the plan is refused, and says what to take along', async () => {
    const world = createWorld()
    const texts = (range: string) => all(vpc('main', range), instance('web', 'vpcs: [main]'))
    await world.apply(texts('10.20.0.0/24'))
    const { plan } = await world.plan(texts('10.21.0.0/24'), { targets: ['Vpc/main'] })
    expect(brief(plan)).toEqual(['+/- replace Vpc/main (immutable_field): create, delete'])
    expect(said(plan)).toEqual(['plan_impossible Vpc/main cannot be replaced: Instance/web is attached to it, and is left out of this plan'])
    expect(plan.diagnostics[0]?.hint).toBe('take Instance/web along; or leave Vpc/main in place')
  })
  test('makes a replacement impossible where only one can be there', async () => {
    const world = createWorld()
    const texts = all(cluster('PASSWORD: one'), service('shop'))
    await world.apply(texts)
    const next = texts.replace('shop:1', 'shop:2')
    const { plan } = await world.plan(next, { targets: ['K3sSecret/db'], replace: ['K3sSecret/db'] })
    expect(said(plan)).toContainEqual(expect.stringMatching(/^plan_impossible K3sSecret\/db must be replaced, and K3sService\/shop /))
  })
})

test('a first boot whose answer was lost is not asked for again', async () => {
  const world = createWorld({ sandbox: { readings: { powerSame: 'refuse' } } })
  let asked = 0
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'powerInstance') return undefined
    asked += 1
    return asked === 1 ? { reset: 'after' } : undefined
  }
  const done = await world.apply(instance('web', 'os_name: Debian'))
  expect([done.exitCode, done.document.resources[0]?.status]).toEqual([0, 'ready'])
  expect(brief((await world.plan(instance('web', 'os_name: Debian'))).plan)).toEqual([])
})

test('a field of the first boot keeps what the object was made with', async () => {
  const world = createWorld()
  await world.apply(instance('web', 'cloud_init: one'))
  const next = (metadata = '') => instance('web', 'cloud_init: two\nos_name: Debian', metadata)
  await world.apply(next())
  expect(said((await world.plan(next())).plan)).toContainEqual(expect.stringMatching(/^note Instance\/web: cloud_init matters when the object is made/))
  expect(brief((await world.plan(next('lifecycle: { replace_on: [/cloud_init] }'))).plan)).toEqual([expect.stringMatching(/^replace Instance\/web/)])
  const without = instance('web', 'os_name: Ubuntu')
  await world.apply(without)
  expect((await world.plan(without)).plan.diagnostics).toEqual([])
})

test('what has no effect is shown as a note, and as no part of the change', async () => {
  const world = createWorld()
  await world.apply(instance('web', 'os_name: Debian\nsecure_boot: false\ncloud_init: one'))
  const { plan } = await world.plan(instance('web', 'sync_hostname: true\ncloud_init: two'))
  expect(said(plan).filter((one) => one.startsWith('note '))).toHaveLength(3)
  expect(plan.changes[0]).toMatchObject({ steps: ['update'], disruption: 'none', patch: [{ op: 'replace', path: '/sync_hostname', value: true }] })
  const anew = await world.plan(instance('web', 'cloud_init: two'), { replace: ['Instance/web'] })
  expect(anew.plan.changes[0]?.patch.map((one) => one.path)).toEqual(expect.arrayContaining(['/cloud_init', '/os_name']))
})

test('what a manifest leaves to others is no claim of it beside another manifest', async () => {
  const world = createWorld()
  const base = all(vpc('main'), vpc('other', '10.30.0.0/24'))
  await world.apply(all(base, instance('web', 'vpcs: [main]')))
  const left = all(base, instance('web', '', 'lifecycle: { ignore_changes: [/vpcs] }'), attachment('at', 'web', 'other'))
  const done = await world.apply(left)
  expect([done.exitCode, done.plan.diagnostics.filter((one) => one.severity === 'error')]).toEqual([0, []])
  expect(brief((await world.plan(left)).plan)).toEqual([])
})

describe('one object by name and by id', () => {
  const world = createWorld()
  const base = all(cluster('PASSWORD: one'), vpc('main'), instance('web'))
  const withId = (text: string, of: string) => {
    const row = world.sandbox.world.tables.instances.all().find((one) => one.name === of)
    return text.replace(/instance: \w+/, `instance: { id: "${row?.id}" }`)
  }
  const ssh = (name: string) => rule(name, 'action: ACCEPT\nport_start: 22')
  const node = (name: string) => manifest('K3sNode', name, 'instance: worker')
  test.each([
    ['the same rule', () => all(ssh('a'), withId(ssh('b'), 'web')), 'conflict the same rule as FirewallRule/a, on the same instance'],
    ['the same node', () => withId(node('other'), 'worker'), 'duplicate_resource K3sNode/worker and K3sNode/other '],
    [
      'the same pair',
      () => all(attachment('a', 'web', 'main'), withId(attachment('b', 'web', 'main'), 'web')),
      'duplicate_resource VpcAttachment/b and VpcAttachment/a ',
    ],
  ])('is found to be %s twice before anything is made', async (_, texts, expected) => {
    await world.apply(base)
    const sent = effects(world)
    const done = await world.apply(all(base, texts()))
    expect([done.exitCode, sent]).toEqual([3, []])
    expect(said(done.plan).filter((one) => one.startsWith(expected))).toHaveLength(1)
  })
})

describe('an extra disk of an instance that goes', () => {
  /** A service with one disk, attached to the first instance until it is told to detach it. */
  function withDisk() {
    const sent: string[] = []
    let attached = true
    const answer = (value: unknown) => ({ status: 200, headers: {}, text: async () => JSON.stringify(value), chunks: async function* () {} })
    const world = createWorld({
      transport: (inner) => async (request) => {
        const path = request.path.split('?')[0] ?? ''
        if (request.method !== 'GET') sent.push(`${request.method} ${path.replace(/\d{9,}/, 'ID')}`)
        if (path === '/v1/disks/7/detach') {
          attached = false
          return { ...answer({}), status: 204, text: async () => '' }
        }
        const [id] = world.sandbox.world.tables.instances.all().map((one) => one.id)
        const disk = { id: '7', boot: false, instance: attached ? { id } : null }
        if (/^\/v1\/workspaces\/\d+\/disks$/.test(path)) return answer([disk])
        if (path === '/v1/disks/7') return answer(disk)
        return inner(request)
      },
    })
    return { world, sent }
  }
  test.each([
    [
      'a destroy',
      { destroy: true },
      'ryzen-4',
      'delete Instance/web (requested): detach disk 7, delete',
      ['POST /v1/disks/7/detach', 'DELETE /v1/instances/ID'],
    ],
    [
      'a change that replaces',
      {},
      'ryzen-8',
      'replace Instance/web (immutable_field): detach disk 7, delete, create',
      ['POST /v1/disks/7/detach', 'DELETE /v1/instances/ID', 'POST /v1/workspaces/ID/instances'],
    ],
  ] as const)('is detached first by %s', async (_, options, size, line, requests) => {
    const { world, sent } = withDisk()
    await world.apply(instance('web'))
    sent.length = 0
    const done = await world.apply(instance('web').replace('ryzen-4', size), options)
    expect([done.exitCode, brief(done.plan), sent]).toEqual([0, [line], requests])
  })
})
