// Values known once where they are easily lost: in a part of a project, in what is ignored, in several places, in files that cannot be written.
import { describe, expect, test } from 'vitest'
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, project } from './stage.ts'

const token = (name = 'bot', spec = '', rest = '') =>
  manifest('ApiToken', name, `name: ${name}-token\ngrants: { INSTANCE: READ }\nlifetime: 90d\n${spec}`, rest)
const secret = (name: string, data: string, rest = '') => manifest('K3sSecret', name, `name: ${name}\ndata: ${data}`, rest)
const cluster = manifest('K3sCluster', 'main', '')
const code = (name = 'bot') => `"\${ApiToken['${name}'].code}"`
const texts = (main: string, more: Readonly<Record<string, string>> = {}) => ({ 'iac.yaml': project(), 'main.yaml': main, ...more })

/** The hashes of the codes that the service takes, by the names of their tokens. */
function codesOf({ sandbox }: World): Readonly<Record<string, string>> {
  const tokens = sandbox.world.tables.tokens.all().filter((one) => one.name.endsWith('-token'))
  expect(new Set(tokens.map((one) => one.name)).size).toBe(tokens.length)
  return Object.fromEntries(tokens.map((one) => [one.name, one.codeHash]))
}

/** What the service holds in a secret. */
function dataOf({ sandbox }: World, name: string): Readonly<Record<string, string>> {
  return sandbox.world.tables.clusterSecrets.all().find((one) => one.name === name)?.data ?? {}
}

async function expectQuiet(world: World, given: Parameters<World['plan']>[0]): Promise<void> {
  const { plan } = await world.plan(given)
  expect(plan.changes.filter((one) => one.action !== 'no-op').map((one) => [one.address, one.action])).toEqual([])
}

describe('several', () => {
  test('two consumers get the same one, and when one changes both get the new one', async () => {
    const world = createWorld()
    const given = (mode: string) => texts(all(cluster, token(), secret('one', `{ T: ${code()} }`), secret('two', `{ T: ${code()}, MODE: ${mode} }`)))
    expect((await world.apply(given('slow'))).exitCode).toBe(0)
    const before = dataOf(world, 'one')['T']
    expect(dataOf(world, 'two')['T']).toBe(before)
    expect((await world.apply(given('quick'))).exitCode).toBe(0)
    const after = dataOf(world, 'one')['T'] ?? ''
    expect(after).not.toBe(before)
    expect(dataOf(world, 'two')['T']).toBe(after)
    expect(codesOf(world)['bot-token']).toBe(hashOfCode(after))
    await expectQuiet(world, given('quick'))
  })
  test('for_each makes one for each, and another key leaves those that are there alone', async () => {
    const world = createWorld()
    const each = (keys: string) => `for_each: [${keys}]`
    const given = (keys: string) =>
      texts(
        all(
          cluster,
          token('bot', '', each(keys)).replace('name: bot-token', 'name: "${each.key}-token"'),
          manifest('K3sSecret', 'one', 'name: "${each.key}"\ndata: { T: "${ApiToken[\'bot\'][each.key].code}" }', each(keys)),
        ),
      )
    const first = await world.apply(given('east, west'))
    expect(first.exitCode, JSON.stringify(first.diagnostics)).toBe(0)
    const before = dataOf(world, 'east')['T'] ?? ''
    expect(codesOf(world)['east-token']).toBe(hashOfCode(before))
    await expectQuiet(world, given('east, west'))
    expect((await world.apply(given('east, west, north'))).exitCode).toBe(0)
    expect(dataOf(world, 'east')['T']).toBe(before)
    expect(Object.keys(codesOf(world)).toSorted()).toEqual(['east-token', 'north-token', 'west-token'])
    await expectQuiet(world, given('east, west, north'))
  })
})

