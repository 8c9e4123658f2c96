// Lists that are arrays take the shared pagination parameters.
import { describe, expect, test } from 'vitest'
import type { Bench } from '../../../../test/builders/sandbox-bench.ts'
import { createBench } from '../../../../test/builders/sandbox-bench.ts'
import { isList } from '../../../base/json.ts'
import type { Readings } from '../../readings/assumptions.ts'

/** A bench with 60 instances that have a rule each, and its counts. */
function ruled(arrayLists: Readings['arrayLists'] = 'paged') {
  const bench = createBench({ readings: { arrayLists } })
  const rule = { type: 'IPv4', protocol: 'TCP', action: 'ACCEPT', priority: 1 } as const
  const open = { workspaceId: bench.wid, portStart: null, portEnd: null, remote: '0.0.0.0/0', local: null, bpsLimit: null, ppsLimit: null, description: null }
  for (let index = 0; index < 60; index += 1)
    bench.tables.firewallRules.insert({ ...rule, ...open, instanceId: bench.instance({ name: `web-${index % 7}` }).id })
  const ask = async (query: string) => {
    const { status, body } = await bench.call({ method: 'GET', path: `/v1/workspaces/${bench.wid}/firewall-rules${query}` })
    const names = isList(body) ? body.map((item) => Object(item).name) : []
    return { status, names, ids: isList(body) ? body.map((item) => Object(item).instance) : [] }
  }
  return { bench, ask }
}

describe('an array', () => {
  test('is cut after 50 items, and its pages are counted', async () => {
    const { bench, ask } = ruled()
    const pages = await Promise.all(['', '?page=2', '?page=3', '?limit=100', '?limit=25&page=3'].map(ask))
    expect(pages.map(({ ids }) => ids.length)).toEqual([50, 10, 0, 60, 10])
    expect([...(pages[0]?.ids ?? []), ...(pages[1]?.ids ?? [])]).toEqual(bench.tables.instances.all().map(({ id }) => id))
  })
  test('is in the order asked for, by what its items show and by id', async () => {
    const { ask } = ruled()
    const { names } = await ask('?sort=name&limit=100')
    expect(names).toEqual(names.toSorted())
    expect((await ask('?sort=name&dir=desc&limit=100')).names).toEqual(names.toReversed())
    const made = await ask('?limit=100')
    expect((await ask('?sort=id&limit=100')).ids).toEqual(made.ids)
    expect((await ask('?sort=id&dir=desc&limit=100')).ids).toEqual(made.ids.toReversed())
  })
  test.each(['?limit=0', '?limit=101', '?page=0', '?sort=colour', '?dir=up', '?after=x', '?before=x', '?colour=red'])('refuses %s', async (query) => {
    expect((await ruled().ask(query)).status).toBe(400)
  })
  test.each([
    ['paged', [50, 10, 20]],
    ['asked', [60, 10, 20]],
    ['whole', [60, 60, 60]],
  ] as const)('that is %s', async (arrayLists, lengths) => {
    const { ask } = ruled(arrayLists)
    expect((await Promise.all(['', '?page=2', '?limit=20'].map(ask))).map(({ ids }) => ids.length)).toEqual(lengths)
  })
})

const from = 'from=2026-01-01&to=2026-01-03'

test.each([
  ['/v1/apps/domains', 'name', 'proxy_mode'],
  ['/v1/prices', 'type', 'unit_rate'],
  ['/v1/prices/CPU', 'id', 'effective_from'],
  ['/v1/wallet/@me/grants', 'amount', 'expires_at'],
  [`/v1/wallet/@me/history?${from}`, 'from', 'balance'],
])('%s takes them, too, empty or not', async (path, ...fields) => {
  const bench = createBench()
  const status = async (query: string, one: Bench = bench): Promise<number> =>
    (await one.call({ method: 'GET', path: `${path}${path.includes('?') ? '&' : '?'}${query}`, token: one.sandbox.operatorToken })).status
  for (const field of [...fields, 'id']) expect([field, await status(`limit=1&page=2&sort=${field}&dir=desc`)]).toEqual([field, 200])
  for (const query of ['sort=bogus', 'sort=grant_balances', 'limit=x']) expect([query, await status(query)]).toEqual([query, 400])
})
