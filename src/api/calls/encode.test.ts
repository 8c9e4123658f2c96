// What leaves is exact, and what does not fit leaves nothing.
import { describe, expect, test } from 'vitest'
import { fc } from '../../../test/builders/properties.ts'
import { undocumentedRoutes } from '../routes/commands.ts'
import { routes } from '../routes/routes.ts'
import type { Call } from './call.ts'
import { call } from './call.ts'
import { compatSchema } from './compat.ts'
import type { ArrayStyle, Encoded } from './encode.ts'
import { encodeCall } from './encode.ts'
import { InvalidRequest } from './failed-call.ts'

const compat = compatSchema.parse({})

function encoded(one: Call, style: ArrayStyle = 'repeat', settings = compat): Encoded {
  return encodeCall(one, one.route.methods[0], style, settings)
}

function refusal(one: Call): InvalidRequest {
  try {
    encoded(one)
  } catch (error) {
    if (error instanceof InvalidRequest) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('paths', () => {
  test.each(['', '..', '../x', 'a/b', '%2e', '%2e%2e', '1?x=1', '1#', '0', '-1', '1e3', ' 1', '1 ', '1\n', '٣', '1'.repeat(20), '9'.repeat(10_240), '@me'])(
    'refuses the id %j',
    (id) => {
      expect(refusal(call(routes.getVpc, { vid: id })).paths).toEqual(['{vid}: not an id'])
    },
  )

  test('takes what each type allows', () => {
    expect(encoded(call(routes.getVpc, { vid: '9223372036854775807' })).path).toBe('/v1/vpcs/9223372036854775807')
    expect(encoded(call(routes.getUser, { id: '@me' })).path).toBe('/v1/users/@me')
    expect(refusal(call(routes.getUser, { id: '@you' })).message).not.toContain('@you')
    expect(encoded(call(routes.getWorkflow, { wfid: '0f8fad5b-d9cb-469f-a165-70867728950e' })).path).toContain('/v1/workflows/0f8f')
    expect(refusal(call(routes.getWorkflow, { wfid: '../users/@me' })).paths).toEqual(['{wfid}: not a uuid'])
  })

  test('no parameter leads to another path', () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        try {
          const { path } = encoded(call(routes.getVpc, { vid: id }))
          expect(new URL(`https://host${path}`).pathname).toBe(`/v1/vpcs/${id}`)
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidRequest)
        }
      }),
    )
  })
})

describe('queries', () => {
  const list = (query: Call['query']) => call(routes.listVpcs, { wid: '1' }, undefined, query)

  test.each<[ArrayStyle, string]>([
    ['repeat', '?id=1&id=2&name=a%26b'],
    ['comma', '?id=1%2C2&name=a%26b'],
    ['brackets', '?id%5B%5D=1&id%5B%5D=2&name=a%26b'],
    ['none', '?name=a%26b'],
  ])('%s', (style, query) => {
    expect(encoded(list({ id: ['1', '2'], name: 'a&b' }), style).path).toBe(`/v1/workspaces/1/vpcs${query}`)
  })

  test('what the route does not know is refused, without the value', () => {
    expect(refusal(list({ bogus: 'CANARY' })).message).toMatch(/bogus/)
    expect(refusal(list({ bogus: 'CANARY' })).message).not.toContain('CANARY')
    expect(refusal(list({ id: ['CANARY'] })).message).not.toContain('CANARY')
    expect(encoded(list({ name: undefined })).path).toBe('/v1/workspaces/1/vpcs')
  })
})

describe('bodies', () => {
  test('ids are exact integers', () => {
    expect(encoded(call(routes.joinVpc, { iid: '1' }, { vpc: '9007199254740993' })).body).toBe('{"vpc":9007199254740993}')
  })

  test('what does not fit is refused by path, without the value', () => {
    const wrong = refusal(call(routes.createVpc, { wid: '1' }, { name: 'CANARY', description: 7, extra: true }))
    expect(wrong.paths.join()).toMatch(/body\/description.*body\/range.*extra/)
    expect(wrong.message).not.toContain('CANARY')
    expect(refusal(call(routes.createVpc, { wid: '1' })).paths).toHaveLength(1)
    expect(refusal(call(routes.getVpc, { vid: '1' }, {})).paths).toEqual(['body: this call takes none'])
  })

  test('headers of a route are checked', () => {
    const bare = call(routes.deleteTotp, { uid: '@me' })
    expect(refusal(bare).paths.join()).toContain('header')
    expect(encoded({ ...bare, headers: { 'X-MFA': '123456' } }).headers).toEqual({ 'X-MFA': '123456' })
    expect(refusal({ ...bare, headers: { 'X-MFA': '12\r\nX: CANARY' } }).message).not.toContain('CANARY')
  })
})

describe('floating IP commands', () => {
  const attach = call(undocumentedRoutes.attachIp, {}, { ip_id: '5', instance_id: '9007199254740993' })
  const detach = call(undocumentedRoutes.detachIp, {}, { ip_id: '5' })

  test('as assumed', () => {
    expect(encoded(attach)).toMatchObject({ method: 'POST', path: '/v1/commands/attach-ip', body: '{"ip_id":5,"instance_id":9007199254740993}' })
    expect(encoded(detach)).toMatchObject({ method: 'POST', path: '/v1/commands/detach-ip', body: '{"ip_id":5}' })
  })

  test('as set', () => {
    const set = compatSchema.parse({
      attach_ip: { path: '/v1/networking/ips/{id}/attach', ip: null, instance: 'instance' },
      detach_ip: { method: 'PATCH', path: '/v1/networking/ips/{id}' },
    })
    expect(encoded(attach, 'repeat', set)).toMatchObject({ method: 'POST', path: '/v1/networking/ips/5/attach', body: '{"instance":9007199254740993}' })
    expect(encoded(detach, 'repeat', set)).toEqual({ method: 'PATCH', path: '/v1/networking/ips/5', headers: {}, body: undefined })
    const odd = { ...set, attach_ip: { ...set.attach_ip, path: '/v1/instances/{id}' } }
    expect(() => encoded(attach, 'repeat', odd)).toThrow(InvalidRequest)
  })
})
