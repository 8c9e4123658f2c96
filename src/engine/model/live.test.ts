// The reader of an observation: each question is asked once, and what it cannot read names its request.
import { expect, test } from 'vitest'
import { ApiError, call } from '../../api/calls/call.ts'
import { compatSchema } from '../../api/calls/compat.ts'
import { routes } from '../../api/routes/routes.ts'
import type { JsonValue } from '../../base/json.ts'
import { Vpc } from '../../kinds/vpc.ts'
import { createReader } from './live.ts'

function reading(answer: JsonValue) {
  const asked: string[] = []
  const answered = async ({ route }: { readonly route: { readonly path: string } }) => {
    asked.push(route.path)
    return answer
  }
  const list = async (what: Parameters<typeof answered>[0]) => [await answered(what)]
  return { asked, reader: createReader({ read: answered, all: list, text: async () => '' }, compatSchema.parse({})) }
}
const one = call(routes.getVpc, { vid: '5' })
const list = call(routes.listVpcs, { wid: '9' })

test('each question is asked once', async () => {
  const { asked, reader } = reading({ id: '5' })
  await Promise.all([reader.one(one, Vpc.live), reader.one(one, Vpc.live), reader.all(list, Vpc.live), reader.all(list, Vpc.live)])
  expect(asked).toEqual(['/v1/vpcs/{vid}', '/v1/workspaces/{wid}/vpcs'])
})
test('an answer without its id is an error of the service that names the request', async () => {
  const { reader } = reading({ name: 'main' })
  await expect(reader.one(one, Vpc.live)).rejects.toBeInstanceOf(ApiError)
  await expect(reader.one(one, Vpc.live)).rejects.toThrow('the service answered 200 to GET /v1/vpcs/{vid}: a Vpc in it cannot be read: id')
  await expect(reader.all(list, Vpc.live)).rejects.toThrow('GET /v1/workspaces/{wid}/vpcs')
})
