// A sandbox that begins where another one stood: what it refuses, and who is let in there.
import { describe, expect, test } from 'vitest'
import { createBench } from '../../test/builders/sandbox-bench.ts'
import type { Snapshot } from './store/store.ts'
import { printSnapshot } from './store/store.ts'

const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }

/** Rows of a sandbox that was filled, changed as a test says. */
function changed(change: (snapshot: Snapshot) => unknown): unknown {
  return change(createBench().sandbox.snapshot())
}

describe('what is no snapshot of a sandbox', () => {
  test.each([
    ['nothing', undefined],
    ['no tables', changed((snapshot) => ({ ...snapshot, tables: {} }))],
    ['no workspaces', changed((snapshot) => ({ ...snapshot, tables: { ...snapshot.tables, workspaces: [] } }))],
    ['no users', changed((snapshot) => ({ ...snapshot, tables: { ...snapshot.tables, users: [] } }))],
    ['half an id', changed((snapshot) => ({ ...snapshot, last: { ...snapshot.last, vpcs: 0.5 } }))],
    ['a count below none', changed((snapshot) => ({ ...snapshot, last: { ...snapshot.last, vpcs: -1 } }))],
  ])('%s changes nothing', async (_, snapshot) => {
    const { sandbox, call, wid } = createBench()
    await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: vpc })
    const before = printSnapshot(sandbox.snapshot())
    expect(() => sandbox.load(snapshot)).toThrow(/snapshot|workspace|expected/)
    expect(printSnapshot(sandbox.snapshot())).toBe(before)
    expect((await call({ method: 'GET', path: '/v1/users/@me' })).status).toBe(200)
    if (snapshot !== undefined) expect(() => createBench({ snapshot })).toThrow(/workspace|expected/)
  })
})

test('both tokens are let in again where their sessions are gone, and nobody in the place of a user who is gone', async () => {
  const first = createBench()
  const { tokens, users } = first.tables
  for (const { id } of tokens.all()) tokens.delete(id)
  const statusesAt = async (snapshot: Snapshot): Promise<readonly number[]> => {
    const { sandbox, call } = createBench({ snapshot, tokenLabel: '/other' })
    const ask = async (token: string): Promise<number> => (await call({ method: 'GET', path: '/v1/users/@me', token })).status
    return [await ask(sandbox.token), await ask(sandbox.operatorToken)]
  }
  expect(await statusesAt(first.sandbox.snapshot())).toEqual([200, 200])
  const [, operator] = users.all()
  users.delete(operator?.id ?? '')
  first.member('VIEWER')
  expect(await statusesAt(first.sandbox.snapshot())).toEqual([200, 401])
})

test('the token that a restart prints is good after a change of the password', async () => {
  const { sandbox, call } = createBench()
  const body = { old_password: 'sandbox-password', password: 'another-password-1' }
  expect((await call({ method: 'POST', path: '/v1/users/@me/password', body })).status).toBe(202)
  expect((await call({ method: 'GET', path: '/v1/users/@me' })).status).toBe(401)
  const again = createBench({ snapshot: sandbox.snapshot() })
  expect(again.sandbox.token).toBe(sandbox.token)
  expect((await again.call({ method: 'GET', path: '/v1/users/@me' })).status).toBe(200)
})

test('ids go on past those that are there where a snapshot counts too low', () => {
  const first = createBench()
  const { id } = first.tables.vpcs.insert({ workspaceId: first.wid, vlan: 100, ...vpc })
  const { tables } = createBench({ snapshot: { ...first.sandbox.snapshot(), last: {} } })
  const made = tables.vpcs.insert({ workspaceId: first.wid, vlan: 101, ...vpc })
  expect(tables.vpcs.all().map((row) => row.id)).toEqual([id, made.id])
})
