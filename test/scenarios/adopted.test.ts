// Kinds that no call makes: a manifest takes over what is there, changes it, and lets go of it.
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/base/diagnostic.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { brief, effects, said } from './stage.ts'

describe('the profile of the caller', () => {
  const profile = (email: string, name = 'Ada Lovelace'): string => manifest('UserProfile', 'me', `name: ${name}\nemail: ${email}`)
  const waits = 'note UserProfile/me: the new email waits for confirmation; until then the service keeps the old one'
  const owner = ({ sandbox }: World) => sandbox.world.tables.users.all()[0]

  test('is taken over by a manifest, and forgotten without it', async () => {
    const world = createWorld()
    const texts = profile('ada@example.com')
    const { plan } = await world.plan(texts)
    expect(brief(plan)).toEqual(['import UserProfile/me (new): update'])
    expect(plan.changes[0]).toMatchObject({ id: owner(world)?.id, before: { name: 'owner', email: 'owner@sandbox.test' } })
    const done = await world.apply(texts)
    expect(done.outcome).toMatchObject({ imported: 1, changed: 1 })
    expect(owner(world)).toMatchObject({ name: 'Ada Lovelace', email: 'owner@sandbox.test' })
    const sent = effects(world)
    expect((await world.destroy(texts)).outcome).toMatchObject({ destroyed: 0, forgotten: 1, staying: ['UserProfile/me'] })
    expect(sent).toEqual([])
  })
  test('has a new address once that was confirmed, and nothing is asked for twice', async () => {
    const world = createWorld()
    const texts = profile('ada@example.com')
    await world.apply(texts)
    const waiting = await world.plan(texts)
    expect(brief(waiting.plan)).toEqual([])
    expect(waiting.plan.drift).toEqual([])
    expect(said(waiting.plan)).toContain(waits)
    const sent = effects(world)
    await world.apply(texts)
    expect((await world.refresh(texts)).document.resources[0]?.spec).toEqual({ name: 'Ada Lovelace', email: 'ada@example.com' })
    expect(sent).toEqual([])
    world.sandbox.world.tables.users.update(owner(world)?.id ?? '', { email: 'ada@example.com' })
    const { plan } = await world.plan(texts)
    expect([...brief(plan), ...said(plan)]).toEqual([])
  })
  test('is asked for another address though the last one was not confirmed, and takes the old one back without a call', async () => {
    const world = createWorld()
    await world.apply(profile('ada@example.com'))
    const sent = effects(world, (body) => body['email'])
    await world.apply(profile('grace@example.com'))
    expect(sent).toEqual(['updateUser grace@example.com'])
    const { plan } = await world.plan(profile('owner@sandbox.test'))
    expect([...brief(plan), ...said(plan)]).toEqual([])
  })
  test('is the same for two manifests', () => {
    const twice = [profile('ada@example.com'), manifest('UserProfile', 'other', 'name: Ada Lovelace')].join('\n')
    expect(() => createWorld().load(twice)).toThrow('there is one UserProfile only')
  })
  test('of somebody else is never made', async () => {
    const world = createWorld()
    await world.apply(profile('ada@example.com'))
    const { users, tokens } = world.sandbox.world.tables
    const [, operator] = users.all()
    for (const one of tokens.all()) if (one.userId === owner(world)?.id) tokens.update(one.id, { userId: operator?.id ?? '' })
    const { plan } = await world.plan(profile('ada@example.com'))
    expect(said(plan)).toContain('unsupported_change UserProfile/me: its object is not there, and the service has no call that makes a UserProfile')
  })
})

