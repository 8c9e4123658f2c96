// When a server of states is asked again: after pauses that double, as often as it may be, and never before it says.
import { expect, test } from 'vitest'
import { answer, double } from '../../../../test/builders/wire-double.ts'
import type { WireResponse } from '../../../api/transport/wire.ts'
import { virtualClock } from '../../../base/clock.ts'
import type { Retrying } from './remote.ts'
import { createRemote } from './remote.ts'

/** When each request left that was answered so, until it was given up. */
async function askedMs(retrying: Retrying, refusal: WireResponse, patienceMs?: number): Promise<readonly number[]> {
  const clock = virtualClock()
  const all: number[] = []
  const { transport } = double(() => (all.push(clock.now()), refusal))
  const address = { where: 'the server', origin: 'https://states.test', state: '/shop', updateMethod: 'POST', retrying }
  const patience = () => (patienceMs === undefined ? undefined : patienceMs - clock.now())
  const remote = createRemote({ address, transport, clock, patience, quietMs: 1000 })
  await expect(remote.ask({ method: 'GET', path: '/shop' })).rejects.toThrow('the server')
  return all
}

const busy = answer(503)

test.each<[string, Retrying, WireResponse, number | undefined, readonly number[]]>([
  ['pauses double, up to the longest', { firstMs: 100, longestMs: 300 }, busy, 1500, [0, 100, 300, 600, 900, 1200, 1500]],
  ['without a lease for five seconds', { firstMs: 1000, longestMs: 9000 }, busy, undefined, [0, 1000, 3000]],
  ['no more than the most times', { most: 2, firstMs: 100, longestMs: 300 }, busy, 60_000, [0, 100, 300]],
  ['not at all where that is none', { most: 0, firstMs: 100, longestMs: 300 }, busy, 60_000, [0]],
  ['a first pause beyond the longest stays', { firstMs: 500, longestMs: 100 }, busy, 1500, [0, 500, 1000, 1500]],
  ['never before the server says', { most: 3, firstMs: 500, longestMs: 9000 }, answer(503, {}, { 'retry-after': '1' }), 60_000, [0, 1000, 2000, 4000]],
])('%s', async (_, retrying, refusal, patienceMs, atMs) => {
  expect(await askedMs(retrying, refusal, patienceMs)).toEqual(atMs)
})
