// `npm run new:kind` in a copy of the sources: what it writes type-checks and calls the routes with what they take.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawn } from './builders/long-form.ts'

const root = join(import.meta.dirname, '..')
const bare = "import type { AnyKind } from './definition/kind.ts'\n\nexport const kinds: readonly AnyKind[] = Object.freeze([\n])\n"
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'iac-new-kind-'))
  const isKind = (path: string) => /\/kinds\/[\w-]+\.ts$/.test(path) && /^export const \w+ = defineKind\(/m.test(readFileSync(path, 'utf8'))
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true, filter: (path) => !path.endsWith('.test.ts') && !isKind(path) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'src/kinds/registry.ts'), bare)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.json'), include: [], files: ['src/kinds/registry.ts'] }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the script writes for a kind, or says where it stops. */
function begin(words: string): string {
  const [name = ''] = words.split(' ')
  try {
    execFileSync(process.execPath, [join(root, '.ci/new-kind.mjs'), ...words.split(' ')], { cwd: folder, stdio: 'pipe' })
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  }
  return readFileSync(join(folder, 'src/kinds', `${name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()}.ts`), 'utf8')
}

/** What the tests below find there already. */
const first = [
  'SshKey',
  ["scope: 'workspace'", 'listSshKeys, { wid: at.workspaceId }', 'getSshKey, { id }', 'createSshKey, { wid: workspaceId }, desired'],
] as const
const others = [
  [
    'ApiToken',
    ['createWorkspaceToken, { wid: workspaceId }, desired', 'listWorkspaceTokens', 'deleteToken, { id }', 'name: immutable(z.string().min(4).max(48))'],
  ],
  ['Vpc', ['name: z.string().min(4).max(32).describe', 'range: immutable(', "changed('name', 'description')", 'updateVpc, { vid: id }, sets']],
  ['Disk', ['backend: immutable(z.enum([', 'getDisk, { did: id }', 'deleteDisk, { did: id }']],
  ['FloatingIp', ["plural: 'floatingips'", 'deleteFloatingIp, { fid: id }']],
  ['Recipe', ['listWorkspaceRecipes, { wid: at.workspaceId }', 'createWorkspaceRecipe, { wid: workspaceId }, desired']],
  ['Coupon', ["scope: 'account'", 'createCoupon, {}, desired']],
  ['BgpPrefix', ['singleRead: false', 'read: async (api, id, at) =>', 'deleteBgpPrefix, { wid: workspaceId, id }']],
  ['K3sService', ['getK3sService, { wid: at.workspaceId, id }', 'deleteK3sService, { wid: workspaceId, id }']],
  ['K3sCluster getK3s createK3s deleteK3s', ['getK3s, { wid: at.workspaceId }', 'one?.id === id ? one : undefined']],
  [
    'DediboxIp',
    ["scope: 'parent'", "parentField: 'dedibox'", "ref('Dedibox')", 'getDediboxIp, { id: dedibox, ip: id }', 'createDediboxIp, { id: desired.dedibox }'],
  ],
  ['DhcpSettings getDhcp setDhcp resetDhcp', ["parentField: 'instance'", 'setDhcp, { id: desired.instance }', "resetDhcp, { id: recorded.instance ?? '' }"]],
  ['Plan listPlans getPlan', ['managed: false', "cpu: { type: 'integer'", 'listPlans, {}', 'getPlan, { id }', 'cpu: one.cpu', 'steps: () => []']],
  ['Job listWorkspaceWorkflows', ['id: z.string()', "scope: 'workspace'", 'managed: false', 'singleRead: false']],
  ['Grant listWalletGrants', ['managed: false', "parentField: 'wallet'", '({ wallet: one.wallet, name: one.id })']],
  ['FirewallRule listInstanceFirewallRules', ["parentField: 'instance'", 'getFirewallRule, { id }', 'deleteFirewallRule, { id }']],
] as const

test.each([first, ...drawn(others, 4, 'kinds that are begun')])('%s', { tags: ['longer'] }, (words, parts) => {
  const text = begin(words)
  for (const part of parts) expect(text).toContain(part)
})

test('all of it type-checks', { timeout: 120_000, tags: ['longer'] }, () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  // Each of several threads would check the libraries anew.
  expect(execFileSync(process.execPath, [tsc, '--project', folder, '--singleThreaded'], { encoding: 'utf8' })).toBe('')
  expect(readFileSync(join(folder, 'src/kinds/registry.ts'), 'utf8')).toContain("import { SshKey } from './ssh-key.ts'")
})

test.each([
  ['sshKey', 'usage: npm run new:kind'],
  ['SshKey', 'src/kinds/ssh-key.ts is there already'],
  ['Nothing', 'needs a route that makes it'],
  ['Nothing', 'none is called createNothing or listNothings; name those that are called otherwise, or add them first: schemas/reference/architecture.md'],
  ['CouponCard', 'listCoupons, createCoupon'],
  ['CouponCard createCoupon', 'none is called listCouponCards; name'],
  ['CouponCard createCoupon getCoupon', 'getCoupon reads one of many; name'],
  ['Nothing', 'of one that is only looked up, name the routes that read it'],
  ['Plan getPlan', 'Plan needs one that lists it, or reads the only one: getPlan reads one of many; name'],
  ['Address listWorkspaceDediboxIps getDediboxIp', 'getDediboxIp reads Address below another object, and listWorkspaceDediboxIps lists it without one: name'],
  ['Other listNothing', 'there is no route called listNothing'],
])('%s stops: %s', (words, said) => {
  expect(begin(words)).toContain(said)
})
