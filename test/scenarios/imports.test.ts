// Taking over what exists, and what must not be taken over.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, instance, rule, said, saved, vpc } from './stage.ts'

/** A world in which a VPC `main-net` exists that no state holds, and its id. */
async function withVpc() {
  const world = createWorld()
  const made = await world.beside().apply(vpc('main'))
  return { world, id: made.document.resources[0]?.id ?? '' }
}

describe('metadata.import', () => {
  test('takes over an object that is as declared, without a call', async () => {
    const { world, id } = await withVpc()
    const sent = effects(world)
    const done = await world.apply(vpc('main', '10.20.0.0/24', `import: { id: "${id}" }`))
    expect(brief(done.plan)).toEqual(['import Vpc/main (new): '])
    expect(done.plan.summary).toMatchObject({ import: 1, update: 0 })
    expect(done.outcome).toMatchObject({ imported: 1, changed: 0, added: 0 })
    expect(sent).toEqual([])
    expect(brief((await world.plan(vpc('main', '10.20.0.0/24', `import: { id: "${id}" }`))).plan)).toEqual([])
  })
  test('changes what differs, and counts in both', async () => {
    const { world, id } = await withVpc()
    const done = await world.apply(vpc('main', '10.20.0.0/24', `import: { id: "${id}" }`).replace('of main', 'taken over'))
    expect(brief(done.plan)).toEqual(['import Vpc/main (new): update'])
    expect(done.plan.summary).toMatchObject({ import: 1, update: 1 })
    expect(done.outcome).toMatchObject({ imported: 1, changed: 1 })
    expect(world.sandbox.world.tables.vpcs.all()).toEqual([expect.objectContaining({ id, description: 'taken over' })])
  })
  test.each([
    ['as it is where nobody declares power', '', ['import Instance/web (new): '], false],
    ['and starts it where it is to be on', 'power: ON', ['import Instance/web (new): power on'], true],
    ['and changes what needs a restart', 'uefi: true', ['import Instance/web (new): update'], false],
  ])('takes over an instance that is off, %s', async (_, more, planned, online) => {
    const world = createWorld()
    const made = await world.beside().apply(instance('web', 'power: OFF'))
    const id = made.document.resources[0]?.id ?? ''
    const begun = world.clock.now()
    const texts = instance('web', more, `import: { id: "${id}" }`)
    const done = await world.apply(texts)
    expect([brief(done.plan), done.exitCode, done.outcome?.imported]).toEqual([planned, 0, 1])
    expect(world.clock.now() - begun).toBeLessThan(5 * 60_000)
    expect(world.sandbox.world.tables.instances.all().map((one) => one.online)).toEqual([online])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
    if (more === 'uefi: true') expect(done.plan.changes[0]?.disruption).toBe('restart')
  })
  test('of a token says that its code is not written, which nothing reads any more', async () => {
    const world = createWorld()
    const token = (metadata: string) =>
      manifest('ApiToken', 'bot', 'name: bot-token\ngrants: { INSTANCE: READ }\nlifetime: 90d\nwrite_code_to: { file: bot.token }', metadata)
    const made = await world.beside().apply(token(''))
    const texts = token(`import: { id: "${made.document.resources[0]?.id}" }`)
    const done = await world.apply(texts)
    const warning = 'advice ApiToken/bot: its code was told when it was made, and cannot be read: bot.token is not written'
    expect([brief(done.plan), said(done.plan), done.exitCode]).toEqual([
      ['import ApiToken/bot (new): '],
      [expect.stringContaining('lifetime, write_code_to cannot be read'), warning],
      0,
    ])
    const after = await world.plan(texts)
    expect([brief(after.plan), said(after.plan)]).toEqual([[], []])
  })
  test('of what is not there is an error', async () => {
    const world = createWorld()
    const done = await world.apply(vpc('main', '10.20.0.0/24', 'import: { id: "77" }'))
    expect(done.exitCode).toBe(3)
    expect(said(done.plan)).toEqual(['import_conflict Vpc/main: there is no Vpc with id 77'])
    expect(done.plan.diagnostics[0]?.position?.text).toBe('  import: { id: "77" }')
  })
})

