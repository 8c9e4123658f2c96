// Values that only the making of an object answers: used by others and written into files, kept nowhere, and never needed twice.
import { describe, expect, test } from 'vitest'
import { TransportError } from '../../src/api/transport/wire.ts'
import type { Transport } from '../../src/api/transport/wire.ts'
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import { manifest } from '../builders/project.ts'
import { createWorld, worldCallingAs } from '../builders/world.ts'
import type { World } from '../builders/world.ts'
import { all, project } from './stage.ts'

const token = (spec = '') => manifest('ApiToken', 'bot', `name: bot-token\ngrants: { INSTANCE: READ }\nlifetime: 90d\nrotate_before: 14d\n${spec}`)
const secret = (data = '{ TOKEN: "${ApiToken[\'bot\'].code}" }') =>
  all(manifest('K3sCluster', 'main', ''), manifest('K3sSecret', 'bot', `name: bot\ndata: ${data}`))
const texts = (main: string) => ({ 'iac.yaml': project(), 'main.yaml': main })
const shared = texts(all(token(), secret()))

/** The tokens of that name at the service. */
function tokensOf({ sandbox }: World) {
  return sandbox.world.tables.tokens.all().filter((one) => one.name === 'bot-token')
}

/** What the service holds in the secret. */
function held({ sandbox }: World): Readonly<Record<string, string>> {
  return sandbox.world.tables.clusterSecrets.all()[0]?.data ?? {}
}

/** Expects one token, and that the secret holds its code. */
function expectDelivered(world: World, text = held(world)['TOKEN'] ?? ''): string {
  const [only, more] = tokensOf(world)
  expect(more).toBeUndefined()
  expect(only?.codeHash).toBe(hashOfCode(text))
  return text
}

async function expectQuiet(world: World, given: Parameters<World['plan']>[0]): Promise<void> {
  const { plan } = await world.plan(given)
  expect(plan.changes.filter((one) => one.action !== 'no-op')).toEqual([])
}

function kept({ fileSystem }: World): string {
  return [...fileSystem.files()].map(([, bytes]) => new TextDecoder().decode(bytes)).join('\n')
}

/** Loses the answers to creations of tokens in a workspace, so many times. */
function losing(times: number): (inner: Transport) => Transport {
  let left = times
  return (inner) => async (request) => {
    const response = await inner(request)
    if (request.method !== 'POST' || !/^\/v1\/workspaces\/\d+\/tokens$/.test(request.path) || left === 0) return response
    left -= 1
    throw new TransportError('lost', true)
  }
}

describe('used by another resource', () => {
  test('it goes there in the run that makes it, and stands nowhere else', async () => {
    const world = createWorld()
    const done = await world.apply(shared)
    expect(done.exitCode).toBe(0)
    const code = expectDelivered(world)
    expect(kept(world)).not.toContain(code)
    expect(JSON.stringify([done.plan, world.events])).not.toContain(code)
    await expectQuiet(world, shared)
    const record = (await world.document())?.resources.find((one) => one.address === 'K3sSecret/bot')
    expect(record?.origins).toEqual({ '/data/TOKEN': { address: 'ApiToken/bot', id: tokensOf(world)[0]?.id, output: 'code' } })
  })
  test('within a text, too', async () => {
    const world = createWorld()
    const given = texts(all(token(), secret('{ TOKEN: "${ApiToken[\'bot\'].code}", HEADER: "Bearer ${ApiToken[\'bot\'].code}" }')))
    await world.apply(given)
    expect(held(world)['HEADER']).toBe(`Bearer ${expectDelivered(world)}`)
    await expectQuiet(world, given)
  })
  test('needed again it is made anew first, and the old one goes last', async () => {
    const world = createWorld()
    await world.apply(shared)
    const before = expectDelivered(world)
    const more = texts(all(token(), secret('{ TOKEN: "${ApiToken[\'bot\'].code}", MODE: quick }')))
    const { plan } = await world.plan(more)
    expect(plan.changes.find((one) => one.address === 'ApiToken/bot')).toMatchObject({ action: 'replace', reason: 'secret_lost', create_before_destroy: true })
    const done = await world.apply(more)
    expect(done.exitCode).toBe(0)
    expect(expectDelivered(world)).not.toBe(before)
    expect(held(world)).toMatchObject({ MODE: 'quick' })
    await expectQuiet(world, more)
  })
  test('needed again it is no matter where only what is live is recorded', async () => {
    const world = createWorld()
    await world.apply(shared)
    const more = { 'iac.yaml': project(), 'token.yaml': token(), 'main.yaml': secret('{ TOKEN: "${ApiToken[\'bot\'].code}", MODE: quick }') }
    const loading = { only: ['main.yaml'] }
    const codes = async (refreshOnly: boolean) => (await world.plan(more, { refreshOnly }, loading)).plan.diagnostics.map((one) => one.code)
    expect(await codes(false)).toContain('unsupported_change')
    expect(await codes(true)).not.toContain('unsupported_change')
    expect(await world.refresh(more, {}, loading)).toBeDefined()
    expectDelivered(world)
  })
  test('a protected one is not made anew', async () => {
    const world = createWorld()
    const kept = manifest('ApiToken', 'bot', 'name: bot-token\ngrants: { INSTANCE: READ }\nlifetime: 90d', 'lifecycle: { prevent_destroy: true }')
    await world.apply(texts(all(kept, secret())))
    const done = await world.apply(texts(all(kept, secret('{ TOKEN: "${ApiToken[\'bot\'].code}", MODE: quick }'))))
    expect(done.exitCode).toBe(5)
    expectDelivered(world)
  })
  test('its lost answer costs another token, made in the same run, and the first one goes', async () => {
    const world = createWorld({ transport: losing(1) })
    const done = await world.apply(shared)
    expect(done.exitCode).toBe(0)
    expectDelivered(world)
    await expectQuiet(world, shared)
  })
  test('a token that nobody waits for is taken as it is after a lost answer', async () => {
    const world = createWorld({ transport: losing(1) })
    const done = await world.apply(texts(token()))
    expect(done.exitCode).toBe(0)
    expect(tokensOf(world)).toHaveLength(1)
    await expectQuiet(world, texts(token()))
  })
  test('a run that ends between token and secret is mended by the next one', async () => {
    let isBroken = true
    const refusing =
      (inner: Transport): Transport =>
      async (request) =>
        isBroken && request.method === 'POST' && request.path.endsWith('/k3s/secrets')
          ? { ...(await inner({ ...request, method: 'GET', body: undefined })), status: 403 }
          : inner(request)
    const world = createWorld({ transport: refusing })
    const first = await world.apply(shared)
    expect(first.exitCode).not.toBe(0)
    isBroken = false
    const { plan } = await world.plan(shared)
    expect(plan.changes.find((one) => one.address === 'ApiToken/bot')).toMatchObject({ action: 'replace', reason: 'secret_lost' })
    expect((await world.apply(shared)).exitCode).toBe(0)
    expectDelivered(world)
    await expectQuiet(world, shared)
  })
  test('a saved plan that makes it anew is carried out', async () => {
    const world = createWorld()
    await world.apply(shared)
    const more = texts(all(token(), secret('{ TOKEN: "${ApiToken[\'bot\'].code}", MODE: quick }')))
    const { plan } = await world.plan(more)
    expect((await world.applySaved(more, plan)).exitCode).toBe(0)
    expectDelivered(world)
    await expectQuiet(world, more)
  })
  test('a token that moves to another address keeps what was made of it', async () => {
    const world = createWorld()
    await world.apply(shared)
    const moved = {
      'iac.yaml': project('moved: [{ from: ApiToken/bot, to: ApiToken/robot }]\n'),
      'main.yaml': all(token().replace('name: bot\n', 'name: robot\n'), secret('{ TOKEN: "${ApiToken[\'robot\'].code}" }')),
    }
    const { plan } = await world.plan(moved)
    expect(plan.changes.filter((one) => one.action !== 'no-op').map((one) => [one.address, one.action, one.reason])).toEqual([])
    await world.apply(moved)
    await expectQuiet(world, moved)
  })
  test('in a list that an expression makes it is a mistake', () => {
    const given = texts(all(token(), secret("\"${ {'TOKEN': ApiToken['bot'].code} }\"")))
    expect(() => createWorld().load(given)).toThrow(/known once/)
  })
})

