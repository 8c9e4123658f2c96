// Secrets stay out of the log: each by its name, and no field of any route that sounds like one is forgotten.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Route } from '../../../api/routes/route.ts'
import type { RouteName } from '../../served-routes.ts'
import { routes } from '../../served-routes.ts'
import { routeNames } from '../route-index.ts'
import { loggedBody, loggedPath, MASK, secretMaps, secretNames } from './logged-body.ts'

describe('a logged body', () => {
  test('shows all but secrets', () => {
    expect(loggedBody('{"name":"a","password":"p","deep":[{"code":"c","id":9007199254740993}],"token":null}', 'login', 'answer')).toEqual({
      name: 'a',
      password: MASK,
      deep: [{ code: MASK, id: 9007199254740993n }],
      token: null,
    })
  })

  test('shows the keys of secrets and variables, and the data of workflows', () => {
    expect(loggedBody('{"environment":{"A":"1"},"data":{"K":"v"}}', 'createK3sSecret', 'answer')).toEqual({ environment: { A: MASK }, data: { K: MASK } })
    expect(loggedBody('{"environment":[{"key":"A","value":"1"},{"key":"B","value":null},"x"],"env":"raw"}', 'createAppTemplate', 'answer')).toEqual({
      environment: [{ key: 'A', value: MASK }, { key: 'B', value: null }, MASK],
      env: MASK,
    })
    expect(loggedBody('{"data":{"instance_id":"1"},"environment":null}', 'getWorkflow', 'answer')).toEqual({ data: { instance_id: '1' }, environment: null })
  })

  test('is left out where it is too long to look through, or no JSON', () => {
    expect(loggedBody('password=p', 'login', 'answer')).toEqual({ omitted: 'no JSON', length: 10 })
    expect(loggedBody(`"${'x'.repeat(20_000)}"`, 'login', 'answer')).toEqual({ omitted: 'too long', length: 20_002 })
    expect([loggedBody(undefined, 'login', 'answer'), loggedBody('', undefined, 'answer')]).toEqual([null, null])
  })

  test('a path shows its query but for secrets', () => {
    expect(loggedPath('/v1/x?q=a&code=secret&mfa=1')).toBe(`/v1/x?q=a&code=${encodeURIComponent(MASK)}&mfa=${encodeURIComponent(MASK)}`)
    expect([loggedPath('/v1/x'), loggedPath('/v1/x?')]).toEqual(['/v1/x', '/v1/x'])
  })

  test('a secret parameter is masked however its name is written', () => {
    for (const name of ['%63ode', 'c%6Fde', '%63%6f%64%65', 'code[]']) expect(loggedPath(`/v1/x?${name}=abc`)).not.toContain('abc')
    expect(loggedPath('/v1/x?%E0=abc')).toBe('/v1/x?%E0=abc')
  })

  test('a secret is masked however its name is spelt in capitals', () => {
    expect(loggedBody('{"Password":"p","ENV":{"A":"1"}}', undefined, 'request')).toEqual({ Password: MASK, ENV: { A: MASK } })
    expect(loggedPath('/v1/x?CODE=abc')).not.toContain('abc')
  })

  test('where secrets are sent, what has the name of no member may be one', () => {
    const sent = (body: unknown, operation: RouteName) => loggedBody(JSON.stringify(body), operation, 'request')
    expect(sent({ name: 'db', dat: { k: 'v' } }, 'createK3sSecret')).toEqual({ name: 'db', dat: MASK })
    expect(sent({ Data: { k: 'v' }, data: { k: 'v' } }, 'updateK3sSecret')).toEqual({ Data: MASK, data: { k: MASK } })
    expect(sent({ email: 'a@b.c', passwrd: 'p', password: 'q' }, 'login')).toEqual({ email: 'a@b.c', passwrd: MASK, password: MASK })
    expect(sent([{ passwrd: 'p' }], 'login')).toBe(MASK)
    const service = { name: 'web', ports: [{ host_port: 1, secret: 's' }], environment: { A: 'v' } }
    expect(sent(service, 'createK3sService')).toEqual({ name: 'web', ports: [{ host_port: 1, secret: MASK }], environment: { A: MASK } })
    // Who sends no secret may be shown every slip.
    expect(sent({ nme: 'main' }, 'createVpc')).toEqual({ nme: 'main' })
    expect(loggedBody('{"other":1}', 'createK3sSecret', 'answer')).toEqual({ other: 1 })
  })

  test('data that was meant for no operation that is known may be that of a secret', () => {
    expect(loggedBody('{"name":"a","data":{"K":"v"}}', undefined, 'answer')).toEqual({ name: 'a', data: { K: MASK } })
  })
})

/** Fields that sound like secrets and are none. */
const harmless = new Set(['secret_refs', 'public_key', 'key', 'keys', 'disable_ssh_password', 'max_ssh_keys', 'mfa_required', 'disable_cloud_init'])

function fieldsOf(schema: z.core.$ZodType): string[] {
  const names: string[] = []
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  JSON.parse(text, (key, value: unknown) => {
    if (key === 'properties' && typeof value === 'object' && value !== null) names.push(...Object.keys(value))
    return value
  })
  return names
}

test('every field of every route that sounds like a secret is masked, or known to be none', () => {
  const sounds = /pass|secret|token|credential|private|code|mfa|totp|key|cloud_init|kubeconfig/
  const names = new Set(
    routeNames.flatMap((name) => {
      const { body, answer, query }: Route = routes[name]
      return [body, query, 'item' in answer ? answer.item : undefined].flatMap((schema) => (schema ? fieldsOf(schema()) : []))
    }),
  )
  expect([...names].filter((name) => sounds.test(name) && !secretNames.has(name) && !secretMaps.has(name) && !harmless.has(name))).toEqual([])
  expect([...secretNames].filter((name) => !names.has(name))).toEqual([])
})