describe('what a plan does not take over', () => {
  const importing = (id: string, more = '') => `import: { id: "${id}" }${more}`
  const disk = (backend: string, metadata = '') => manifest('Disk', 'data', `size: 10GiB\nbackend: ${backend}\nregion: fra-1`, metadata)
  test.each([
    ['that would be replaced', '', {}, 'backend of the object cannot be changed'],
    ['that would be replaced, create first', '\nlifecycle: { create_before_destroy: true }', {}, 'backend of the object cannot be changed'],
    ['with --replace', '', { replace: ['Disk/data'] }, '--replace asks for it'],
  ])('an object %s', async (_, more, options, why) => {
    const world = createWorld()
    const id = (await world.beside().apply(disk('LOCAL'))).document.resources[0]?.id ?? ''
    const sent = effects(world)
    const texts = disk('replace' in options ? 'LOCAL' : 'CEPH', importing(id, more))
    const done = await world.apply(texts, options)
    expect([done.exitCode, said(done.plan)]).toEqual([
      3,
      [`import_replaced Disk/data: the plan that takes over a Disk would destroy it, since it would be replaced: ${why}`],
    ])
    expect([sent, done.document.resources]).toEqual([[], []])
  })
  test('an object of another workspace, whatever can be read by its id', async () => {
    const world = createWorld()
    const id = (await world.beside().apply(disk('LOCAL'))).document.resources[0]?.id ?? ''
    const other = `${manifest('Workspace', 'other', 'name: other')}---\n`
    expect((await world.apply(other)).exitCode).toBe(0)
    const done = await world.apply(other + disk('LOCAL', `${importing(id)}\nworkspace: other`))
    expect([done.exitCode, said(done.plan)]).toEqual([3, [`import_conflict Disk/data: there is no Disk with id ${id}`]])
    expect(done.plan.diagnostics[0]?.detail).toMatch(/^Looked for in workspace \d+\.$/)
  })
  test('an object on its way out: nothing is made in its place', async () => {
    const world = createWorld()
    const id = (await world.beside().apply(disk('LOCAL'))).document.resources[0]?.id ?? ''
    world.sandbox.world.tables.disks.update(id, { state: 'DELETING' })
    const sent = effects(world)
    const done = await world.apply(disk('LOCAL', importing(id)))
    expect([done.exitCode, said(done.plan)]).toEqual([3, [`import_conflict Disk/data: the Disk with id ${id} is on its way out`]])
    await expect(world.importObject(disk('LOCAL'), 'Disk/data', id)).rejects.toThrow('is on its way out')
    expect([sent, (await world.document())?.resources ?? []]).toEqual([[], []])
  })
  test('the boot disk of an instance', async () => {
    const world = createWorld()
    expect((await world.apply(instance('web'))).exitCode).toBe(0)
    const [boot] = world.sandbox.world.tables.disks.all()
    const done = await world.apply(instance('web') + disk('LOCAL', importing(boot?.id ?? '')))
    expect([done.exitCode, said(done.plan)[0]]).toEqual([
      3,
      `import_conflict Disk/data: the Disk with id ${boot?.id} is the boot disk of the Instance with id ${boot?.instanceId}, whose own fields manage it (plan, image, storage)`,
    ])
  })
  test('the token of a session', async () => {
    const world = createWorld()
    const [session] = world.sandbox.world.tables.tokens.all()
    const importing = `import: { id: "${session?.id}" }`
    const { plan } = await world.plan(
      manifest('ApiToken', 'bot', 'name: bot-token\nsubject: USER\ngrants: { INSTANCE: READ }\nlifetime: 90d\nwrite_code_to: { file: bot.token }', importing),
    )
    expect(said(plan)[0]).toBe(`import_conflict ApiToken/bot: the ApiToken with id ${session?.id} was not made as an API token: its origin is SESSION`)
  })
})

describe('metadata.import by a lookup', () => {
  const byName = (name: string, metadata = '') => vpc('main', '10.20.0.0/24', `import: { id: "\${lookup('Vpc', '${name}').id}" }${metadata}`)
  test('takes over what is called so, in a saved plan, too, and asks for nothing once it is recorded', async () => {
    const { world, id } = await withVpc()
    const texts = byName('main-net')
    expect(brief((await world.plan(texts)).plan)).toEqual(['import Vpc/main (new): '])
    const done = await world.applySaved(texts, saved((await world.plan(texts)).plan))
    expect([done.outcome?.imported, done.document.resources.map((one) => one.id)]).toEqual([1, [id]])
    await world.apply(texts.replace('name: main-net', 'name: other-net'))
    expect(brief((await world.plan(texts.replace('name: main-net', 'name: other-net'))).plan)).toEqual([])
  })
  test('with a part that each gives', async () => {
    const { world } = await withVpc()
    const texts = vpc('main', '10.20.0.0/24', "for_each: [main]\nimport: { id: \"${lookup('Vpc', each.key + '-net').id}\" }")
    expect(brief((await world.plan(texts)).plan)).toEqual(['import Vpc/main["main"] (new): '])
  })
  test('of what is not there, and of what is there twice, is an error with its place', async () => {
    const { world, id } = await withVpc()
    const other = (await world.beside().apply(vpc('main', '10.30.0.0/24'))).document.resources[0]?.id
    const failing = (name: string) => world.plan(byName(name)).catch((error: unknown) => error)
    expect(await failing('man-net')).toMatchObject({
      exitCode: 3,
      diagnostics: [{ address: 'Vpc/main', summary: 'no Vpc is called "man-net"; there are main-net', position: { line: 6 } }],
    })
    expect(await failing('main-net')).toMatchObject({
      exitCode: 3,
      diagnostics: [{ summary: expect.stringContaining('several are called "main-net"'), position: { line: 6 } }],
    })
    expect(await failing('main-net')).toMatchObject({ diagnostics: [{ summary: expect.stringContaining(`${other}`) }] })
    expect(id).not.toBe(other)
  })
  test('that gives no id is an error', async () => {
    const { world } = await withVpc()
    const texts = byName('main-net').replace('.id}', '.vlan == 0}')
    await expect(world.plan(texts)).rejects.toMatchObject({ exitCode: 3, diagnostics: [{ summary: 'the id to import is a text, got false' }] })
  })
})

