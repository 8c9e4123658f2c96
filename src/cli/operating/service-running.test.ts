// A service after a redeploy: waited for until it runs with all it should have, or says that it will not.
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/calls/call.ts'
import { UnreachableError } from '../../api/calls/failed-call.ts'
import { virtualClock } from '../../base/clock.ts'
import type { JsonValue } from '../../base/json.ts'
import { k3sServiceOperations } from '../../kinds/k3s-service-operations.ts'
import { untilRunning } from './service-running.ts'

/** How often was read, and how it ended; the last answer stays. */
async function waited(answers: readonly (JsonValue | undefined)[], address = 'K3sService/shop'): Promise<{ readonly reads: number; readonly end: unknown }> {
  const clock = virtualClock()
  let reads = 0
  const client = { read: async () => answers[Math.min(answers.length - 1, reads++)], text: async () => 'connecting with CANARY' }
  const target = { address, id: '1', workspaceId: '2', operations: k3sServiceOperations }
  const end = await untilRunning({ clock }, client, target).catch((error: unknown) => error)
  return { reads, end }
}

test.each([
  [[{ service: { status: 'RUNNING' }, live: null }], 1],
  [[{ service: { status: 'UPDATING' } }, { service: { status: 'running' } }], 2],
  [[{ service: { status: 'RUNNING' }, live: { updating: true } }, { status: 'RUNNING' }], 2],
  [
    [
      { service: { status: 'RUNNING' }, live: { desired_replicas: 2, available_replicas: 1 } },
      { service: { status: 'RUNNING' }, live: { desired_replicas: 2, available_replicas: 2 } },
    ],
    2,
  ],
  [[{ service: { status: 'DEPLOYING' } }, { service: { status: 'STOPPED' } }], 2],
])('%j is waited for', async (answers, reads) => {
  expect(await waited(answers)).toEqual({ reads, end: undefined })
})

test.each([
  [[{ service: { status: 'FAILED' } }], 'K3sService/shop is FAILED'],
  [[undefined], 'is being deleted, or gone'],
  [[{ service: { status: 'DELETING' } }], 'is being deleted, or gone'],
  [[{ service: { status: 'DEPLOYING' } }], 'is still DEPLOYING after 20 minutes'],
  [[null], 'is being deleted, or gone'],
  [[{ service: { status: 7 } }], 'is still in no known state after 20 minutes'],
])('%j is an error with 8', async (answers, said) => {
  expect((await waited(answers)).end).toMatchObject({ exitCode: 8, message: expect.stringContaining(said) })
})

test('one that failed says where its log is, and prints none of it: it may hold secrets', async () => {
  const { end } = await waited([{ service: { status: 'FAILED' } }])
  expect(end).toMatchObject({ diagnostics: [{ hint: 'see `iac logs K3sService/shop`' }] })
  expect(inspect(end)).not.toContain('CANARY')
  const keyed = await waited([{ service: { status: 'FAILED' } }], 'K3sService/shop["a"]')
  expect(keyed.end).toMatchObject({ diagnostics: [{ hint: `see \`iac logs 'K3sService/shop["a"]'\`` }] })
})

test.each([new UnreachableError('GET /v1/services/1', 'the connection was refused'), new ApiError(403, 'not any more', 'GET /v1/services/1')])(
  'what was done is told where it cannot be read afterwards: %s',
  async (error) => {
    async function read(): Promise<JsonValue | undefined> {
      throw error
    }
    const client = { read }
    const waiting = untilRunning({ clock: virtualClock() }, client, { address: 'K3sService/shop', id: '1', workspaceId: '2', operations: k3sServiceOperations })
    await expect(waiting).rejects.toMatchObject({
      exitCode: 8,
      message: expect.stringMatching(/^K3sService\/shop was changed as asked, and whether it runs is not known: /),
    })
  },
)
