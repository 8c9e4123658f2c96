// The list of routes held against one written by hand from the API document, and what every entry promises.
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { undocumentedRoutes } from './commands.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

// Written by reading the document; where it leaves the method open both stand here.
const DOCUMENTED: Readonly<Record<string, string>> = {
  Tokens: `
    POST /v1/tokens
    POST /v1/users/{uid}/tokens
    GET /v1/users/{uid}/tokens
    DELETE /v1/users/{uid}/tokens
    GET /v1/tokens/{id}
    DELETE /v1/tokens/{id}
    POST /v1/tokens/refresh
    GET /v1/workspaces/{wid}/tokens
    POST /v1/workspaces/{wid}/tokens`,
  'Account and sign-in': `
    POST /v1/login
    POST /v1/register
    POST /v1/reset-password
    POST /v1/verify-email
    POST /v1/lock-account
    GET /v1/users/{id}
    PATCH /v1/users/{id}
    DELETE /v1/users/{id}
    POST /v1/users/{id}/password
    POST /v1/users/{uid}/totp
    PUT /v1/users/{uid}/totp
    DELETE /v1/users/{uid}/totp
    GET /v1/users/{uid}/invites`,
  'Workspaces, invites, quota': `
    GET /v1/workspaces
    POST /v1/workspaces
    GET /v1/workspaces/{id}
    PATCH /v1/workspaces/{id}
    GET /v1/workspaces/{wid}/quota
    GET /v1/workspaces/{wid}/topology
    GET /v1/workspaces/{wid}/invites
    POST /v1/workspaces/{wid}/invites
    GET /v1/invites/lookup
    POST /v1/invites
    GET /v1/invites/{id}
    PATCH /v1/invites/{id}
    DELETE /v1/invites/{id}`,
  Instances: `
    GET /v1/workspaces/{wid}/instances
    POST /v1/workspaces/{wid}/instances
    GET /v1/instances/{id}
    PATCH /v1/instances/{id}
    POST /v1/instances/{id}/power
    DELETE /v1/instances/{id}
    GET /v1/metrics`,
  Disks: `
    GET /v1/workspaces/{wid}/disks
    GET /v1/disks
    POST /v1/workspaces/{wid}/disks
    GET /v1/disks/{did}
    PATCH /v1/disks/{did}
    POST /v1/disks/{did}/attach
    POST /v1/disks/{did}/detach
    POST /v1/disks/{did}/resize
    DELETE /v1/disks/{did}`,
  'SSH keys': `
    GET /v1/workspaces/{wid}/ssh
    POST /v1/workspaces/{wid}/ssh
    GET /v1/ssh/{id}
    DELETE /v1/ssh/{id}`,
  'Floating IPs, reverse DNS, DHCP': `
    GET /v1/workspaces/{wid}/ips
    POST /v1/workspaces/{wid}/ips
    GET /v1/networking/ips/{id}
    DELETE /v1/ips/{fid}
    PUT /v1/networking/ips/{id}/dns
    POST /v1/networking/ips/{id}/dns
    DELETE /v1/networking/ips/{id}/dns
    GET /v1/instances/{id}/dhcp
    PUT /v1/instances/{id}/dhcp
    PATCH /v1/instances/{id}/dhcp
    DELETE /v1/instances/{id}/dhcp`,
  'Firewall rules': `
    POST /v1/instances/{id}/firewall-rules
    GET /v1/instances/{iid}/firewall-rules
    GET /v1/firewall-rules/{id}
    DELETE /v1/firewall-rules/{id}
    GET /v1/workspaces/{wid}/firewall-rules`,
  VPCs: `
    GET /v1/workspaces/{wid}/vpcs
    POST /v1/workspaces/{wid}/vpcs
    GET /v1/vpcs/{vid}
    PATCH /v1/vpcs/{vid}
    DELETE /v1/vpcs/{vid}
    GET /v1/vpcs/{vid}/instances
    GET /v1/instances/{iid}/vpcs
    POST /v1/instances/{iid}/vpcs
    DELETE /v1/instances/{iid}/vpcs/{vid}`,
  BGP: `
    GET /v1/workspaces/{wid}/bgp
    PATCH /v1/workspaces/{wid}/bgp
    DELETE /v1/workspaces/{wid}/bgp
    GET /v1/workspaces/{wid}/bgp/prefixes
    POST /v1/workspaces/{wid}/bgp/prefixes
    PUT /v1/workspaces/{wid}/bgp/prefixes/{id}
    DELETE /v1/workspaces/{wid}/bgp/prefixes/{id}`,
  Recipes: `
    GET /v1/recipes
    POST /v1/recipes
    GET /v1/workspaces/{wid}/recipes
    POST /v1/workspaces/{wid}/recipes
    GET /v1/recipes/{id}
    PATCH /v1/recipes/{id}
    DELETE /v1/recipes/{id}`,
  'App templates and app domains': `
    GET /v1/app-templates
    POST /v1/app-templates
    GET /v1/app-templates/{id}
    PATCH /v1/app-templates/{id}
    DELETE /v1/app-templates/{id}
    POST /v1/instances/{iid}/apps/from-template
    GET /v1/apps/domains
    POST /v1/apps/domains`,
  Dediboxes: `
    GET /v1/workspaces/{wid}/dedibox
    GET /v1/dedibox/{id}
    PATCH /v1/dedibox/{id}
    POST /v1/commands/dedibox-power-cycle
    POST /v1/commands/dedibox-reset-vnc
    GET /v1/workspaces/{workspace}/dedibox/ips
    GET /v1/dedibox/{id}/ips
    POST /v1/dedibox/{id}/ips
    GET /v1/dedibox/{id}/ips/{ip}
    PUT /v1/dedibox/{id}/ips/{ip}
    DELETE /v1/dedibox/{id}/ips/{ip}`,
  Workflows: `
    GET /v1/workflows
    GET /v1/workflows/{wfid}
    GET /v1/workspaces/{wid}/workflows
    GET /v1/workspaces/{wid}/workflows/{wfid}
    GET /v1/workspaces/{wid}/instances/{iid}/workflows`,
  'Plans and nodes': `
    GET /v1/plans
    GET /v1/plans/{id}
    GET /v1/nodes
    GET /v1/nodes/{id}
    GET /v1/workspaces/{wid}/nodes`,
  'Managed cluster': `
    GET /v1/workspaces/{wid}/k3s
    POST /v1/workspaces/{wid}/k3s
    DELETE /v1/workspaces/{wid}/k3s
    GET /v1/workspaces/{wid}/k3s/nodes
    POST /v1/workspaces/{wid}/k3s/nodes
    GET /v1/workspaces/{wid}/k3s/nodes/{id}
    DELETE /v1/workspaces/{wid}/k3s/nodes/{id}
    GET /v1/instances/{iid}/k3s
    GET /v1/workspaces/{wid}/k3s/services
    POST /v1/workspaces/{wid}/k3s/services
    GET /v1/workspaces/{wid}/k3s/services/{id}
    PUT /v1/workspaces/{wid}/k3s/services/{id}
    PATCH /v1/workspaces/{wid}/k3s/services/{id}
    DELETE /v1/workspaces/{wid}/k3s/services/{id}
    GET /v1/workspaces/{wid}/k3s/services/{id}/logs
    POST /v1/workspaces/{wid}/k3s/services/{id}/redeploy
    POST /v1/workspaces/{wid}/k3s/services/{id}/rollback
    GET /v1/workspaces/{wid}/k3s/secrets
    POST /v1/workspaces/{wid}/k3s/secrets
    PUT /v1/workspaces/{wid}/k3s/secrets/{id}
    PATCH /v1/workspaces/{wid}/k3s/secrets/{id}
    DELETE /v1/workspaces/{wid}/k3s/secrets/{id}`,
  'Billing, usage, wallet, coupons, rates': `
    POST /v1/billing/estimate
    GET /v1/wallet/{uid}/usage
    GET /v1/workspaces/{wid}/usage
    GET /v1/workspaces/{wid}/usage/{rid}
    GET /v1/wallet/{uid}
    GET /v1/wallet/{uid}/grants
    GET /v1/wallet/{uid}/history
    GET /v1/wallet/{uid}/movements
    POST /v1/wallet/{uid}/topup
    POST /v1/wallet/{uid}/adjust
    POST /v1/wallet/{uid}/refund
    POST /v1/wallet/{uid}/coupon
    POST /v1/coupons/redeem
    GET /v1/coupons
    POST /v1/coupons
    GET /v1/coupons/{cid}
    DELETE /v1/coupons/{cid}
    GET /v1/prices
    GET /v1/prices/{type}
    POST /v1/prices
    PATCH /v1/prices/{type}/{pid}
    DELETE /v1/prices/{type}/{pid}
    POST /v1/billing/subjects/{sid}/suspend
    POST /v1/billing/subjects/{sid}/resume
    POST /v1/billing/subjects/{sid}/terminate`,
}

