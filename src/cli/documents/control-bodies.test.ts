// The bodies that the page shows: each is taken by its route, and no member of any of them is left out.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { withHost } from '../../../test/builders/host-bench.ts'
import { isObject } from '../../base/json.ts'
import { controlRoutes } from '../../sandbox/control/control-routes.ts'
import { controlBodies } from './control-bodies.ts'

const taking = controlRoutes.filter((one) => one.body !== undefined && one.path !== '/seed')
const nameOf = ({ method, path }: (typeof controlRoutes)[number]): string => `${method} ${path}`
const shown = Object.entries(controlBodies).flatMap(([route, all]) => all.map(({ body }) => ({ route, body })))

/** The members that a body may have, by its JSON Schema: those of its alternatives, too. */
function membersOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersOf)
  if (typeof schema !== 'object' || schema === null) return []
  const below = 'anyOf' in schema ? membersOf(schema.anyOf) : []
  return 'properties' in schema && typeof schema.properties === 'object' ? [...below, ...Object.keys(schema.properties ?? {})] : below
}

test('there are some for every route that takes one, and for no other', () => {
  expect(Object.keys(controlBodies).toSorted()).toEqual(taking.map(nameOf).toSorted())
})

test.each(taking.map((one) => [nameOf(one), one] as const))('%s: every member of it is shown', (name, { body }) => {
  const known = membersOf(z.toJSONSchema(body ?? z.unknown(), { io: 'input', unrepresentable: 'any' })).filter((one) => one !== 'snapshot')
  expect(known).not.toEqual([])
  const given = (controlBodies[name] ?? []).flatMap((one) => Object.keys(one.body))
  expect([...new Set(given)].toSorted()).toEqual([...known].toSorted())
})

test.each(shown)('$route takes $body', async ({ route, body }) => {
  const [method = '', path = ''] = route.split(' ')
  await withHost('in process', {}, async ({ call }) => {
    const answer = await call({ method, path: `/_sandbox${path}`, body })
    expect([answer.status, isObject(answer.body)]).toEqual([method === 'PUT' || path === '/clock/advance' ? 200 : 201, true])
  })
})

test('a sandbox begins where a snapshot stands as other routes answer it', async () => {
  await withHost('in process', {}, async ({ call }) => {
    await call({ method: 'POST', path: '/_sandbox/snapshots', body: { name: 'before' } })
    for (const path of ['/_sandbox/state', '/_sandbox/snapshots/before']) {
      const { body } = await call(path)
      expect((await call({ method: 'POST', path: '/_sandbox/seed', body })).status).toBe(200)
    }
  })
})