describe('metadata.import by name', () => {
  const byName = (name: string, metadata = '') => vpc('main', '10.20.0.0/24', `import: { name: ${name} }${metadata}`)
  test('takes over what is called so, in a saved plan, too, and asks for nothing once it is recorded', async () => {
    const { world, id } = await withVpc()
    const texts = byName('main-net')
    expect(brief((await world.plan(texts)).plan)).toEqual(['import Vpc/main (new): '])
    const done = await world.applySaved(texts, saved((await world.plan(texts)).plan))
    expect([done.outcome?.imported, done.document.resources.map((one) => one.id)]).toEqual([1, [id]])
    expect(brief((await world.plan(texts.replaceAll('main-net', 'other-net'))).plan)).toEqual(['update Vpc/main (changed): update'])
  })
  test('with a part that each gives', async () => {
    const { world } = await withVpc()
    const texts = vpc('main', '10.20.0.0/24', 'for_each: [main]\nimport: { name: "${each.key}-net" }')
    expect(brief((await world.plan(texts)).plan)).toEqual(['import Vpc/main["main"] (new): '])
  })
  test('of what is not there, and of what is there twice, is an error with its place and the candidates', async () => {
    const { world, id } = await withVpc()
    const other = (await world.beside().apply(vpc('main', '10.30.0.0/24'))).document.resources[0]?.id
    const failing = (name: string) => world.plan(byName(name)).catch((error: unknown) => error)
    expect(await failing('man-net')).toMatchObject({
      exitCode: 3,
      diagnostics: [{ address: 'Vpc/main', summary: 'no Vpc is called "man-net"; there are main-net', position: { line: 6 } }],
    })
    const twice = await failing('main-net')
    expect(twice).toMatchObject({ exitCode: 3, diagnostics: [{ summary: expect.stringContaining('several are called "main-net"') }] })
    for (const one of [id, other]) expect(twice).toMatchObject({ diagnostics: [{ summary: expect.stringContaining(`${one}`) }] })
  })
})

describe('what hangs on something that is imported with it', () => {
  const texts = (ids: Readonly<Record<string, string>> = {}) => {
    const taken = (address: string) => (ids[address] === undefined ? '' : `import: { id: "${ids[address]}" }`)
    return all(
      vpc('main', '10.20.0.0/24', taken('Vpc/main')),
      instance('web', '', taken('Instance/web')),
      manifest('VpcAttachment', 'web', 'instance: web\nvpc: main', taken('VpcAttachment/web')),
      rule('ssh', 'action: ACCEPT\nport_start: 22', taken('FirewallRule/ssh')),
    )
  }
  const existing = async () => {
    const world = createWorld()
    const made = await world.beside().apply(texts())
    return { world, taking: texts(Object.fromEntries(made.document.resources.map((one) => [one.address, one.id]))) }
  }
  test('is looked for below it, by a plan and an apply', async () => {
    const { world, taking } = await existing()
    const { plan } = await world.plan(taking)
    expect(plan.diagnostics.filter((one) => one.code !== 'advice')).toEqual([])
    expect(plan.summary).toMatchObject({ import: 4, update: 0, create: 0 })
    const done = await world.apply(taking)
    expect([done.exitCode, done.outcome?.imported]).toEqual([0, 4])
    expect(brief((await world.plan(taking)).plan)).toEqual([])
  })
  test.each([{}, { unread: true }])('and by a saved plan (%j)', async (options) => {
    const { world, taking } = await existing()
    const { plan } = await world.plan(taking, options)
    const done = await world.applySaved(taking, saved(plan))
    expect([done.exitCode, done.outcome?.imported]).toEqual([0, 4])
  })
  test('is still missing where it is not there', async () => {
    const { world, taking } = await existing()
    const gone = taking.replace(/import: \{ id: "(\d+)\/(\d+)" \}/, 'import: { id: "$1/77" }')
    expect(said((await world.plan(gone)).plan)).toContainEqual(expect.stringMatching(/^import_conflict VpcAttachment\/web: there is no VpcAttachment with id/))
  })
})

