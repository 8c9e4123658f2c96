// Refusals say what was wrong: the first issue in the reason, all of them as fields.
import { expect, test } from 'vitest'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { found, headerText, messageOf, misfit } from './refusal.ts'

test('a misfit names the first field, unless it is the whole', () => {
  const issues = [
    { path: ['ports', 0, 'name'], message: 'too short' },
    { path: [], message: 'too much' },
  ]
  expect(misfit('the body does not fit', issues)).toMatchObject({
    status: 400,
    message: 'the body does not fit: ports.0.name: too short',
    fields: [
      { field: 'ports.0.name', message: 'too short' },
      { field: '', message: 'too much' },
    ],
  })
  expect(misfit('the body does not fit', issues.slice(1)).message).toBe('the body does not fit: too much')
})

test('of several forms, what is missing from the nearest one is said, and which there are where none is near', async () => {
  const { call, wid, sandbox } = createBench()
  const refused = async (path: string, body: unknown, method = 'POST'): Promise<unknown> => {
    const answer = await call({ method, path, ...(body === undefined ? {} : { body }), token: path.startsWith('/v1/workspaces') ? sandbox.token : null })
    return [answer.status, answer.body]
  }
  const wrong = (...errors: readonly (readonly [field: string, message: unknown])[]) => [
    400,
    { errors: errors.map(([field, message]) => ({ field, message })) },
  ]
  const token = { name: 'robot', expires: '2026-02-01T00:00:00Z', grants: { DISK: 'READ' } }
  const tokens = `/v1/workspaces/${wid}/tokens`
  const id = 'a 64-bit id, as an integer'
  expect(await refused(tokens, { ...token, subject: 'RESOURCE' })).toEqual(wrong(['subject_id', id]))
  expect(await refused(tokens, { ...token, subject: 'USER' })).toEqual(wrong(['subject', 'WORKSPACE or RESOURCE']))
  expect(await refused(`/v1/workspaces/${wid}/instances`, { type: 'PLAN', name: 'web', region: 'fra-1', plan: 'ryzen-2' })).toEqual(wrong(['plan', id]))
  const both = 'exactly one of {email} and {code, password}'
  for (const body of [{}, { email: 'a@b.test', code: 'x', password: 'long-enough' }, { nonsense: true }])
    expect(await refused('/v1/reset-password', body)).toEqual(wrong(['', both]))
  expect(await refused('/v1/reset-password', { code: 'x' })).toEqual(wrong(['password', expect.stringContaining('expected string')]))
  expect(await refused('/v1/reset-password', { email: 'x' })).toEqual(wrong(['email', 'Invalid email address']))
  expect(await refused('/v1/verify-email', {})).toEqual(wrong(['', 'exactly one of {email} and {code}']))
  expect(await refused(`/v1/workspaces/${wid}/usage?from=soon&to=2026-01-01`, undefined, 'GET')).toEqual(
    wrong(['from', 'an ISO 8601 instant such as 2026-01-31T12:00:00Z']),
  )
})

test('a reason that no header could hold is cut there, and stands in full in the body', async () => {
  const { call, wid } = createBench()
  const name = 'x'.repeat(20_000)
  const answer = await call({ method: 'POST', path: `/v1/workspaces/${wid}/vpcs`, body: { [name]: 1, name: 'main', description: '', range: '10.0.0.0/24' } })
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ message: expect.stringContaining(name) }] } })
  expect(answer.headers['x-message']).toMatch(/^the body does not fit: .*x\.\.\.$/)
  expect(answer.headers['x-message']).toHaveLength(1000)
  expect([headerText('a\nb\u00e9'), headerText('y'.repeat(1000))]).toEqual(['a?b?', 'y'.repeat(1000)])
})

test('what is not found is a 404, and an error says what it can', () => {
  expect(() => found(undefined, 'VPC')).toThrow(expect.objectContaining({ status: 404, message: 'VPC not found' }))
  expect([found(0, 'number'), messageOf(new Error('why')), messageOf('thrown')]).toEqual([0, 'why', 'thrown'])
})