describe('in a part of a project', () => {
  const both = (more = '') => texts(all(cluster, token(), secret('one', `{ T: ${code()}${more} }`)))
  test.each<Parameters<World['plan']>[1]>([
    { replace: ['ApiToken/bot'], targets: ['ApiToken/bot'] },
    { replace: ['ApiToken/bot'], excludes: ['K3sSecret/one'] },
  ])('a token is not replaced under what is left out: %o', async (options) => {
    const world = createWorld()
    await world.apply(both())
    const before = codesOf(world)
    const done = await world.apply(both(), options)
    expect(done.exitCode).toBe(3)
    expect(done.plan.diagnostics.map((one) => one.summary).join()).toContain('K3sSecret/one: /data/T holds the code of ApiToken/bot, which goes')
    expect(codesOf(world)).toEqual(before)
  })
  test('nor with its file alone', async () => {
    const world = createWorld()
    const apart = texts(all(cluster, token()), { 'one.yaml': secret('one', `{ T: ${code()} }`) })
    await world.apply(apart)
    const before = codesOf(world)
    const done = await world.apply(apart, { replace: ['ApiToken/bot'] }, {}, { only: ['main.yaml'] })
    expect(done.exitCode).toBe(3)
    expect(codesOf(world)).toEqual(before)
  })
  test('the old one of a run that broke off is not deleted under what still uses it', async () => {
    let isBroken = false
    const world = createWorld({
      transport: (inner) => async (request) =>
        isBroken && request.method !== 'GET' && request.path.includes('/k3s/secrets/')
          ? { ...(await inner({ ...request, method: 'GET', body: undefined })), status: 403 }
          : inner(request),
    })
    await world.apply(both())
    const before = dataOf(world, 'one')['T'] ?? ''
    isBroken = true
    expect((await world.apply(both(), { replace: ['ApiToken/bot'] })).exitCode).not.toBe(0)
    isBroken = false
    const held = () => world.sandbox.world.tables.tokens.all().some((one) => one.codeHash === hashOfCode(before))
    expect(held()).toBe(true)
    expect((await world.apply(both(), { targets: ['ApiToken/bot'] })).exitCode).toBe(3)
    expect(held()).toBe(true)
    expect((await world.apply(both())).exitCode).toBe(0)
    expect(codesOf(world)['bot-token']).toBe(hashOfCode(dataOf(world, 'one')['T'] ?? ''))
    await expectQuiet(world, both())
  })
  test('what its manifest keeps as it is gets a warning', async () => {
    const world = createWorld()
    const kept = texts(all(cluster, token(), secret('one', `{ T: ${code()} }`, 'lifecycle: { ignore_changes: [/data] }')))
    await world.apply(kept)
    const { plan } = await world.plan(kept, { replace: ['ApiToken/bot'] })
    expect(plan.diagnostics).toContainEqual(
      expect.objectContaining({ code: 'advice', address: 'K3sSecret/one', summary: expect.stringContaining('good for nothing') }),
    )
  })
})

describe('a foreign one', () => {
  test('of that name is not taken for the one whose answer was lost', async () => {
    const world = createWorld()
    await world
      .beside()
      .apply({ 'iac.yaml': project().replace('name: shop', 'name: other'), 'main.yaml': token('bot', '').replace('INSTANCE: READ', 'INSTANCE: WRITE') })
    const foreign = world.sandbox.world.tables.tokens.all().map((one) => one.id)
    const given = texts(all(cluster, token(), secret('one', `{ T: ${code()} }`)))
    await world.apply(given)
    expect(world.sandbox.world.tables.tokens.all().map((one) => one.id)).toEqual(expect.arrayContaining(foreign))
  })
})

describe('a file that cannot be written', () => {
  const given = texts(token('bot', 'write_code_to: { file: bot.token }'))
  test('costs no token', async () => {
    let why: string | undefined = 'bot.token cannot be written: the disk refuses it'
    const world = createWorld({ unwritable: () => why })
    const done = await world.apply(given)
    expect(done.exitCode).toBe(8)
    expect(done.outcome?.failed).toMatchObject([{ code: 'file_unwritable', address: 'ApiToken/bot' }])
    expect(codesOf(world)).toEqual({})
    why = undefined
    expect((await world.apply(given)).exitCode).toBe(0)
    expect(codesOf(world)['bot-token']).toBe(hashOfCode(world.delivered.get('bot.token') ?? ''))
    await expectQuiet(world, given)
  })
  test('once its code was told, the next run makes it anew, and what does not need it goes on', async () => {
    let isFull = true
    const world = createWorld({ unwritable: (_, when) => (isFull && when === 'write' ? 'bot.token cannot be written: no space' : undefined) })
    const more = texts(all(token('bot', 'write_code_to: { file: bot.token }'), manifest('Vpc', 'main', 'description: net\nrange: 10.0.0.0/24')))
    for (const _ of [1, 2]) {
      const done = await world.apply(more)
      expect(done.exitCode).toBe(8)
      expect(done.outcome?.failed).toMatchObject([{ code: 'file_unwritable', address: 'ApiToken/bot' }])
    }
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(1)
    isFull = false
    expect((await world.apply(more)).exitCode).toBe(0)
    expect(codesOf(world)['bot-token']).toBe(hashOfCode(world.delivered.get('bot.token') ?? ''))
    await expectQuiet(world, more)
  })
})
