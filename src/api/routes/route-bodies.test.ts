// Ids, queries and answers of routes in both directions of the wire; bodies are tried in a test beside each area.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { routes } from './routes.ts'

describe('bodies', () => {
  test('are tried beside each area that has some', () => {
    const textOf = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8')
    const areas = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (file) => /(?<!\.test)\.ts$/.test(file) && /^ +body: /m.test(textOf(file)),
    )
    const isTried = (test: string): boolean => existsSync(join(import.meta.dirname, test)) && textOf(test).includes('describeBodies(')
    const untried = areas.map((file) => file.replace('.ts', '.test.ts')).filter((file) => !isTried(file))
    expect(areas.length).toBeGreaterThan(20)
    expect(untried, 'give what the bodies take and refuse to describeBodies there, as disks.test.ts does').toEqual([])
  })

  test('ids are integers on the wire, strings here, exact beyond 2^53', () => {
    expect(z.encode(routes.attachDisk.body(), { instance_id: '9007199254740993' })).toEqual({ instance_id: 9007199254740993n })
    expect(routes.attachDisk.body().parse({ instance_id: 9007199254740993n })).toEqual({ instance_id: '9007199254740993' })
    expect(routes.attachDisk.body().parse({ instance_id: 12 })).toEqual({ instance_id: '12' })
    expect(routes.attachDisk.body().safeParse({ instance_id: '12' }).success).toBe(false)
    expect(z.encode(routes.deployApp.body(), { template_id: '12', name: 'a' })).toEqual({ template_id: '12', name: 'a' })
  })
})

describe('queries', () => {
  test('read from text: ids alone or repeated, flags, numbers', () => {
    expect(routes.listInstances.query().parse({ id: '1', node: ['2', '3'], online: 'true', state: 'PENDING', limit: '50', dir: 'desc' })).toEqual({
      id: ['1'],
      node: ['2', '3'],
      online: true,
      state: 'PENDING',
      limit: 50,
      dir: 'desc',
    })
    expect(routes.getK3sServiceLogs.query().parse({ follow: '', tail: '0' })).toEqual({ follow: true, tail: 0 })
    const flag = (follow: string) => routes.getK3sServiceLogs.query().parse({ follow }).follow
    expect(['true', '1', 'false', '0'].map(flag)).toEqual([true, true, false, false])
  })

  test('refuse what is no such value', () => {
    const query = routes.listDisks.query()
    const bad = [{ id: 'web' }, { id: ['1', 'x'] }, { boot: 'yes' }, { limit: '0' }, { limit: '' }, { dir: 'up' }, { state: ['GONE'] }]
    expect(bad.filter((one) => query.safeParse(one).success)).toEqual([])
  })

  test('demand what the document demands', () => {
    const metrics = { instance: '1', start: '1700000000', end: '1700000060', step: '15' }
    expect(routes.getMetrics.query().parse(metrics)).toEqual({ instance: '1', start: 1700000000, end: 1700000060, step: 15 })
    expect(routes.getMetrics.query().safeParse({ ...metrics, step: '14' }).success).toBe(false)
    expect(routes.getUserUsage.query().safeParse({ from: '2030-01-01' }).success).toBe(false)
    expect(routes.lookupInvite.query().safeParse({}).success).toBe(false)
    expect(routes.deleteTotp.headers().safeParse({}).success).toBe(false)
  })

  test('write text again', () => {
    expect(z.encode(routes.listPlans.query(), { id: ['1'], rate: 5, disabled: false })).toEqual({ id: ['1'], rate: '5', disabled: 'false' })
  })
})

describe('answers', () => {
  test('take missing, unknown and new values', () => {
    expect(routes.getInstance.answer.item().parse({ id: 7, state: 'NEW_WORD', more: 1 })).toEqual({ id: '7', state: 'NEW_WORD', more: 1 })
    expect(routes.getDhcp.answer.item().safeParse(null).success).toBe(true)
    expect(routes.getDhcp.answer.item().safeParse({}).success).toBe(true)
    expect(routes.listK3sServices.answer.item().safeParse({ service: { id: '1' }, live: null }).success).toBe(true)
    expect(routes.listBgpPrefixes.answer.item().parse({ id: 9007199254740993n })).toEqual({ id: '9007199254740993' })
  })

  test('a record without an id is none', () => {
    expect(routes.getVpc.answer.item().safeParse({ name: 'main' }).success).toBe(false)
  })
})