describe('a dedicated server', () => {
  const metal = (name: string, metadata = ''): string => manifest('Dedibox', 'db', `name: ${name}`, metadata)
  const failureOf = async (world: World, texts: string): Promise<readonly string[]> => {
    const error: unknown = await world.plan(texts).catch((thrown: unknown) => thrown)
    return error instanceof Failure ? error.diagnostics.map((one) => `${one.code} ${one.summary} ${one.hint ?? ''} ${one.position?.line}`) : []
  }

  test('is taken over by its name, renamed, and forgotten', async () => {
    const world = createWorld()
    const { dediboxes } = world.sandbox.world.tables
    const row = dediboxes.all().find((one) => one.name === 'metal-1')
    const { plan } = await world.plan(metal('metal-1'))
    expect(brief(plan)).toEqual(['import Dedibox/db (new): '])
    const sent = effects(world, (body) => body['name'])
    expect((await world.apply(metal('metal-1'))).document.resources).toMatchObject([{ id: row?.id, outputs: { region: 'fra-1', online: true } }])
    expect((await world.apply(metal('database-1'))).outcome).toMatchObject({ changed: 1 })
    expect((await world.destroy(metal('database-1'))).outcome).toMatchObject({ forgotten: 1, destroyed: 0 })
    expect(sent).toEqual(['updateDedibox database-1'])
    expect(dediboxes.get(row?.id ?? '')).toMatchObject({ name: 'database-1' })
  })
  test('is taken over under another name by its id', async () => {
    const world = createWorld()
    const id = world.sandbox.world.tables.dediboxes.all()[1]?.id ?? ''
    const { plan } = await world.plan(metal('database-1', `import: { id: "${id}" }`))
    expect(brief(plan)).toEqual(['import Dedibox/db (new): update'])
    expect(plan.changes[0]).toMatchObject({ id, before: { name: 'metal-2' }, after: { name: 'database-1' } })
  })
  test('that is not there is an error before anything runs, with the names that are', async () => {
    const said = await failureOf(createWorld(), metal('metal-9'))
    expect(said).toEqual([
      expect.stringMatching(/^lookup_failed Dedibox\/db: no Dedibox is called "metal-9"; there are metal-1, metal-2, metal-3; .* metadata\.import .* 5$/),
    ])
  })
  test('that two manifests name is taken over by one', async () => {
    const world = createWorld()
    const { plan } = await world.plan([metal('metal-1'), manifest('Dedibox', 'other', 'name: metal-1')].join('\n'))
    expect(said(plan)).toContainEqual(expect.stringContaining('import_conflict'))
  })
  test('that went is not made anew', async () => {
    const world = createWorld()
    await world.apply(metal('metal-1'))
    const { dediboxes } = world.sandbox.world.tables
    dediboxes.delete(dediboxes.all().find((one) => one.name === 'metal-1')?.id ?? '')
    const { plan } = await world.plan(metal('metal-1'))
    expect(said(plan)).toEqual(['unsupported_change Dedibox/db: its object is not there, and the service has no call that makes a Dedibox'])
  })
})

