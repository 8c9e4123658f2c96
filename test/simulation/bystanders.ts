// What was at the service before: objects of others with the natural keys of ours, which must survive untouched.
import { virtualClock } from '../../src/base/clock.ts'
import { canonicalJson, isObject } from '../../src/base/json.ts'
import type { JsonValue } from '../../src/base/json.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Snapshot } from '../../src/sandbox/store/store.ts'
import { instanceFields } from '../builders/instance-row.ts'
import type { KindTable } from '../builders/kind-tables.ts'
import { tableOf } from '../builders/kind-tables.ts'
import { deliveredToken } from './scenario.ts'

/** The tables that hold what the projects make. */
export const ownTables: readonly KindTable[] = Object.values(tableOf)

/** Kinds whose objects are there before, and are taken over. */
export const adoptedKinds: ReadonlySet<string> = new Set(kinds.flatMap((one) => (one.adopted === undefined ? [] : [one.name])))

let planted: Snapshot | undefined

/** A service with bystanders, as a snapshot that every run begins with. */
export function withBystanders(): Snapshot {
  planted ??= plant()
  return planted
}

let theirs: ReadonlyMap<KindTable, ReadonlyMap<string, string>> | undefined

/** Rows of others by table and id, as canonical JSON. */
export function bystanders(): ReadonlyMap<KindTable, ReadonlyMap<string, string>> {
  theirs ??= new Map(
    ownTables.map((table) => [
      table,
      new Map((withBystanders().tables[table] ?? []).filter((row) => !isLogin(row)).map((row) => [idOf(row), canonicalJson(asJson(row))])),
    ]),
  )
  return theirs
}

/** Whether a row was there before the first run. */
export function isBystander(table: KindTable, id: string): boolean {
  return bystanders().get(table)?.has(id) ?? false
}

/** The caller's own session, which every call of it changes. */
function isLogin(row: unknown): boolean {
  return typeof row === 'object' && row !== null && Reflect.get(row, 'origin') === 'SESSION'
}

function idOf(row: unknown): string {
  const id: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, 'id') : undefined
  return typeof id === 'string' ? id : ''
}

/** A row as JSON alone. */
export function asJson(row: unknown): JsonValue {
  const value: JsonValue = JSON.parse(JSON.stringify(row))
  return isObject(value) ? value : {}
}

function plant(): Snapshot {
  const sandbox = createSandbox({ clock: virtualClock(undefined, false) })
  const { workspaces, members, users } = sandbox.world.tables
  const base = workspaces.all()[0]
  const owner = users.all()[0]
  if (!base || !owner) throw new Error('the seed has no workspace')
  const { id: _, createdAt: __, ...fields } = base
  const other = workspaces.insert({ ...fields, name: 'shop-prod' })
  members.insert({ workspaceId: other.id, userId: owner.id, accessLevel: 'OWNER' })
  plantNetwork(sandbox, base.id)
  plantRecipes(sandbox, base.id)
  plantUnique(sandbox, other.id)
  return sandbox.snapshot()
}

/** In the same workspace: whatever is not unique there. */
function plantNetwork(sandbox: Sandbox, workspaceId: string): void {
  const { vpcs, firewallRules, memberships } = sandbox.world.tables
  const side = vpcs.insert({ workspaceId, name: 'side-net', description: 'beside', range: '10.2.0.0/24', vlan: 100 })
  vpcs.insert({ workspaceId, name: 'front-net', description: 'first', range: '10.1.0.0/24', vlan: 101 })
  const { sshKeys, disks, ips, users } = sandbox.world.tables
  const userId = users.all()[0]?.id ?? ''
  sshKeys.insert({ workspaceId, name: 'work-key', publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl', userId })
  disks.insert({
    workspaceId,
    name: 'data-disk',
    sizeBytes: 10 * 2 ** 30,
    backend: 'LOCAL',
    region: 'fra-1',
    boot: false,
    instanceId: null,
    state: 'AVAILABLE',
  })
  const free = { dns: null, instanceId: null, grantedWith: null, state: 'AVAILABLE' } as const
  ips.insert({ workspaceId, family: 'IPv4', address: '198.51.100.7', region: 'fra-1', ddos: false, ...free })
  sandbox.world.tables.tokens.insert({
    name: deliveredToken,
    codeHash: 'of another code',
    expiresAtMs: null,
    origin: 'API',
    subject: 'WORKSPACE',
    subjectId: workspaceId,
    userId: null,
    workspaceId,
    createdById: userId,
    grants: { INSTANCE: 'READ' },
    lastUsedMs: null,
  })
  const web = plantInstance(sandbox, workspaceId, 'web')
  const db = plantInstance(sandbox, workspaceId, 'db')
  plantInstance(sandbox, workspaceId, 'worker')
  memberships.insert({ vpcId: side.id, instanceId: db, address: '10.2.0.2' })
  firewallRules.insert({
    workspaceId,
    instanceId: web,
    type: 'IPv4',
    protocol: 'TCP',
    action: 'ACCEPT',
    portStart: 22,
    portEnd: null,
    remote: '0.0.0.0/0',
    local: null,
    bpsLimit: null,
    ppsLimit: null,
    priority: 10,
    description: null,
  })
}

function plantInstance(sandbox: Sandbox, workspaceId: string, name: string): string {
  const plan = sandbox.world.tables.plans.all().find((one) => one.name === 'ryzen-2')
  return sandbox.world.tables.instances.insert({
    ...instanceFields,
    workspaceId,
    name,
    planId: plan?.id ?? null,
    uefi: false,
    firewallEnabled: true,
  }).id
}

/** Recipes with the name of ours, in the workspace and on the platform. */
function plantRecipes(sandbox: Sandbox, workspaceId: string): void {
  const { recipes } = sandbox.world.tables
  const own = { name: 'base', category: 'TOOLS', description: 'theirs', icon: null, commands: [], fields: [] } as const
  for (const ownerId of [workspaceId, null]) recipes.insert({ ...own, commands: [], fields: [], ownerId })
}

/** In another workspace that the caller sees: singletons, and what is unique in a workspace. */
function plantUnique(sandbox: Sandbox, workspaceId: string): void {
  const { tables } = sandbox.world
  const instanceId = plantInstance(sandbox, workspaceId, 'worker')
  tables.bgpConfigurations.insert({ workspaceId, asn: 64512, password: 'not ours', instanceId, maxPrefixes: 8 })
  tables.bgpPrefixes.insert({ workspaceId, prefix: '203.0.113.0/24', source: 'MANUAL', enabled: true, community: 'DEFAULT' })
  tables.clusters.insert({ workspaceId, name: 'theirs', status: 'ACTIVE' })
  tables.clusterNodes.insert({ workspaceId, instanceId, nodeName: 'worker', status: 'READY' })
  tables.clusterSecrets.insert({ workspaceId, name: 'database', data: { DB_PASSWORD: 'not ours' } })
  const revision = {
    image: 'registry.example/api:1',
    targetIds: [instanceId],
    replicas: 1,
    ports: [],
    volumes: [],
    environment: {},
    secretRefs: ['database'],
    updateStrategy: 'ROLLING' as const,
  }
  tables.clusterServices.insert({ workspaceId, name: 'api', mode: 'SPREAD', status: 'RUNNING', revision, previous: null, rollout: 1, rolledOutAtMs: 0 })
}
