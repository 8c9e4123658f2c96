// What the token of a run does not allow is said before anything is sent, where the service tells which token that is.
import { describe, expect, test } from 'vitest'
import { hashOfCode } from '../../src/sandbox/request/caller.ts'
import type { TokenRow } from '../../src/sandbox/store/rows.ts'
import { manifest } from '../builders/project.ts'
import type { World } from '../builders/world.ts'
import { worldCallingAs } from '../builders/world.ts'
import { all, brief, effects, said, vpc } from './stage.ts'

const MINUTE_MS = 60_000
const key = manifest(
  'SshKey',
  'laptop',
  `name: laptop\npublic_key: ssh-ed25519 ${Buffer.from(`\0\0\0\x0bssh-ed25519\0\0\0 ${'k'.repeat(32)}`, 'latin1').toString('base64')}`,
)
const token = manifest('ApiToken', 'ci', 'name: ci-token\ngrants: { DISK: READ }\nlifetime: 90d')

/** A token of the owner's own, or of the workspace; its code is its name. */
function addToken({ sandbox }: World, name: string, grants: TokenRow['grants'], subject: 'USER' | 'WORKSPACE' = 'USER'): string {
  const { tokens, users, workspaces } = sandbox.world.tables
  const [userId, wid] = [users.all()[0]?.id ?? '', workspaces.all()[0]?.id ?? '']
  const bound = subject === 'USER' ? { userId, workspaceId: null, subjectId: userId } : { userId: null, workspaceId: wid, subjectId: wid }
  const code = `${name}-code`
  tokens.insert({ name, subject, ...bound, origin: 'API', grants, codeHash: hashOfCode(code), expiresAtMs: null, createdById: userId, lastUsedMs: null })
  return code
}

/** The paths of tokens that were asked for. */
function lookedFor({ sandbox }: World): string[] {
  const out: string[] = []
  sandbox.faults.hook = ({ method, path }) => {
    if (method === 'GET' && path.includes('/tokens')) out.push(path.split('?')[0] ?? '')
    return undefined
  }
  return out
}

describe('the grants of a token', () => {
  test('that do not allow a call are a warning for each resource, which names what is missing', async () => {
    const { world, calling } = worldCallingAs()
    calling.code = addToken(world, 'ci', { WORKSPACE: 'READ', INSTANCE: 'WRITE' })
    const { plan } = await world.plan(all(vpc('main'), vpc('other'), key))
    expect(said(plan)).toEqual(['main', 'other'].map((name) => `advice Vpc/${name} needs WORKSPACE: WRITE, which the token "ci" of this run does not grant`))
    expect(plan.diagnostics[0]).toMatchObject({ hint: '`iac plan --needs` prints the smallest token that carries this out', position: { file: 'main.yaml' } })
    calling.code = addToken(world, 'deploy', { WORKSPACE: 'WRITE', INSTANCE: 'WRITE' })
    await world.clock.advance(3 * MINUTE_MS)
    expect(said((await world.plan(all(vpc('main'), key))).plan)).toEqual([])
  })

  test('that only read are a note while planning, and a warning before an apply', async () => {
    const { world, calling } = worldCallingAs()
    calling.code = addToken(world, 'reader', { WORKSPACE: 'READ', INSTANCE: 'READ' })
    const text = 'the token "reader" of this run only reads, and to carry this plan out needs INSTANCE: WRITE, WORKSPACE: WRITE'
    expect(said((await world.plan(all(vpc('main'), key))).plan)).toEqual([`note ${text}`])
    const done = await world.apply(all(vpc('main'), key))
    expect([said(done.plan), done.exitCode]).toEqual([[`advice ${text}`], 4])
  })

  test('of a workspace are found in the list of that workspace', async () => {
    const { world, calling } = worldCallingAs()
    calling.code = addToken(world, 'robot', { WORKSPACE: 'READ', DISK: 'WRITE' }, 'WORKSPACE')
    expect(said((await world.plan(vpc('main'))).plan)).toEqual(['advice Vpc/main needs WORKSPACE: WRITE, which the token "robot" of this run does not grant'])
  })

  test('of several tokens that were used just now count together, and a session among them allows everything', async () => {
    const { world, calling } = worldCallingAs()
    calling.code = addToken(world, 'one', { WORKSPACE: 'READ', DISK: 'WRITE' })
    await world.plan(vpc('main'))
    calling.code = addToken(world, 'two', { WORKSPACE: 'READ', INSTANCE: 'WRITE' })
    const which = 'the token of this run, which is one of "one", "two",'
    expect(said((await world.plan(all(vpc('main'), key))).plan)).toEqual([`advice Vpc/main needs WORKSPACE: WRITE, which ${which} does not grant`])
    calling.code = undefined
    await world.plan(vpc('main'))
    calling.code = addToken(world, 'three', { WORKSPACE: 'READ' })
    expect(said((await world.plan(vpc('main'))).plan)).toEqual([])
  })
})

