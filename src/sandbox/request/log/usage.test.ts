// What of a body was looked at, and what was driven.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'
import { createUsage } from './usage.ts'

const schema = z.object({ name: z.string(), range: z.string(), ports: z.array(z.object({ from: z.number(), to: z.number() })), more: z.unknown() })

function unreadAfter(look: (body: z.output<typeof schema>) => void): readonly string[] {
  const usage = createUsage()
  const body = { name: 'a', range: 'b', ports: [{ from: 1, to: 2 }], more: { deep: { x: 1 } } }
  look(schema.parse(usage.body(body)))
  return usage.unread()
}

describe('members of a body that nobody read', () => {
  test('are named by their paths', () => {
    const usage = createUsage()
    const proxied = usage.body({ name: 'a', ports: [{ from: 1, to: 2 }], other: { x: 1 }, gone: undefined })
    if (typeof proxied === 'object' && proxied !== null && 'ports' in proxied && Array.isArray(proxied.ports)) expect(proxied.ports[0].from).toBe(1)
    expect(usage.unread()).toEqual(['name', 'ports.0.to', 'other'])
    expect(usage.unread()).toEqual([])
  })

  test('are none where everything was copied or printed', () => {
    expect(unreadAfter((body) => JSON.stringify(body))).toEqual([])
    const usage = createUsage()
    expect(JSON.stringify(usage.body({ a: [1, { b: 2 }] }))).toBe('{"a":[1,{"b":2}]}')
    expect(usage.unread()).toEqual([])
  })

  test('bodies are what they were: lists, frozen members, none at all', () => {
    const usage = createUsage()
    const frozen = Object.freeze({ list: Object.freeze([1, 2]), deep: Object.freeze({ x: 1 }) })
    expect(usage.body(frozen)).toEqual(frozen)
    expect([usage.body(undefined), usage.body('text')]).toEqual([undefined, 'text'])
    const list = usage.body([{ a: 1 }])
    expect(Array.isArray(list)).toBe(true)
  })
})

test('a log names what an operation took and did nothing with', async () => {
  const bench = createBench()
  await bench.call({ method: 'POST', path: `/v1/workspaces/${bench.wid}/vpcs`, body: { name: 'main', description: 'd', range: '10.0.0.0/24' } })
  await bench.call({ method: 'PATCH', path: `/v1/workspaces/${bench.wid}`, body: { name: 'other', mfa_required: false } })
  expect(bench.sandbox.log.list().map((one) => one.unread)).toEqual([[], []])
})

test('answers and questions are counted', () => {
  const usage = createUsage()
  usage.answered('listPlans', 200)
  usage.answered('listPlans', 401)
  usage.answered(undefined, 404)
  usage.asked('auth.header', false)
  usage.asked('auth.header', true)
  expect([usage.ofRoute('listPlans'), usage.ofRoute('listVpcs')]).toEqual([
    { accepted: 1, refused: 1 },
    { accepted: 0, refused: 0 },
  ])
  expect([usage.ofRule('auth.header'), usage.ofRule('other')]).toEqual([
    { asked: 2, broken: 1 },
    { asked: 0, broken: 0 },
  ])
})