test('what is like a declared object and in no state is said at the name', async () => {
  const { world } = await withVpc()
  const { plan } = await world.plan(vpc('main'))
  const found = plan.diagnostics.find((one) => one.summary.includes('exists already'))
  expect([found?.summary.startsWith('Vpc/main: a Vpc like it exists already'), found?.position?.text]).toEqual([true, '  name: main'])
})

describe('the import command', () => {
  test.each([
    ['an address without manifest', 'Vpc/other', (id: string) => id],
    ['what is not there', 'Vpc/main', () => '77'],
  ])('refuses %s', async (_, address, idOf) => {
    const { world, id } = await withVpc()
    await expect(world.importObject(vpc('main'), address, idOf(id))).rejects.toMatchObject({ exitCode: 3 })
    expect(await world.document()).toBeUndefined()
  })
  test('refuses an address and an id that the state holds', async () => {
    const { world, id } = await withVpc()
    await world.importObject(vpc('main'), 'Vpc/main', id)
    await expect(world.importObject(vpc('main'), 'Vpc/main', id)).rejects.toMatchObject({ exitCode: 3 })
    await expect(world.importObject(all(vpc('main'), vpc('other')), 'Vpc/other', id)).rejects.toMatchObject({ exitCode: 3 })
  })
})

describe('references', () => {
  test('take an id and a name of what nobody manages here', async () => {
    const { world, id } = await withVpc()
    const done = await world.apply(all(instance('web', `vpcs: [{ id: "${id}" }]`), instance('api', 'vpcs: [{ name: main-net }]')))
    expect(done.exitCode).toBe(0)
    expect(done.document.resources.map((one) => one.spec.vpcs)).toEqual([[id], [id]])
  })
  test('by a name that nothing has are errors with the candidates', async () => {
    const { world } = await withVpc()
    const { plan } = await world.plan(instance('web', 'vpcs: [{ name: nothing }]'))
    expect(plan.diagnostics.map((one) => [one.code, one.position?.line])).toEqual([['lookup_failed', expect.any(Number)]])
    expect(said(plan)[0]).toContain('main-net')
    expect((await world.apply(instance('web', 'vpcs: [{ name: nothing }]'))).exitCode).toBe(3)
  })
  test('in a list make one resource for each entry', async () => {
    const world = createWorld()
    const texts = all(instance('web'), instance('api'), rule('ssh', 'action: ACCEPT\nport_start: 22').replace('instance: web', 'instance: [web, api]'))
    const done = await world.apply(texts)
    expect(done.document.resources.map((one) => one.address)).toEqual(['FirewallRule/ssh["api"]', 'FirewallRule/ssh["web"]', 'Instance/api', 'Instance/web'])
    expect(brief((await world.plan(texts)).plan)).toEqual([])
  })
  test('to plans go by name, in expressions too', async () => {
    const world = createWorld()
    const texts = all(instance('web', "os_name: \"${string(lookup('Plan', 'ryzen-4').cpu)} cores\""))
    const done = await world.apply(texts)
    expect(done.document.resources[0]?.spec).toMatchObject({ os_name: '4 cores' })
  })
})

describe('workspaces', () => {
  test('that the caller no longer sees stop everything with 9', async () => {
    const world = createWorld()
    await world.apply(vpc('main'))
    const { members, workspaces, users } = world.sandbox.world.tables
    const [user] = users.all()
    for (const one of workspaces.all()) workspaces.insert({ ...one, id: '4242', name: 'another' })
    members.insert({ workspaceId: '4242', userId: user?.id ?? '', accessLevel: 'OWNER' })
    for (const one of members.all()) if (one.workspaceId !== '4242') members.delete(one.id)
    workspaces.update(world.sandbox.workspaceId, { ownerId: '1' })
    await expect(world.plan(vpc('main'))).rejects.toMatchObject({ exitCode: 9 })
  })
  test('are warned of where one of the name exists, and forgotten in the end', async () => {
    const world = createWorld()
    const team = manifest('Workspace', 'team', 'name: team-one')
    await world.beside().apply(team)
    const done = await world.apply(team)
    expect(said(done.plan)).toContainEqual(expect.stringMatching(/^possible_duplicate Workspace\/team/))
    const ended = await world.destroy(team)
    expect(ended.outcome).toMatchObject({ forgotten: 1, destroyed: 0 })
    expect(said(ended.plan)).toContainEqual(expect.stringMatching(/^advice Workspace\/team: the service has no call that deletes a Workspace/))
  })
})