describe('written into a file', () => {
  const given = texts(token('write_code_to: { file: secrets/bot.token }'))
  test('it is there once the token is, and a file that is missing later is no drift', async () => {
    const world = createWorld()
    expect((await world.apply(given)).exitCode).toBe(0)
    expectDelivered(world, world.delivered.get('secrets/bot.token'))
    await expectQuiet(world, given)
  })
  test('a lost answer costs another token', async () => {
    const world = createWorld({ transport: losing(1) })
    expect((await world.apply(given)).exitCode).toBe(0)
    expectDelivered(world, world.delivered.get('secrets/bot.token'))
  })
  test('another file takes another token', async () => {
    const world = createWorld()
    await world.apply(given)
    expect((await world.apply(texts(token('write_code_to: { file: secrets/robot.token }')))).exitCode).toBe(0)
    expectDelivered(world, world.delivered.get('secrets/robot.token'))
  })
})

describe('before it ends', () => {
  test('it is made anew once little enough is left, and another limit alone is no change', async () => {
    const world = createWorld()
    await world.apply(shared)
    await world.clock.sleep(77 * 86_400_000)
    const { plan } = await world.plan(shared)
    expect(plan.changes.find((one) => one.address === 'ApiToken/bot')).toMatchObject({ action: 'replace', reason: 'expiring' })
    await expectQuiet(world, texts(all(token().replace('14d', '10d'), secret())))
    expect((await world.apply(shared)).exitCode).toBe(0)
    expectDelivered(world)
    await expectQuiet(world, shared)
  })
})

describe('the caller', () => {
  test('one who is no session is refused before anything is changed', async () => {
    const { world, calling } = worldCallingAs()
    const given = texts(
      manifest('ApiToken', 'ci', 'name: ci-token\ngrants: { WORKSPACE: WRITE, INSTANCE: WRITE }\nlifetime: 90d\nwrite_code_to: { file: ci.token }'),
    )
    await world.apply(given)
    calling.code = world.delivered.get('ci.token')
    const more = { ...given, 'more.yaml': all(token(), manifest('Vpc', 'main', 'description: net\nrange: 10.0.0.0/24')) }
    const { plan } = await world.plan(more)
    expect(plan.diagnostics.some((one) => one.summary.includes('only a login session makes ApiTokens'))).toBe(true)
    const before = world.sandbox.world.tables.vpcs.all().length
    await expect(world.apply(more)).rejects.toThrow(/no login session/)
    expect(world.sandbox.world.tables.vpcs.all()).toHaveLength(before)
    calling.code = undefined
    expect((await world.apply(more)).exitCode).toBe(0)
  })
})