describe('a call that a login session alone may send', () => {
  test('is a warning where the token seems to be none, and refused where the account has no session at all', async () => {
    const { world, calling } = worldCallingAs()
    calling.code = addToken(world, 'ci', { WORKSPACE: 'WRITE' })
    const text = 'ApiToken/ci: only a login session makes ApiTokens, and the token "ci" of this run'
    expect(said((await world.plan(token)).plan)).toEqual([`advice ${text} seems to be none`])
    const { tokens } = world.sandbox.world.tables
    for (const { id, origin } of tokens.all()) if (origin === 'SESSION') tokens.delete(id)
    expect(said((await world.plan(token)).plan)).toEqual([`unauthorized ${text} is none`])
    const done = await world.apply(token)
    expect([done.outcome, done.exitCode]).toEqual([undefined, 4])
  })

  test('is not spoken of where the token is one', async () => {
    const { world } = worldCallingAs()
    expect(said((await world.plan(token)).plan)).toEqual([])
  })
})

test('the token of a run that its own plan deletes is named before anything is sent', async () => {
  const { world, calling } = worldCallingAs()
  await world.apply(all(token, vpc('main')))
  const { tokens } = world.sandbox.world.tables
  const own = tokens.all().find((one) => one.name === 'ci-token')
  tokens.update(own?.id ?? '', { codeHash: hashOfCode('own-code'), grants: { TOKEN: 'WRITE', WORKSPACE: 'WRITE' } })
  await world.clock.advance(3 * MINUTE_MS)
  const text = 'ApiToken/ci is the token "ci-token" of this run, and goes last: after it nothing is answered any more (401)'
  calling.code = 'own-code'
  expect(said((await world.plan(vpc('other'))).plan)).toContain(`advice ${text}`)
  calling.code = undefined
  await world.clock.advance(3 * MINUTE_MS)
  expect(said((await world.plan(vpc('other'))).plan).filter((one) => one.includes('401'))).toEqual([])
  const sent = effects(world)
  calling.code = 'own-code'
  const done = await world.apply(vpc('other'))
  expect([done.exitCode, done.outcome]).toMatchObject([0, { added: 1, destroyed: 2, failed: [] }])
  expect(sent.at(-1)).toBe('deleteToken')
  calling.code = undefined
  expect(brief((await world.plan(vpc('other'))).plan)).toEqual([])
})

test('the token goes behind the invites, which a token of a workspace sees nothing of itself in', async () => {
  const { world, calling } = worldCallingAs()
  const { tokens, users } = world.sandbox.world.tables
  const invite = (name: string, email: string): string => manifest('WorkspaceInvite', name, `email: ${email}\naccess_level: EDITOR`)
  await world.apply(all(token, invite('me', users.all()[0]?.email ?? ''), invite('other', 'grace@example.com')))
  const own = tokens.all().find((one) => one.name === 'ci-token')
  tokens.update(own?.id ?? '', { codeHash: hashOfCode('own-code'), grants: { TOKEN: 'WRITE', WORKSPACE: 'WRITE' } })
  await world.clock.advance(3 * MINUTE_MS)
  calling.code = addToken(world, 'robot', { WORKSPACE: 'WRITE', TOKEN: 'WRITE' }, 'WORKSPACE')
  expect(said((await world.plan(vpc('main'))).plan).filter((one) => one.includes('member'))).toEqual([])
  await world.clock.advance(3 * MINUTE_MS)
  calling.code = 'own-code'
  const sent = effects(world)
  const done = await world.apply(vpc('main'))
  expect([done.exitCode, sent.slice(-2), sent.toSorted()]).toEqual([
    0,
    ['deleteInvite', 'deleteToken'],
    ['createVpc', 'deleteInvite', 'deleteInvite', 'deleteToken'],
  ])
})

describe('what it costs', () => {
  test('is one request for a plan with effects, two for the token of a workspace, and none otherwise', async () => {
    const { world, calling } = worldCallingAs()
    const asked = lookedFor(world)
    await world.apply(vpc('main'))
    expect(asked).toEqual(['/v1/users/@me/tokens'])
    await world.plan(vpc('main'))
    await world.plan(vpc('other'), { unread: true })
    expect(asked).toHaveLength(1)
    calling.code = addToken(world, 'robot', { WORKSPACE: 'READ' }, 'WORKSPACE')
    await world.plan(vpc('other'))
    expect(asked.slice(1)).toEqual(['/v1/users/@me/tokens', expect.stringMatching(/^\/v1\/workspaces\/\d+\/tokens$/)])
  })

  test('is nothing that a plan fails of, or needs: who may not look is told that nothing is known', async () => {
    const { world, calling } = worldCallingAs()
    calling.code = addToken(world, 'ci', { WORKSPACE: 'READ', INSTANCE: 'READ' }, 'WORKSPACE')
    world.sandbox.faults.hook = ({ path }) => (path.includes('/tokens') ? { status: 403 } : undefined)
    const { plan, isTokenUnknown, asked } = await world.plan(vpc('main'))
    expect([said(plan), isTokenUnknown, [...asked].filter(({ path }) => path.endsWith('/tokens'))]).toEqual([[], true, []])
  })
})