describe('an address of a dedicated server', () => {
  const boxes = ['metal-1', 'metal-2'].map((name) => manifest('Dedibox', name, `name: ${name}`)).join('\n')
  const address = (name: string, on: string, text: string, type = 'IPv4'): string =>
    manifest('DediboxIp', name, `dedibox: ${on}\naddress: "${text}"\ntype: ${type}`)
  const rowOf = (world: World, on: string, text: string) =>
    ({ workspaceId: world.sandbox.workspaceId, dediboxId: idOf(world, on), type: 'IPv4', address: text, canonical: text }) as const
  const idOf = ({ sandbox }: World, name: string): string => sandbox.world.tables.dediboxes.all().find((one) => one.name === name)?.id ?? ''

  test('moves to another one by going first, and is changed where it is', async () => {
    const world = createWorld()
    const made = await world.apply([boxes, address('mail', 'metal-1', '203.0.113.7')].join('\n'))
    expect(made.document.resources.find((one) => one.kind === 'DediboxIp')?.id).toMatch(new RegExp(`^${idOf(world, 'metal-1')}/\\d+$`))
    const sent = effects(world, (body) => body['address'])
    await world.apply([boxes, address('mail', 'metal-1', '203.0.113.8')].join('\n'))
    const moved = [boxes, address('mail', 'metal-2', '203.0.113.8')].join('\n')
    expect(brief((await world.plan(moved)).plan)).toEqual(['replace DediboxIp/mail (immutable_field): delete, create'])
    expect((await world.apply(moved)).exitCode).toBe(0)
    expect(sent).toEqual(['updateDediboxIp 203.0.113.8', 'deleteDediboxIp', 'createDediboxIp 203.0.113.8'])
    expect(brief((await world.plan(moved)).plan)).toEqual([])
  })
  test('is one address however it is written', async () => {
    const world = createWorld()
    await world.apply([boxes, address('six', 'metal-1', '2001:DB8:0::7', 'IPv6')].join('\n'))
    expect(brief((await world.plan([boxes, address('six', 'metal-1', '2001:db8::7', 'IPv6')].join('\n'))).plan)).toEqual([])
  })
  test('that is taken stops the plan, which says by what, until that goes', async () => {
    const world = createWorld()
    const { dediboxIps, ips } = world.sandbox.world.tables
    const { id } = dediboxIps.insert(rowOf(world, 'metal-3', '203.0.113.7'))
    const wrong = `unsupported_change DediboxIp/mail: address 203.0.113.7 is in use: DediboxIp ${idOf(world, 'metal-3')}/${id} has it`
    const sent = effects(world)
    for (const on of ['metal-1', 'metal-2']) {
      const done = await world.apply([boxes, address('mail', on, '203.0.113.7')].join('\n'))
      expect([done.exitCode, said(done.plan), sent]).toEqual([3, [wrong], []])
    }
    const ip = manifest('FloatingIp', 'web', 'type: IPv4\nregion: fra-1\nddos: false')
    const floating = (await world.apply([boxes, ip, address('mail', 'metal-1', '203.0.113.8')].join('\n'))).document.resources.find(
      (one) => one.kind === 'FloatingIp',
    )
    expect(said((await world.plan([boxes, address('mail', 'metal-1', '203.0.113.7')].join('\n'))).plan)).toContainEqual(wrong)
    const taken = address('mail', 'metal-1', ips.get(floating?.id ?? '')?.address ?? '')
    const stays = await world.apply([boxes, ip, taken].join('\n'))
    expect([stays.exitCode, said(stays.plan)]).toEqual([3, [expect.stringMatching(`is in use: FloatingIp ${floating?.id} has it`)]])
    expect((await world.apply([boxes, taken].join('\n'))).exitCode).toBe(0)
  })
  test('that is taken in between says by what', async () => {
    const world = createWorld()
    let id = ''
    world.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'createDediboxIp' && id === '') id = world.sandbox.world.tables.dediboxIps.insert(rowOf(world, 'metal-3', '203.0.113.7')).id
      return undefined
    }
    const done = await world.apply([boxes, address('mail', 'metal-1', '203.0.113.7')].join('\n'))
    expect(done.outcome?.failed).toMatchObject([
      {
        summary: 'DediboxIp/mail: create was refused: the address is in use (status 409)',
        detail: `address: the address is in use; held by DediboxIp ${idOf(world, 'metal-3')}/${id}`,
      },
    ])
  })
  test('that is there on its own dedibox is not made a second time', async () => {
    const world = createWorld()
    const dediboxId = idOf(world, 'metal-1')
    const { id } = world.sandbox.world.tables.dediboxIps.insert(rowOf(world, 'metal-1', '203.0.113.7'))
    await world.apply(boxes)
    const { plan } = await world.plan([boxes, address('mail', 'metal-1', '203.0.113.7')].join('\n'))
    expect(said(plan)).toEqual([`exists DediboxIp/mail: such a DediboxIp exists already (id ${dediboxId}/${id}) and is in no state of this project`])
  })
  test.each([
    ['203.0.113', 'IPv4', '"203.0.113" is no IP address'],
    ['203.0.113.7', 'IPv6', '"203.0.113.7" is of the family IPv4, not IPv6'],
  ])('%s of the family %s is refused', (text, type, words) => {
    expect(() => createWorld().load([boxes, address('mail', 'metal-1', text, type)].join('\n'))).toThrow(words)
  })
  test('is declared once', () => {
    const twice = [boxes, address('a', 'metal-1', '2001:db8::7', 'IPv6'), address('b', 'metal-2', '2001:db8:0::7', 'IPv6')].join('\n')
    expect(() => createWorld().load(twice)).toThrow('the same address')
  })
})
