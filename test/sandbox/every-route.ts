// The tests of all areas once more, in one way to the service, and what they drove: every route, every rule, every member of every record.
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonValue } from '../../src/base/json.ts'
import { parseJson } from '../../src/base/json.ts'
import type { Coverage } from '../../src/sandbox/control/coverage.ts'
import { coverageOf } from '../../src/sandbox/control/coverage.ts'
import { readingsOf } from '../../src/sandbox/readings/assumptions.ts'
import { createRouteIndex, routeNames } from '../../src/sandbox/request/route-index.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { RouteName } from '../../src/sandbox/served-routes.ts'
import { routes } from '../../src/sandbox/served-routes.ts'
import type { SandboxServer } from '../../src/sandbox/server.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import { sample, seedFor } from '../builders/long-form.ts'
import { randomOf } from '../builders/random-of.ts'
import type { Reach } from '../builders/sandbox-bench.ts'
import type { Bench } from '../builders/sandbox-bench.ts'
import { createBench, inProcess, reachBy } from '../builders/sandbox-bench.ts'
import { absentMembers } from './absent-members.ts'

const AREAS = resolve('src/sandbox/areas')

/** Members that are not in every answer, as ROUTE: MEMBER, by the words with which the document says so. */
const sometimes: Readonly<Record<string, RegExp>> = {
  'owning user (USER-subject only)': /^(?:getToken: |listWorkspaceTokens: items\[\]\.)user$/,
  'With no custom settings the DHCP response is empty': /^getDhcp: /,
  '`live` object (with `usage_pct` when available)': /Disks?: .*live\.usage_pct$/,
  'single-use; returned on creation, omitted from the lookup view': /^(?!createInvite)\w+Invites?: .*code$/,
  'last IP that used the token': /^(?:getToken: |list(?:User|Workspace)Tokens: items\[\]\.)last_(?:ip|used)$/,
}

