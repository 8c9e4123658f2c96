// Which requests lists share, and that no answer is older than its question.
import { describe, expect, test } from 'vitest'
import { call } from '../../api/calls/call.ts'
import { routes } from '../../api/routes/routes.ts'
import type { JsonValue } from '../../base/json.ts'
import { sharedLists } from './shared-lists.ts'

const secrets = call(routes.listK3sSecrets, { wid: '1' })
const others = call(routes.listK3sSecrets, { wid: '2' })

/** A source whose lists are answered by hand: each answer is the state when its request left. */
function byHand() {
  let state = 0
  const waiting: (() => void)[] = []
  const failing: (() => void)[] = []
  const source = {
    read: async () => undefined,
    text: async () => '',
    all: () => {
      const seen = state
      return new Promise<readonly JsonValue[]>((resolve, reject) => {
        waiting.push(() => resolve([seen]))
        failing.push(() => reject(new Error(`failed at ${seen}`)))
      })
    },
  }
  const settle = async (actions: (() => void)[], at: number): Promise<void> => {
    actions[at]?.()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return {
    shared: sharedLists(source),
    change: () => void (state += 1),
    answer: (at: number) => settle(waiting, at),
    fail: (at: number) => settle(failing, at),
    requests: () => waiting.length,
  }
}

describe('sharedLists', () => {
  test('whoever asks while a request is under way shares the one that follows it', async () => {
    const { shared, change, answer, requests } = byHand()
    const first = shared.all(secrets)
    await answer(-1)
    expect(requests()).toBe(1)
    change()
    const later = [shared.all(secrets), shared.all(secrets), shared.all(secrets)]
    expect(requests()).toBe(1)
    await answer(0)
    expect(requests()).toBe(2)
    await answer(1)
    expect(await first).toEqual([0])
    expect(await Promise.all(later)).toEqual([[1], [1], [1]])
  })

  test('whoever asks in the same turn shares one request', async () => {
    const { shared, answer, requests } = byHand()
    const all = [shared.all(secrets), shared.all(secrets), shared.all(secrets)]
    await answer(-1)
    expect(requests()).toBe(1)
    await answer(0)
    expect(await Promise.all(all)).toEqual([[0], [0], [0]])
  })

  test('who asks while the following one is under way waits for a newer one', async () => {
    const { shared, change, answer, requests } = byHand()
    void shared.all(secrets)
    await answer(-1)
    void shared.all(secrets)
    await answer(0)
    change()
    const newest = shared.all(secrets)
    await answer(1)
    expect(requests()).toBe(3)
    await answer(2)
    expect(await newest).toEqual([1])
  })

  test('other questions share nothing, and a failure is that of who asked', async () => {
    const { shared, answer, fail, requests } = byHand()
    const first = shared.all(secrets)
    const other = shared.all(others)
    await answer(-1)
    const following = shared.all(secrets)
    const refused = first.catch((error: unknown) => String(error))
    expect(requests()).toBe(2)
    await fail(0)
    expect(await refused).toBe('Error: failed at 0')
    await answer(1)
    await answer(2)
    expect(await other).toEqual([0])
    expect(await following).toEqual([0])
  })
})