const all: readonly (readonly [string, Route])[] = Object.entries(routes)
const everything: readonly (readonly [string, Route])[] = [...all, ...Object.entries(undocumentedRoutes)]
const linesOf = (text: string) => text.trim().split(/\s*\n\s*/)
const rowsOf = (list: readonly (readonly [string, Route])[]) => list.flatMap(([, route]) => route.methods.map((method) => `${method} ${route.path}`))
const inSection = (section: string) => all.filter(([, route]) => route.section === section)
const namesOf = (wanted: (route: Route) => boolean) => all.filter(([, route]) => wanted(route)).map(([name]) => name)

describe('the list', () => {
  test('holds each pair of method and path once, all of them in a section that is documented', () => {
    expect(new Set(rowsOf(everything)).size).toBe(rowsOf(everything).length)
    expect(new Set(all.map(([, route]) => route.section))).toEqual(new Set(Object.keys(DOCUMENTED)))
  })

  test.each(Object.entries(DOCUMENTED))('%s', (section, text) => {
    expect(rowsOf(inSection(section)).toSorted()).toEqual(linesOf(text).toSorted())
  })

  test('leaves the method open in the four rows that do', () => {
    expect(namesOf((route) => route.methods.length > 1)).toEqual(['setDns', 'setDhcp', 'updateK3sService', 'updateK3sSecret'])
  })

  test('keeps what has no shape apart', () => {
    expect(rowsOf(Object.entries(undocumentedRoutes))).toEqual(['POST /v1/commands/attach-ip', 'POST /v1/commands/detach-ip'])
  })
})

