// Nothing of the API is out of reach: each row has a user, an answer in the sandbox, and a test; what `iac api` alone reaches is written down.
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routes } from '../../src/api/routes/routes.ts'
import { routeNames } from '../../src/sandbox/request/route-index.ts'
import { service } from '../../src/sandbox/service.ts'
import { coveragePage, isReachedByApiAlone } from './coverage-page.ts'
import { routeRows } from './route-rows.ts'

/** Rows that no kind, lookup or command of its own uses, each with the reason. This list only shrinks: who uses one of them takes it out. */
const byApiAlone: Readonly<Record<string, string>> = {
  createUserToken: 'it makes a token of somebody else, for operators; ApiToken makes those of the caller',
  listAllDisks: 'operators alone are answered; `iac get disks --all-workspaces` asks each workspace, for whoever sees it',
  listInstanceVpcs: 'a membership there names the instance and not the VPC; the lists of the VPCs tell both',
  listNodes: 'operators alone are answered; `iac get nodes` shows those of a workspace, on which its instances can be placed',
}

const rows = routeRows()

test('every row of the document is there, and none is empty', () => {
  expect(rows.map((one) => one.name)).toEqual(Object.keys(routes))
  expect(
    rows.filter(
      (one) => one.sandbox === '' || one.tests.length === 0 || (one.commands.length === 0 && one.kinds.length === 0 && one.lookups.length === 0 && !one.engine),
    ),
  ).toEqual([])
})

test('what iac api alone reaches is what is written down', () => {
  expect(rows.filter(isReachedByApiAlone).map((one) => one.name)).toEqual(Object.keys(byApiAlone))
})

test('the sandbox answers all of them, and the tests are there', () => {
  expect(routeNames.filter((name) => service.handlerOf(name) === undefined)).toEqual([])
  expect([...new Set(rows.flatMap((one) => one.tests))].filter((path) => !existsSync(path))).toEqual([])
})

test('who uses a route is read from where it is called', () => {
  const usersOf = (name: string) => rows.find((one) => one.name === name)
  expect(usersOf('createVpc')).toMatchObject({ kinds: ['Vpc'], commands: [], engine: false, sandbox: 'src/sandbox/areas/network/vpcs.ts' })
  expect(usersOf('listPlans')).toMatchObject({ lookups: ['Plan'] })
  expect(usersOf('redeemCoupon')).toMatchObject({
    kinds: [],
    commands: ['coupons redeem'],
    tests: expect.arrayContaining(['test/cli/months-bill.test.ts', 'src/sandbox/areas/billing/coupons.test.ts']),
  })
  expect(usersOf('topUpWallet')?.commands).toEqual(['wallet topup'])
  expect(usersOf('getTopology')).toMatchObject({
    commands: ['topology'],
    tests: expect.arrayContaining(['test/cli/room-and-wiring.test.ts', 'src/sandbox/areas/accounts/workspaces.test.ts']),
  })
  expect(usersOf('estimatePrice')).toMatchObject({ commands: ['cost'], engine: true })
})

test('the page has a line for each of them', () => {
  const lines = coveragePage().split('\n')
  expect(lines.filter((line) => line.startsWith('| `'))).toHaveLength(rows.length)
  expect(lines.find((line) => line.startsWith('| `POST /v1/coupons/redeem` |'))).toContain('| `coupons redeem` | `billing/coupons.ts` |')
})
