// The same state in the hands of another account: what that does not see is not gone, and is neither forgotten nor made again.
import { describe, expect, test } from 'vitest'
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import { encodeDocument } from '../../src/state/document.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { createWorld, worldCallingAs } from '../builders/world.ts'
import { all, brief, effects, project, saved, vpc } from './stage.ts'

const token = manifest('ApiToken', 'bot', 'name: deploy-bot\ngrants: { INSTANCE: WRITE }\nlifetime: 90d\nsubject: USER')
const withToken = { 'iac.yaml': project(), 'main.yaml': all(token, vpc('main')) }
const workspaceAlone = { 'iac.yaml': project(), 'main.yaml': manifest('Workspace', 'prod', 'name: shop-prod') }

/** A second account, a member of all workspaces there are or of none, and the code that its calls come with. */
function colleague({ sandbox }: World, isMember: boolean): string {
  const { members, tokens, users, workspaces } = sandbox.world.tables
  const [owner] = users.all()
  const session = tokens.all().find((one) => one.userId === owner?.id)
  if (!owner || !session) throw new Error('an owner is signed in')
  const { id: _, ...person } = owner
  const user = users.insert({ ...person, name: 'second', email: 'second@sandbox.test' })
  const { id: __, ...rest } = session
  tokens.insert({ ...rest, userId: user.id, subjectId: user.id, codeHash: hashOfCode('second-code') })
  for (const one of isMember ? workspaces.all() : []) members.insert({ workspaceId: one.id, userId: user.id, accessLevel: 'ADMINISTRATOR' })
  return 'second-code'
}

const bots = ({ sandbox }: World) => sandbox.world.tables.tokens.all().filter((one) => one.name === 'deploy-bot')

describe('a token of another user', () => {
  test('is neither made again nor forgotten: 9, before anything is asked', async () => {
    const { world, calling } = worldCallingAs()
    const { document } = await world.apply(withToken)
    const [bot] = bots(world)
    calling.code = colleague(world, true)
    const sent = effects(world)
    const refusal = {
      exitCode: 9,
      diagnostics: [{ code: 'object_invisible', summary: expect.stringContaining(`ApiToken/bot: it belongs to user ${bot?.userId}, who alone sees it`) }],
    }
    await expect(world.plan(withToken)).rejects.toMatchObject(refusal)
    await expect(world.apply(withToken)).rejects.toMatchObject(refusal)
    await expect(world.destroy(withToken)).rejects.toMatchObject(refusal)
    await expect(world.refresh(withToken)).rejects.toMatchObject(refusal)
    expect([sent, (await world.document())?.resources]).toEqual([[], document.resources])
    calling.code = undefined
    expect(brief((await world.plan(withToken)).plan)).toEqual([])
    expect([(await world.destroy(withToken)).exitCode, bots(world)]).toEqual([0, []])
  })
  test('whose own user finds it gone is made again', async () => {
    const { world } = worldCallingAs()
    await world.apply(withToken)
    for (const one of bots(world)) world.sandbox.world.tables.tokens.delete(one.id)
    expect([(await world.apply(withToken)).exitCode, bots(world).length]).toEqual([0, 1])
  })
  test('whose owner was never recorded is nobody’s to forget; while it is found, a refresh notes whose it is', async () => {
    const { world } = worldCallingAs()
    const { document } = await world.apply(withToken)
    const resources = document.resources.map((one) => ({ ...one, outputs: { id: one.id } }))
    world.fileSystem.put('/project/.iac/state.json', encodeDocument({ ...document, resources }))
    const rows = bots(world)
    for (const one of rows) world.sandbox.world.tables.tokens.delete(one.id)
    const summary = expect.stringContaining('its owner alone sees it, and the state does not say who that is')
    await expect(world.plan(withToken)).rejects.toMatchObject({ exitCode: 9, diagnostics: [{ summary, hint: expect.stringContaining('iac state rm') }] })
    for (const one of rows) world.sandbox.world.tables.tokens.insert(one)
    expect((await world.refresh(withToken)).document.resources).toEqual(document.resources)
  })
  test('that has ended lets nobody in, and is made anew by whoever calls', async () => {
    const { world, calling } = worldCallingAs()
    await world.apply(withToken)
    await world.clock.advance(91 * 86_400_000)
    calling.code = colleague(world, true)
    for (const one of world.sandbox.world.tables.tokens.all())
      if (one.name !== 'deploy-bot') world.sandbox.world.tables.tokens.update(one.id, { expiresAtMs: null })
    expect(brief((await world.plan(withToken)).plan)).toEqual(['create ApiToken/bot (missing): create'])
  })
  test('is not taken for gone by a plan that was saved, or that did not look', async () => {
    const { world, calling } = worldCallingAs()
    await world.apply(withToken)
    const { plan } = await world.plan(withToken, { destroy: true })
    calling.code = colleague(world, true)
    await world.applySaved(withToken, saved(plan)).catch((error: unknown) => error)
    await world.destroy(withToken, { unread: true }).catch((error: unknown) => error)
    expect([(await world.document())?.resources.map((one) => one.address), bots(world).length]).toEqual([expect.arrayContaining(['ApiToken/bot']), 1])
  })
  test.each([
    ['whose answer was lost', { reset: 'after' }],
    ['that was accepted, before anybody saw it', undefined],
  ] as const)('of a create %s is settled by that user alone', async (_, fault) => {
    const { world, calling } = worldCallingAs()
    let isMade = false
    world.sandbox.faults.hook = ({ operation, body = '' }) => {
      if (isMade) return { status: 503 }
      isMade = operation === 'createToken' && body.includes('deploy-bot')
      return isMade ? fault : undefined
    }
    expect((await world.apply(withToken)).exitCode).toBe(8)
    world.sandbox.faults.hook = undefined
    calling.code = colleague(world, true)
    const done = await world.apply(withToken)
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code), bots(world).length]).toEqual([8, ['object_invisible'], 1])
    calling.code = undefined
    expect([(await world.apply(withToken)).exitCode, bots(world).length]).toEqual([0, 1])
  })
})

