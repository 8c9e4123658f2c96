// Nothing of the API is out of reach: each row has a user, an answer in the sandbox, and a test; what `iac api` alone reaches is written down.
import { existsSync, readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { undocumentedRoutes } from '../../src/api/routes/commands.ts'
import { routes } from '../../src/api/routes/routes.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { routeNames } from '../../src/sandbox/request/route-index.ts'
import { service } from '../../src/sandbox/service.ts'
import { ACCEPTED, acceptedCalls } from '../stories/accepted.ts'
import { coveragePage, isReachedByApiAlone } from './coverage-page.ts'
import { routeRows, routesOfCommands } from './route-rows.ts'

/** Rows that nothing but `iac api` calls, each with the reason. This list only shrinks: who uses one of them takes it out. */
const byApiAlone: Readonly<Record<string, string>> = {
  createUserToken: "POST /v1/tokens with the caller's id in the path, which is all that it takes",
  listAllDisks: 'operators alone are answered; `iac get disks --all-workspaces` asks each workspace, for whoever sees it',
  listInstanceVpcs: 'a membership there names the instance and not the VPC; the lists of the VPCs tell both',
  getPlan: 'it adds io_limits to what the list tells, and nothing of a manifest hangs on them',
  listNodes: 'operators alone are answered; `iac get nodes` shows those of a workspace, on which its instances can be placed',
  getNode: 'it tells what the list of a workspace tells',
}

/** Calls of commands that no story makes, each with the reason. */
const unseen: Readonly<Record<string, string>> = {
  'tokens create: deleteToken': 'a token whose code cannot be written any more is taken back',
}

const rows = routeRows()

test('every row of the document is there, and none is empty', () => {
  expect(rows.map((one) => one.name)).toEqual(Object.keys(routes))
  const without = (isEmpty: (row: (typeof rows)[number]) => boolean) => rows.filter(isEmpty).map((one) => one.name)
  expect(
    without((one) => one.sandbox === ''),
    'no area of the sandbox answers them',
  ).toEqual([])
  const toDo = 'no story drives them: a step in test/stories, then npx vitest -u --config .config/vitest.config.ts test/stories'
  expect(
    without((one) => one.tests.length === 0 || one.commands.length === 0),
    toDo,
  ).toEqual([])
})

test('what iac api alone reaches is what is written down', () => {
  expect(rows.filter(isReachedByApiAlone).map((one) => one.name)).toEqual(Object.keys(byApiAlone))
})

test('each call that the file of a command names was seen from that command', () => {
  const named = [...routesOfCommands()].flatMap(([command, names]) => [...names].map((name) => ({ command, name })))
  const missing = named.filter(({ command, name }) => rows.find((one) => one.name === name)?.commands.includes(command) === false)
  expect(named.length).toBeGreaterThan(40)
  expect(missing.map(({ command, name }) => `${command}: ${name}`)).toEqual(Object.keys(unseen))
})

test('what was seen is of routes, commands and tests that are there', () => {
  const calls = acceptedCalls()
  expect(calls.flatMap(({ route }) => (Object.hasOwn(routes, route) || Object.hasOwn(undocumentedRoutes, route) ? [] : [route]))).toEqual([])
  expect(calls.flatMap(({ commands }) => commands.filter((one) => !Object.hasOwn(commandTable, one)))).toEqual([])
  const stories = [...new Set(calls.map((one) => one.story))]
  expect(stories.filter((path) => !existsSync(path))).toEqual([])
  // A file of a story that is told no more, or by another name, is none.
  expect(stories.map((path) => `${basename(path, '.test.ts')}.txt`).toSorted()).toEqual(readdirSync(ACCEPTED).toSorted())
})

test('the sandbox answers all of them', () => {
  expect(routeNames.filter((name) => service.handlerOf(name) === undefined)).toEqual([])
})

test('a row says who was seen to use it', () => {
  const usersOf = (name: string) => rows.find((one) => one.name === name)
  expect(usersOf('createVpc')).toMatchObject({ kinds: ['Vpc'], commands: ['apply'], sandbox: 'src/sandbox/areas/network/vpcs.ts' })
  expect(usersOf('createVpc')?.tests[0]).toBe('test/stories/vpcs.test.ts')
  expect(usersOf('listPlans')).toMatchObject({ lookups: ['Plan'] })
  expect(usersOf('powerInstance')).toMatchObject({ kinds: ['Instance'], commands: ['power', 'apply'] })
  expect(usersOf('getMetrics')?.commands).toEqual(['metrics'])
  expect(usersOf('redeemCoupon')).toMatchObject({ kinds: [], commands: ['coupons redeem'], tests: ['test/cli/months-bill.test.ts'] })
  expect(usersOf('getNode')).toMatchObject({ lookups: [], commands: ['api'] })
})

test('the page has a line for each of them', () => {
  const lines = coveragePage().split('\n')
  expect(lines.filter((line) => line.startsWith('| `'))).toHaveLength(rows.length)
  expect(lines.find((line) => line.startsWith('| `POST /v1/coupons/redeem` |'))).toContain('| `coupons redeem` | `billing/coupons.ts` |')
})
