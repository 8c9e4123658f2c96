// Values on their way through plans: for_each, references to what is made in the same plan, expressions with unknown parts.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, files, instance, rule, vpc } from './stage.ts'

const zones = (list: string) =>
  files(
    `variables: { zones: { type: list, default: ${list} } }`,
    vpc('net', '10.20.0.0/24', 'for_each: "${vars.zones}"').replace('name: net-net', 'name: net-${each.key}'),
  )

test('for_each makes one resource per key and removes those whose key went', async () => {
  const world = createWorld()
  expect((await world.apply(zones('[one, two]'))).document.resources.map((one) => one.address)).toEqual(['Vpc/net["one"]', 'Vpc/net["two"]'])
  const done = await world.apply(zones('[two, three]'))
  expect(brief(done.plan).toSorted()).toEqual(['create Vpc/net["three"] (new): create', 'delete Vpc/net["one"] (removed): delete'])
  expect(done.document.resources.map((one) => one.address)).toEqual(['Vpc/net["three"]', 'Vpc/net["two"]'])
  expect((await world.apply(zones('[]'))).outcome).toMatchObject({ destroyed: 2 })
})

test('a reference to what is made in the same plan is unknown, and known when it is sent', async () => {
  const world = createWorld()
  const texts = all(vpc('main'), instance('web', 'vpcs: [main]'))
  const { plan } = await world.plan(texts)
  expect(plan.changes.at(-1)).toMatchObject({
    address: 'Instance/web',
    after: { vpcs: [null] },
    after_unknown: ['/vpcs/0'],
    unresolved: { '/vpcs/0': "${Vpc['main'].id}" },
    requires: ['Vpc/main'],
  })
  const done = await world.apply(texts)
  const [id] = done.document.resources.filter((one) => one.kind === 'Vpc').map((one) => one.id)
  expect(done.document.resources.find((one) => one.kind === 'Instance')?.spec).toMatchObject({ vpcs: [id] })
  expect((await world.plan(texts)).plan.summary).toMatchObject({ no_op: 2 })
})

test('an expression over an output is evaluated when the output is known', async () => {
  const world = createWorld()
  const texts = {
    'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: shop\noutputs: { web: { value: "http://${Instance[\'web\'].ip4}/" } }\n',
    'main.yaml': all(
      instance('web'),
      rule('own', "action: ACCEPT\nlocal: \"${Instance['web'].ip4}/32\"\ndescription: \"for ${Instance['web'].name}, ${Instance['web'].id}\""),
    ),
  }
  const { plan } = await world.plan(texts)
  expect(plan.changes.at(-1)).toMatchObject({ after_unknown: expect.arrayContaining(['/instance', '/local', '/description']) })
  expect(plan.outputs).toEqual({ web: { expression: "http://${Instance['web'].ip4}/" } })
  const done = await world.apply(texts)
  expect(done.exitCode).toBe(0)
  const web = done.document.resources.find((one) => one.kind === 'Instance')
  const ip4 = typeof web?.outputs.ip4 === 'string' ? web.outputs.ip4 : 'none'
  const own = done.document.resources.find((one) => one.kind === 'FirewallRule')
  expect(own?.spec).toMatchObject({ local: `${ip4}/32`, description: `for web, ${web?.id}` })
  expect(done.document.outputs).toEqual({ web: { value: `http://${ip4}/`, sensitive: false } })
  expect((await world.plan(texts)).plan.summary).toMatchObject({ no_op: 2 })
})

test('a known side decides for an unknown one, and elements beside an unknown one stay known', async () => {
  const world = createWorld()
  const names = "vpcs: [\"${true ? Vpc['main'].id : Vpc['data'].id}\", data]"
  const { plan } = await world.plan(all(vpc('main'), vpc('data', '10.30.0.0/24'), instance('web', `${names}\nuefi: "\${true || Vpc['main'].id == '1'}"`)))
  const change = plan.changes.find((one) => one.kind === 'Instance')
  expect(change).toMatchObject({ after: { uefi: true }, after_unknown: ['/vpcs/0', '/vpcs/1'] })
})

test('a workspace is made in the plan that puts things into it', async () => {
  const world = createWorld()
  const texts = all(
    manifest('Workspace', 'team', 'name: team-one\ndisable_ssh_password: true'),
    vpc('main', '10.20.0.0/24', 'workspace: team'),
    instance('web', 'vpcs: [main]', 'workspace: team'),
  )
  const { plan } = await world.plan(texts)
  expect(brief(plan)[0]).toBe('create Workspace/team (new): create, update')
  expect(plan.changes.find((one) => one.kind === 'Vpc')).toMatchObject({
    workspace_id: null,
    workspace_address: 'Workspace/team',
    requires: ['Workspace/team'],
  })
  const done = await world.apply(texts)
  expect(done.exitCode).toBe(0)
  const team = done.document.resources.find((one) => one.kind === 'Workspace')
  expect(done.document.resources.filter((one) => one.kind !== 'Workspace').map((one) => one.workspace_id)).toEqual([team?.id, team?.id])
  expect((await world.plan(texts)).plan.summary).toMatchObject({ no_op: 3 })
})

test('a value of the wrong type that only the apply knows is refused with its place, and nothing is sent for it', async () => {
  const world = createWorld()
  const texts = all(
    vpc('main'),
    vpc('other', '10.30.0.0/24').replace('of other', () => `"\${Vpc['main'].id == '' ? 'never' : ['a']}"`),
    instance('web', 'vpcs: [main]'),
  )
  const sent = effects(world)
  const done = await world.apply(texts)
  expect(done.exitCode).toBe(8)
  expect(done.outcome?.failed).toMatchObject([
    { code: 'invalid_value', address: 'Vpc/other', summary: 'Vpc/other: description must be a text, got a list', position: { line: 18 } },
  ])
  expect([sent.filter((one) => one === 'createVpc').length, done.outcome?.added]).toEqual([1, 2])
})

test('a whole number that only the apply knows is an id of as many digits', async () => {
  const world = createWorld()
  await world.apply(vpc('data', '10.40.0.0/24'))
  const [{ id } = { id: '' }] = world.sandbox.world.tables.vpcs.all()
  const late = all(vpc('data', '10.40.0.0/24'), vpc('main'), instance('web', `vpcs: ["\${Vpc['main'].id == '' ? 0 : int('${id}')}"]`))
  const done = await world.apply(late)
  expect([done.exitCode, done.document.resources.find((one) => one.kind === 'Instance')?.spec['vpcs']]).toEqual([0, [id]])
  expect(brief((await world.plan(late)).plan)).toEqual([])
})

test('a sensitive value that its kind takes for none is none', async () => {
  const world = createWorld()
  const texts = all(instance('web'), rule('ssh', 'action: ACCEPT\nport_start: 22\nremote: "${sensitive(\'0.0.0.0/0\')}"\ndescription: "${sensitive(\'\')}"'))
  expect((await world.apply(texts)).exitCode).toBe(0)
  expect(brief((await world.plan(texts)).plan)).toEqual([])
})
