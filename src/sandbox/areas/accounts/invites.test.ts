// Invites and members: who may invite whom, how an invite is accepted, changed and taken back.
import { describe, expect, test } from 'vitest'
import { addInvite, lastCode, turnTotpOn, userOf } from '../../../../test/builders/people.ts'
import type { Bench, TestCall } from '../../../../test/builders/sandbox-bench.ts'
import { createBench, describeRules } from '../../../../test/builders/sandbox-bench.ts'
import { hashOfCode } from '../../request/caller.ts'
import type { InviteRow } from '../../store/people-rows.ts'
import type { AccessLevel } from '../../store/rows.ts'
import { invitesArea } from './invites.ts'

const DAY_MS = 86_400_000
const email = 'ada@people.test'
const accept = { method: 'POST', path: '/v1/invites', body: { code: 'invite' } }
const lookup = { method: 'GET', path: '/v1/invites/lookup?code=invite', token: null }

const create = ({ wid }: Bench, body: unknown, token?: string): TestCall => ({
  method: 'POST',
  path: `/v1/workspaces/${wid}/invites`,
  body,
  ...(token === undefined ? {} : { token }),
})
const change = (id: string | undefined, accessLevel: string, token?: string): TestCall => ({
  method: 'PATCH',
  path: `/v1/invites/${id}`,
  body: { access_level: accessLevel },
  ...(token === undefined ? {} : { token }),
})
const remove = (id: string | undefined, token?: string): TestCall => ({
  method: 'DELETE',
  path: `/v1/invites/${id}`,
  ...(token === undefined ? {} : { token }),
})

/** A member with the record by which they came. */
function joined(bench: Bench, accessLevel: AccessLevel): { readonly token: string; readonly record: InviteRow } {
  const token = bench.member(accessLevel)
  const user = userOf(bench, token)
  return { token, record: addInvite(bench, { email: user.email, accessLevel, acceptedById: user.id, codeHash: hashOfCode(token) }) }
}
/** Someone who was invited, by the code of a session. */
function guest(bench: Bench, fields: Partial<InviteRow> = {}): string {
  const token = bench.member(undefined)
  addInvite(bench, { email: userOf(bench, token).email.toUpperCase(), ...fields })
  return token
}
const ownerRecord = ({ tables }: Bench): string | undefined => tables.invites.all()[0]?.id

describeRules('invites', invitesArea.rules, [
  {
    rule: 'invites.present',
    accepted: 201,
    options: { readings: { memberInvites: 'refuse' } },
    arrange: (bench) => create(bench, { email: userOf(bench, bench.member('EDITOR')).email, access_level: 'VIEWER' }),
  },
  { rule: 'invites.level', accepted: 201, arrange: (bench) => create(bench, { email, access_level: 'ADMINISTRATOR' }, bench.member('ADMINISTRATOR')) },
  {
    rule: 'invites.level',
    accepted: 200,
    arrange: (bench) => change(addInvite(bench).id, 'ADMINISTRATOR', bench.member('ADMINISTRATOR')),
  },
  { rule: 'invites.above', accepted: 200, arrange: (bench) => change(ownerRecord(bench), 'VIEWER', bench.member('ADMINISTRATOR')) },
  { rule: 'invites.above', accepted: 202, arrange: (bench) => remove(ownerRecord(bench), bench.member('ADMINISTRATOR')) },
  {
    rule: 'invites.own',
    accepted: 200,
    arrange(bench) {
      const { token, record } = joined(bench, 'ADMINISTRATOR')
      return change(record.id, 'EDITOR', token)
    },
  },
  { rule: 'invites.last', accepted: 202, arrange: (bench) => remove(ownerRecord(bench)) },
  {
    rule: 'invites.second',
    accepted: 201,
    options: { readings: { secondInvite: 'refuse' } },
    async arrange(bench) {
      await bench.call(create(bench, { email, access_level: 'VIEWER' }))
      return create(bench, { email: email.toUpperCase(), access_level: 'EDITOR' })
    },
  },
  {
    rule: 'invites.lookup',
    accepted: 200,
    arrange(bench) {
      addInvite(bench, { expiresAtMs: bench.clock.wall() })
      return lookup
    },
  },
  {
    rule: 'invites.lookup',
    accepted: 200,
    arrange(bench) {
      addInvite(bench, { acceptedById: '5' })
      return lookup
    },
  },
  { rule: 'invites.expired', accepted: 200, arrange: (bench) => ({ ...accept, token: guest(bench, { expiresAtMs: bench.clock.wall() }) }) },
  { rule: 'invites.accepted', accepted: 200, arrange: (bench) => ({ ...accept, token: guest(bench, { acceptedById: '5' }) }) },
  {
    rule: 'invites.email',
    accepted: 200,
    arrange(bench) {
      addInvite(bench, { email })
      return { ...accept, token: bench.member(undefined) }
    },
  },
  {
    rule: 'invites.member',
    accepted: 200,
    arrange(bench) {
      addInvite(bench)
      return accept
    },
  },
  {
    rule: 'invites.mfa',
    accepted: 200,
    arrange(bench) {
      bench.tables.workspaces.update(bench.wid, { mfaRequired: true })
      return { ...accept, token: guest(bench) }
    },
  },
])

