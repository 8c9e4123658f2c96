// What the walk sees of the wire.
import { expect, test } from 'vitest'
import { watch } from './traffic.ts'

const answering = (message: string) =>
  watch(async () => ({ status: 500, headers: { 'x-message': message }, text: async () => '', async *chunks() {} })).transport({
    method: 'POST',
    path: '/v1/vpcs',
    headers: {},
  })

test('a defect of the service is told in its own words, and another 500 is an answer', async () => {
  await expect(answering('a defect of the sandbox: vlan: expected number')).rejects.toThrow('POST /v1/vpcs: a defect of the sandbox: vlan: expected number')
  expect((await answering('try again')).status).toBe(500)
})
