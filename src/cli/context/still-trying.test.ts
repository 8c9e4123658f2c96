// When people are told that a service does not answer.
import { expect, test } from 'vitest'
import { createPatience, createWaitTeller } from './still-trying.ts'

test('is said after 3 s in which nothing was served, then each 10 s, and anew once something was', () => {
  const said: string[] = []
  let now = 0
  const heard = createPatience(
    () => now,
    (text) => said.push(`${now} ${text}`),
    60_000,
  )
  const failed = (atMs: number): void => {
    now = atMs
    heard({ request: () => 'GET /v1/plans', ms: 100, why: 'host.test: the connection was refused' })
  }
  for (const atMs of [100, 2000, 2999, 3200, 5000, 13_100, 13_300]) failed(atMs)
  expect(said).toEqual([
    '3200 still trying, for another 57 s: host.test: the connection was refused',
    '13300 still trying, for another 47 s: host.test: the connection was refused',
  ])
  heard({ request: () => 'GET /v1/plans', ms: 100, status: 404 })
  failed(24_000)
  expect(said).toHaveLength(2)
  failed(27_100)
  for (const [atMs, status] of [
    [36_000, 503],
    [37_200, 503],
    [48_000, 429],
  ] as const) {
    now = atMs
    heard({ request: () => 'GET /v1/plans', ms: 100, status })
  }
  expect(said.slice(2)).toEqual([
    '27100 still trying: host.test: the connection was refused',
    '37200 still trying: the service answers 503',
    '48000 still trying: the service answers 429',
  ])
})

test('a pause that the service asks for is said from 3 s on, and one for all that end together', () => {
  const said: string[] = []
  let now = 0
  const waits = createWaitTeller(
    () => now,
    (text) => said.push(`${now} ${text}`),
  )
  for (const [atMs, ms] of [
    [0, 2999],
    [100, 120_400],
    [200, 121_000],
    [90_000, 31_000],
    [120_600, 300_000],
  ] as const) {
    now = atMs
    waits({ ms, why: 'GET /v1/plans: 429' })
  }
  expect(said).toEqual(['100 waiting for 2m1s, as asked: GET /v1/plans: 429', '120600 waiting for 5m, as asked: GET /v1/plans: 429'])
})