describe('an invite', () => {
  test('is mailed with its code, which stands in the answer to the create alone and is kept as a hash', async () => {
    const bench = createBench()
    const answer = await bench.call(create(bench, { email, access_level: 'EDITOR' }))
    const [owner, row] = [bench.tables.users.all()[0], bench.tables.invites.all()[1]]
    const view = {
      id: row?.id,
      user: { id: owner?.id, name: 'owner' },
      email,
      workspace: { id: bench.wid, name: 'default' },
      expires: new Date(bench.clock.wall() + 7 * DAY_MS).toISOString(),
      access_level: 'EDITOR',
    }
    const code = lastCode(bench, 'INVITE')
    expect(answer).toMatchObject({ status: 201, body: { ...view, code } })
    expect(bench.tables.mails.all()).toMatchObject([{ to: email, kind: 'INVITE', subject: 'You are invited to a workspace' }])
    expect((await bench.call({ ...lookup, path: `/v1/invites/lookup?code=${code}` })).body).toEqual(view)
    expect((await bench.call({ method: 'GET', path: `/v1/invites/${row?.id}`, token: bench.member('VIEWER') })).body).toEqual(view)
    expect(JSON.stringify(row)).not.toContain(code)
  })
  test('makes its addressee a member with its level; once', async () => {
    const bench = createBench()
    const token = guest(bench, { accessLevel: 'EDITOR' })
    const workspace = { method: 'GET', path: `/v1/workspaces/${bench.wid}`, token }
    expect((await bench.call(workspace)).status).toBe(404)
    expect((await bench.call({ method: 'GET', path: '/v1/users/@me/invites', token })).body).toMatchObject({ items: [{ access_level: 'EDITOR' }] })
    expect(await bench.call({ ...accept, token })).toMatchObject({ status: 200, body: { access_level: 'EDITOR', workspace: { id: bench.wid } } })
    expect((await bench.call(workspace)).status).toBe(200)
    expect((await bench.call(create(bench, { email, access_level: 'VIEWER' }, token))).status).toBe(403)
    expect([(await bench.call({ ...accept, token })).status, (await bench.call(lookup)).status]).toEqual([409, 404])
  })
  test('holds for seven days', async () => {
    const bench = createBench()
    await bench.call(create(bench, { email, access_level: 'VIEWER' }))
    const path = `/v1/invites/lookup?code=${lastCode(bench, 'INVITE')}`
    await bench.clock.advance(7 * DAY_MS - 1)
    expect((await bench.call({ ...lookup, path })).status).toBe(200)
    await bench.clock.advance(1)
    expect((await bench.call({ ...lookup, path })).status).toBe(404)
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/invites?email=ADA@people.test` })).body).toHaveProperty('items.length', 1)
  })
  test('to a workspace that requires 2FA lets those in who have it', async () => {
    const bench = createBench()
    bench.tables.workspaces.update(bench.wid, { mfaRequired: true })
    const token = guest(bench)
    turnTotpOn(bench, token)
    expect((await bench.call({ ...accept, token })).status).toBe(200)
  })
  test('that nobody made is not found, for owner levels there is none, and no code means none', async () => {
    const bench = createBench()
    expect([(await bench.call(accept)).status, (await bench.call(lookup)).status]).toEqual([404, 404])
    expect((await bench.call({ ...lookup, path: '/v1/invites/lookup' })).status).toBe(400)
    for (const body of [{ email, access_level: 'OWNER' }, { email: 'nobody', access_level: 'VIEWER' }, { email }]) {
      expect((await bench.call(create(bench, body))).status).toBe(400)
    }
    expect((await bench.call(change(addInvite(bench).id, 'OWNER'))).status).toBe(400)
    for (const method of ['GET', 'DELETE']) expect((await bench.call({ method, path: '/v1/invites/5' })).status).toBe(404)
  })
  test('may be sent twice', async () => {
    const bench = createBench()
    for (let count = 0; count < 2; count += 1) expect((await bench.call(create(bench, { email, access_level: 'VIEWER' }))).status).toBe(201)
    expect(new Set(bench.tables.mails.all().map((mail) => mail.code)).size).toBe(2)
  })
  test('may be sent anew once it has expired or was accepted, and by another workspace', async () => {
    const bench = createBench({ readings: { secondInvite: 'refuse' } })
    addInvite(bench, { email, expiresAtMs: bench.clock.wall() })
    addInvite(bench, { email, acceptedById: '5' })
    addInvite(bench, { email, workspaceId: '77' })
    expect((await bench.call(create(bench, { email, access_level: 'VIEWER' }))).status).toBe(201)
  })
})

describe('a record of membership', () => {
  test('changes what its member may do, at once', async () => {
    const bench = createBench()
    const { token, record } = joined(bench, 'VIEWER')
    expect((await bench.call(change(record.id, 'ADMINISTRATOR'))).body).toMatchObject({ id: record.id, access_level: 'ADMINISTRATOR' })
    expect((await bench.call(create(bench, { email, access_level: 'EDITOR' }, token))).status).toBe(201)
    expect((await bench.call(change(record.id, 'EDITOR', bench.member('ADMINISTRATOR')))).status).toBe(200)
    expect((await bench.call(create(bench, { email, access_level: 'VIEWER' }, token))).status).toBe(403)
  })
  test('deleted sends its member away at once, and an open invite is worth nothing', async () => {
    const bench = createBench()
    const { token, record } = joined(bench, 'EDITOR')
    expect(await bench.call(remove(record.id, bench.member('ADMINISTRATOR')))).toMatchObject({ status: 202, body: null })
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}`, token })).status).toBe(404)
    const invited = guest(bench)
    expect((await bench.call(remove(bench.tables.invites.first('codeHash', hashOfCode('invite'))?.id))).status).toBe(202)
    expect((await bench.call({ ...accept, token: invited })).status).toBe(404)
  })
  test('lets an open invite go though it is the only other one, and the owner when someone stays', async () => {
    const bench = createBench()
    expect((await bench.call(remove(addInvite(bench).id))).status).toBe(202)
    joined(bench, 'EDITOR')
    expect((await bench.call(remove(ownerRecord(bench)))).status).toBe(202)
    expect((await bench.call({ method: 'GET', path: '/v1/workspaces' })).body).toMatchObject({ items: [] })
  })
  test('of an owner is lowered and deleted by staff, and the workspace stays with its owner', async () => {
    const bench = createBench()
    const staff = bench.member(undefined)
    bench.tables.users.update(userOf(bench, staff).id, { staff: true })
    const owner = bench.tables.members.all()[0]
    const ownerNow = async (): Promise<unknown> => (await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}`, token: staff })).body
    expect((await bench.call(change(ownerRecord(bench), 'VIEWER', staff))).status).toBe(200)
    expect(bench.tables.members.get(owner?.id ?? '')).toMatchObject({ accessLevel: 'VIEWER' })
    expect(await ownerNow()).toMatchObject({ owner: { id: owner?.userId } })
    expect((await bench.call(create(bench, { email, access_level: 'VIEWER' }))).status).toBe(403)
    joined(bench, 'EDITOR')
    expect((await bench.call(remove(ownerRecord(bench), staff))).status).toBe(202)
    expect(await ownerNow()).toMatchObject({ owner: { id: owner?.userId } })
  })
  test('asks for an Administrator', async () => {
    const bench = createBench()
    const editor = bench.member('EDITOR')
    const { id } = addInvite(bench)
    const calls = [create(bench, { email, access_level: 'VIEWER' }, editor), change(id, 'VIEWER', editor), remove(id, editor)]
    for (const call of calls) expect((await bench.call(call)).status).toBe(403)
  })
  test('of someone whose inviter is gone names nobody', async () => {
    const bench = createBench()
    const { id } = addInvite(bench, { creatorId: '5' })
    expect((await bench.call({ method: 'GET', path: `/v1/invites/${id}` })).body).toMatchObject({ user: null })
  })
  test.each([
    ['listed', [200, 2]],
    ['hidden', [404, 1]],
  ] as const)('of an owner is %s', async (ownerRecords, expected) => {
    const bench = createBench({ readings: { ownerRecord: ownerRecords } })
    addInvite(bench)
    const { body } = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/invites` })
    const single = await bench.call({ method: 'GET', path: `/v1/invites/${ownerRecord(bench)}` })
    expect([single.status, body]).toMatchObject([expected[0], { items: { length: expected[1] } }])
  })
  test('is not among the invites of the owner, nor does it count for another workspace', async () => {
    const bench = createBench()
    expect((await bench.call({ method: 'GET', path: '/v1/users/@me/invites' })).body).toMatchObject({ items: [] })
    await bench.call({ method: 'POST', path: '/v1/workspaces', body: { name: 'second' } })
    const second = bench.tables.workspaces.all()[1]?.id
    expect((await bench.call({ method: 'GET', path: `/v1/workspaces/${second}/invites` })).body).toMatchObject({
      items: [{ access_level: 'OWNER', email: 'owner@sandbox.test', expires: null }],
    })
  })
})

test('the list is filtered by id, creator, member, email and level', async () => {
  const bench = createBench()
  const owner = bench.tables.users.all()[0]?.id
  const { record } = joined(bench, 'EDITOR')
  const other = addInvite(bench, { email, creatorId: record.acceptedById ?? '' })
  const found = async (query: string): Promise<unknown> => {
    const { body } = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/invites?${query}`, token: bench.member('VIEWER') })
    return typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body['items'])
      ? body['items'].map((item) => Object.entries(item ?? {}).find(([name]) => name === 'id')?.[1])
      : undefined
  }
  expect(await found(`id=${other.id}&id=${record.id}`)).toEqual([record.id, other.id])
  expect(await found(`user=${owner}`)).toEqual([ownerRecord(bench), record.id])
  expect(await found(`target=${record.acceptedById}`)).toEqual([record.id])
  expect(await found('email=ada@people.test')).toEqual([other.id])
  expect(await found('access_level=OWNER')).toEqual([ownerRecord(bench)])
})