describe('every entry', () => {
  test.each(everything)('%s', (_, route) => {
    const placeholders = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(Object.keys(route.params)).toEqual(placeholders)
    expect(route.path).toMatch(/^\/v1(\/([a-z0-9-]+|\{[a-z]+\}))+$/)
    expect(route.statuses.length).toBeGreaterThan(0)
    if (route.answer.shape === 'page' || (route.answer.shape === 'array' && route.methods[0] === 'GET'))
      expect(Object.keys(route.query?.().shape ?? {})).toEqual(expect.arrayContaining(['limit', 'page', 'sort', 'dir', 'after', 'before']))
    else expect(Object.keys(route.query?.().shape ?? {})).not.toContain('limit')
    if (route.methods[0] === 'GET') expect([route.effect, route.asynchronous, route.body]).toEqual([false, false, undefined])
    expect(route.query?.().safeParse({ nonsense: 'x' }).success ?? false).toBe(false)
    for (const schema of [route.body, route.query, route.headers, 'item' in route.answer ? route.answer.item : undefined])
      if (schema) expect(JSON.stringify(z.toJSONSchema(schema(), { io: 'input', unrepresentable: 'any' }))).toContain('$schema')
  })
})

describe('what the document says of calls', () => {
  test('the six open ones', () => {
    expect(namesOf((route) => route.access === 'open')).toEqual(['login', 'register', 'resetPassword', 'verifyEmail', 'lockAccount', 'lookupInvite'])
  })

  test('only a login session makes tokens', () => {
    expect(namesOf((route) => route.session === true)).toEqual(['createToken', 'createUserToken', 'createWorkspaceToken'])
  })

  test('SSH keys: WRITE on INSTANCE to write, READ to read', () => {
    expect(inSection('SSH keys').map(([name, route]) => [name, route.grant])).toEqual([
      ['listSshKeys', { resource: 'INSTANCE', level: 'READ' }],
      ['createSshKey', { resource: 'INSTANCE', level: 'WRITE' }],
      ['getSshKey', { resource: 'INSTANCE', level: 'READ' }],
      ['deleteSshKey', { resource: 'INSTANCE', level: 'WRITE' }],
    ])
  })

  test('grants by area; none for what is open, staff’s or an account’s', () => {
    const keyOf = (name: keyof typeof routes) => routes[name].grant?.resource
    expect([keyOf('createDisk'), keyOf('setDns'), keyOf('setDhcp'), keyOf('listWorkspaceDediboxIps'), keyOf('deployApp')]).toEqual([
      'DISK',
      'FLOATING_IP',
      'INSTANCE',
      'DEDIBOX',
      'APP',
    ])
    expect([keyOf('joinVpc'), keyOf('createVpc'), keyOf('getInstanceK3sNode'), keyOf('listInstanceWorkflows'), keyOf('getWorkspaceUsage')]).toEqual([
      'INSTANCE',
      'WORKSPACE',
      'WORKSPACE',
      'WORKSPACE',
      'WORKSPACE',
    ])
    expect([keyOf('lookupInvite'), keyOf('listAllDisks'), keyOf('getUser'), keyOf('getWallet'), keyOf('listPlans'), keyOf('getToken')]).toEqual(
      Array.from({ length: 6 }),
    )
  })

  test('a token’s grants say who may call what is neither open nor staff’s, but for these', () => {
    const account = ['self', 'session'] // what is one's own account's
    const tokens = ['createToken', 'refreshToken', 'getToken', 'deleteToken'] // the token itself, or one of a workspace by a rule of its own
    const everybodys = ['listAppTemplates', 'getAppTemplate', 'listPlans', 'getPlan', 'getNode', 'estimatePrice']
    const named = [...tokens, ...everybodys]
    const without = everything.filter(([, { access, grant }]) => access !== 'open' && access !== 'staff' && grant === undefined)
    const unsaid = without.filter(([name, { access }]) => !account.includes(access) && !named.includes(name)).map(([name]) => name)
    expect(unsaid, 'any token may call them: give their paths a key in grants.ts').toEqual([])
    expect(named.filter((name) => !without.some(([one]) => one === name))).toEqual([])
  })

  test('what changes nothing though it is no GET', () => {
    expect(namesOf((route) => route.methods[0] !== 'GET' && !route.effect)).toEqual(['checkAppDomain', 'estimatePrice'])
  })

  test('lists that are plain arrays', () => {
    expect(namesOf((route) => route.answer.shape === 'array')).toEqual([
      'listFirewallCounts',
      'listAppDomains',
      'terminateSubject',
      'listWalletGrants',
      'listWalletHistory',
      'listPrices',
      'listPricesOfType',
    ])
  })

  test('creates that answer with a workflow and the new resource', () => {
    expect(namesOf((route) => route.answer.shape === 'workflow+resource')).toEqual([
      'createInstance',
      'createDisk',
      'createFloatingIp',
      'createFirewallRule',
      'deployApp',
    ])
  })

  test('statuses', () => {
    expect(namesOf((route) => route.statuses.includes(204) && route.methods[0] !== 'GET')).toEqual([
      'deleteAppTemplate',
      'deleteK3sSecret',
      'suspendSubject',
      'resumeSubject',
      'deleteCoupon',
      'deletePrice',
    ])
    expect(namesOf((route) => route.statuses.length === 1 && route.statuses[0] === 201)).toEqual([
      'register',
      'createInvite',
      'createFirewallRule',
      'createVpc',
      'joinVpc',
      'createRecipe',
      'createWorkspaceRecipe',
      'createAppTemplate',
      'deployApp',
      'createPrice',
    ])
    expect(routes.checkAppDomain.statuses).toEqual([200, 404])
    expect(routes.createDediboxIp.statuses).toEqual([202])
  })

  test('operator and administrator only', () => {
    const wallet = ['topUpWallet', 'adjustWallet', 'refundWallet', 'creditWalletCoupon']
    const coupons = ['listCoupons', 'createCoupon', 'getCoupon', 'deleteCoupon']
    const prices = ['listPrices', 'listPricesOfType', 'createPrice', 'updatePrice', 'deletePrice']
    const subjects = ['suspendSubject', 'resumeSubject', 'terminateSubject']
    const platform = ['listRecipes', 'createRecipe', 'createAppTemplate', 'updateAppTemplate', 'deleteAppTemplate']
    const lists = ['listAllDisks', 'listWorkflows', 'listNodes']
    const expected = [...wallet, ...coupons, ...prices, ...subjects, ...platform, ...lists]
    expect(namesOf((route) => route.access === 'staff').toSorted()).toEqual(expected.toSorted())
    expect(routes.listWorkflows.access).toBe('staff')
    expect(routes.createInstance.access).toBe('administrator')
    expect(routes.listWorkspaceTokens.access).toBe('editor')
  })
})