/** Runs the tests of all areas in this way, then asks what was driven; of so many areas alone, drawn, where that is fewer. */
export async function everyRoute(way: 'in process' | 'over HTTP', most = Infinity): Promise<void> {
  const driven = new Set<Pick<Sandbox, 'usage' | 'without'>>()
  const absent = new Map<RouteName, Set<string>>()
  const columns = new Map<RouteName, Map<string, boolean>>()
  const servers = new Map<Sandbox, Promise<SandboxServer>>()
  const go = way === 'in process' ? inProcess : overHttp(servers)
  const find = createRouteIndex(readingsOf({ openMethods: 'both' }))
  const standard = JSON.stringify(readingsOf())
  reachBy(async (sandbox, request) => {
    driven.add({ usage: sandbox.usage, without: sandbox.without })
    const reached = await go(sandbox, request)
    const match = find(request.method, request.path.split('?', 1)[0] ?? '')
    if (reached.status < 300 && 'name' in match && reached.text.startsWith('{') && JSON.stringify(sandbox.world.readings) === standard) {
      const known = absent.get(match.name) ?? new Set<string>()
      for (const member of absentMembers(routes[match.name].answer, parseJson(reached.text))) known.add(member)
      absent.set(match.name, known)
      if (routes[match.name].answer.shape === 'page')
        columns.set(match.name, new Map([...(columns.get(match.name) ?? []), ...columnsOf(parseJson(reached.text))]))
    }
    return reached
  })
  afterEach(async () => {
    for (const server of servers.values()) await (await server).close()
    servers.clear()
  })
  const suites = readdirSync(AREAS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'))
  for (const suite of sample(suites, most, randomOf(seedFor('areas')))) await import(resolve(AREAS, suite))
  await import(resolve('src/sandbox/request/rules.test.ts'))
  if (most < suites.length) return

  describe('what was driven', () => {
    test('every route accepted a call', () => {
      const tables = [...driven].filter(({ without }) => without.length === 0).map(coverageOf)
      const accepted = sumOf(tables, (table) => table.routes.map((row) => [row.name, row.accepted]))
      expect([...accepted.keys()].toSorted()).toEqual(routeNames.toSorted())
      const undriven = [...accepted].filter(([, count]) => count === 0).map(([name]) => name)
      expect(undriven, 'call them, with success, in the test beside their area in src/sandbox/areas').toEqual([])
    })
    test('every rule refused a call', () => {
      const broken = sumOf([...driven].map(coverageOf), (table) => table.rules.map((row) => [row.id, row.broken]))
      const unbroken = [...broken].filter(([, count]) => count === 0).map(([id]) => id)
      expect(unbroken, 'give each a case in describeRules beside its area').toEqual([])
    })
    test('every list is sorted by whatever its items show in one value, and by nothing else, empty or not', async () => {
      reachBy(inProcess)
      const wrong: string[] = []
      for (const [name, shown] of columns) {
        for (const [field, isScalar] of [...shown, ['bogus', false] as const]) {
          const bench = createBench()
          const status = (await bench.call({ method: 'GET', path: `${listPath(bench, routes[name].path)}?sort=${field}`, token: bench.sandbox.operatorToken }))
            .status
          if (status !== (isScalar ? 200 : 400)) wrong.push(`${name}: ${field} ${status}`)
        }
      }
      expect(columns.size).toBeGreaterThan(25)
      expect(wrong, 'what a list shows as one value (400), and nothing else (200), stands in `sorts` of its word in request/present.ts').toEqual([])
    })
    test('every record had the members that the document lists', () => {
      const lacking = [...absent].flatMap(([name, members]) => [...members].map((member) => `${name}: ${member}`))
      const excused = Object.values(sometimes)
      expect(lacking.filter((one) => !excused.some((pattern) => pattern.test(one)))).toEqual([])
      expect(excused.filter((pattern) => !lacking.some((one) => pattern.test(one)))).toEqual([])
    })
  })
}

const itemsShape = z.object({ items: z.array(z.record(z.string(), z.unknown())), hasNext: z.boolean() })

/** The members of a page's items, and of the record that one wraps; whether each is one value. What was null alone could be either. */
function columnsOf(body: JsonValue): readonly (readonly [field: string, isScalar: boolean])[] {
  const { success, data } = itemsShape.safeParse(body)
  if (!success) return []
  return data.items.flatMap((item) => {
    const record = z.record(z.string(), z.unknown()).safeParse(item['node'] ?? item['service']).data ?? item
    return Object.entries(record).flatMap(([field, value]) => (value === null ? [] : [[field, typeof value !== 'object'] as const]))
  })
}

/** The path of a list that is there, and empty where nothing of the seed is in it. */
function listPath(bench: Bench, path: string): string {
  const { instances, vpcs, dediboxes } = bench.tables
  const instance = (instances.all()[0] ?? bench.instance()).id
  const vpc = vpcs.insert({ workspaceId: bench.wid, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 }).id
  return path
    .replace('/instances/{id}', `/instances/${instance}`)
    .replace('{iid}', instance)
    .replace('/dedibox/{id}', `/dedibox/${dediboxes.all()[0]?.id}`)
    .replace('{vid}', vpc)
    .replace('{uid}', '@me')
    .replace(/\{(?:wid|workspace)\}/, bench.wid)
}

function sumOf<K extends string>(tables: readonly Coverage[], counts: (table: Coverage) => readonly (readonly [K, number])[]): Map<K, number> {
  const sums = new Map<K, number>()
  for (const table of tables) for (const [key, count] of counts(table)) sums.set(key, (sums.get(key) ?? 0) + count)
  return sums
}

/** Each sandbox gets a server at its first call; a test ends with its servers. */
function overHttp(servers: Map<Sandbox, Promise<SandboxServer>>): Reach {
  return async (sandbox, { method, path, headers, body }) => {
    const server = servers.get(sandbox) ?? serveSandbox({ sandbox })
    servers.set(sandbox, server)
    const { url } = await server
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) })
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  }
}
