// What roles and grants allow, counted from the table of routes.
import { expect, test } from 'vitest'
import { allowedCalls } from './allowed-calls.ts'

const changing = (role: string | null, grants?: Readonly<Record<string, string>>): number => allowedCalls(role, grants).changing.allowed
const reading = (role: string | null, grants?: Readonly<Record<string, string>>): number => allowedCalls(role, grants).reading.allowed

test('each role allows more than the one below it, and the owner everything', () => {
  const { reading: reads, changing: changes } = allowedCalls('OWNER', undefined)
  expect([reads.allowed, changes.allowed]).toEqual([reads.all, changes.all])
  // What an owner alone may do stands in members of a call's body.
  const steps = ['VIEWER', 'EDITOR', 'ADMINISTRATOR'].map((role) => reading(role) + changing(role))
  expect(steps).toEqual(steps.toSorted((a, b) => a - b))
  expect(new Set(steps).size).toBe(3)
})

test('a role that is not known allows nothing', () => {
  expect([reading(null), changing(null), reading('SOMETHING')]).toEqual([0, 0, 0])
})

test('grants narrow that: WRITE includes READ, READ changes nothing, and no token makes tokens', () => {
  expect([changing('OWNER', {}) < changing('OWNER'), changing('OWNER', { INSTANCE: 'READ' })]).toEqual([true, changing('OWNER', {})])
  expect(reading('OWNER', { INSTANCE: 'WRITE' })).toBe(reading('OWNER', { INSTANCE: 'READ' }))
  expect(changing('OWNER', { INSTANCE: 'WRITE' })).toBeGreaterThan(changing('OWNER', {}))
  const all = Object.fromEntries(['WORKSPACE', 'INSTANCE', 'DEDIBOX', 'APP', 'IMAGE', 'NET_BALANCER', 'FLOATING_IP', 'DISK'].map((kind) => [kind, 'WRITE']))
  expect(changing('OWNER', all)).toBe(changing('OWNER') - 1)
})