test('a workspace out of sight is told by the addresses that the state has, whatever manifests call them by now', async () => {
  const { world, calling } = worldCallingAs()
  await world.apply({ 'iac.yaml': project(), 'main.yaml': vpc('main') })
  calling.code = colleague(world, false)
  const moved = { 'iac.yaml': project('moved: [{ from: Vpc/main, to: Vpc/core }]\n'), 'main.yaml': vpc('core') }
  const refusal = {
    exitCode: 9,
    diagnostics: [{ code: 'workspace_invisible', detail: 'The state names it for Vpc/main.', hint: expect.stringContaining("iac state rm 'Vpc/main'") }],
  }
  await expect(world.plan(moved)).rejects.toMatchObject(refusal)
  await expect(world.apply(moved)).rejects.toMatchObject(refusal)
})

describe('a workspace that is recorded, with nothing recorded in it', () => {
  test('is not made again by who is no member: 9', async () => {
    const { world, calling } = worldCallingAs()
    const { document } = await world.apply(workspaceAlone)
    calling.code = colleague(world, false)
    const [named] = document.resources.map((one) => one.address)
    const refusal = {
      exitCode: 9,
      diagnostics: [{ code: 'workspace_invisible', detail: `The state names it for ${named}.`, hint: expect.stringContaining(`iac state rm '${named}'`) }],
    }
    await expect(world.plan(workspaceAlone)).rejects.toMatchObject(refusal)
    await expect(world.apply(workspaceAlone)).rejects.toMatchObject(refusal)
    await expect(world.destroy(workspaceAlone)).rejects.toMatchObject(refusal)
    expect((await world.document())?.resources).toEqual(document.resources)
    expect(world.sandbox.world.tables.workspaces.all().filter((one) => one.name === 'shop-prod')).toHaveLength(1)
  })
  test('is not made again where the caller stops seeing it as soon as it is made', async () => {
    const { world } = worldCallingAs()
    const { members, workspaces } = world.sandbox.world.tables
    const made = () => workspaces.all().filter((one) => one.name === 'shop-prod')
    let back = (): void => undefined
    world.sandbox.faults.hook = () => {
      const [one] = made()
      const mine = members.all().find(({ workspaceId }) => workspaceId === one?.id)
      if (!one || !mine) return undefined
      members.delete(mine.id)
      workspaces.update(one.id, { ownerId: '1' })
      back = () => {
        members.insert(mine)
        workspaces.update(one.id, { ownerId: one.ownerId })
      }
      return undefined
    }
    const done = await world.apply(workspaceAlone)
    expect([done.exitCode, done.outcome?.failed.map((one) => one.code)]).toEqual([8, ['workspace_invisible']])
    world.sandbox.faults.hook = undefined
    await expect(world.apply(workspaceAlone)).rejects.toMatchObject({ exitCode: 9 })
    back()
    expect([(await world.apply(workspaceAlone)).exitCode, made().length]).toEqual([0, 1])
  })
})

test('who calls is asked once in a run, however many tokens are made', async () => {
  const { world } = worldCallingAs()
  let asked = 0
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation === 'getUser') asked += 1
    return undefined
  }
  const many = Array.from({ length: 4 }, (_, at) => token.replace('name: bot', `name: bot-${at}`).replace('deploy-bot', `deploy-bot-${at}`))
  expect([(await world.apply({ 'iac.yaml': project(), 'main.yaml': all(...many) })).exitCode, asked]).toEqual([0, 1])
})

test('a workspace that its own read tells of is there, whatever the list of workspaces shows', async () => {
  const list = { isShort: false }
  const world = createWorld({
    transport: (inner) => (request) => {
      const isList = request.method === 'GET' && /^\/v1\/workspaces(\?|$)/.test(request.path)
      return inner(isList && list.isShort ? { ...request, path: '/v1/workspaces?name=none-of-them' } : request)
    },
  })
  expect((await world.apply(workspaceAlone)).exitCode).toBe(0)
  list.isShort = true
  expect(brief((await world.plan(workspaceAlone)).plan)).toEqual([])
  expect((await world.apply(workspaceAlone)).exitCode).toBe(0)
})
