// What a new sandbox begins with: users, one workspace `default`, plans, regions, images, nodes.
import { fullGrants } from '../people/full-grants.ts'
import { addOwner } from '../people/members.ts'
import type { Tables } from '../store/tables.ts'
import { seedRates, seedWallet } from './billing-seed.ts'
import { seedPlatform } from './platform-seed.ts'

const GIB = 1024 ** 3
const MBIT = 125_000

/** Limits of a new workspace: the document gives none. */
export const defaultQuota = Object.freeze({
  max_instances: 1000,
  max_ssh_keys: 100,
  max_vpcs: 200,
  max_floating_ipv4: 1000,
  max_floating_ipv6: 1000,
  max_floating_ips: 2000,
  max_storage_bytes: 500_000 * GIB,
  iso_count: 10,
  iso_storage_bytes: 100 * GIB,
  firewall_rules_per_ip: 50,
})

export type Quota = Readonly<Record<keyof typeof defaultQuota, number | null>>

// Rates are made up: micro-USD per hour.
const plans = [
  { name: 'lightning-1', group: 'LIGHTNING', cpu: 1, memoryGib: 1, diskGib: 20, mbit: 500, rateMicroUsd: 4_500 },
  { name: 'lightning-2', group: 'LIGHTNING', cpu: 2, memoryGib: 4, diskGib: 40, mbit: 1000, rateMicroUsd: 12_000 },
  { name: 'lightning-4', group: 'LIGHTNING', cpu: 4, memoryGib: 8, diskGib: 80, mbit: 1000, rateMicroUsd: 24_000 },
  { name: 'ryzen-2', group: 'RYZEN', cpu: 2, memoryGib: 4, diskGib: 60, mbit: 1000, rateMicroUsd: 15_000 },
  { name: 'ryzen-4', group: 'RYZEN', cpu: 4, memoryGib: 8, diskGib: 120, mbit: 2000, rateMicroUsd: 30_000 },
  { name: 'ryzen-8', group: 'RYZEN', cpu: 8, memoryGib: 16, diskGib: 240, mbit: 2000, rateMicroUsd: 60_000 },
  { name: 'dedicated-4', group: 'DEDICATED', cpu: 4, memoryGib: 16, diskGib: 200, mbit: 5000, rateMicroUsd: 90_000 },
  { name: 'dedicated-8', group: 'DEDICATED', cpu: 8, memoryGib: 32, diskGib: 400, mbit: 5000, rateMicroUsd: 180_000 },
  { name: 'ryzen-legacy', group: 'RYZEN', cpu: 4, memoryGib: 4, diskGib: 50, mbit: 500, rateMicroUsd: 20_000 },
] as const

const regions = [
  { id: 'fra-1', name: 'Frankfurt 1' },
  { id: 'ams-1', name: 'Amsterdam 1' },
  { id: 'nyc-1', name: 'New York 1' },
] as const

const images = [
  { name: 'debian-13', kind: 'TEMPLATE', osName: 'Debian 13' },
  { name: 'ubuntu-24.04', kind: 'TEMPLATE', osName: 'Ubuntu 24.04' },
  { name: 'alpine-3.22', kind: 'TEMPLATE', osName: 'Alpine 3.22' },
  { name: 'rescue-iso', kind: 'ISO', osName: 'Rescue' },
] as const

/** What the seed makes for callers: the users' codes are given, so that only hashes are kept. */
export interface SeedSecrets {
  readonly tokenHash: string
  readonly operatorTokenHash: string
  readonly passwordHash: string
  readonly quota: Quota
}

/** Fills empty tables; everything after it gets the same ids again. Returns the workspace's id. */
export function seedTables(tables: Tables, secrets: SeedSecrets): string {
  const person = { emailVerified: true, locked: false, passwordHash: secrets.passwordHash, totp: null }
  const owner = tables.users.insert({ ...person, name: 'owner', email: 'owner@sandbox.test', staff: false })
  const operator = tables.users.insert({ ...person, name: 'operator', email: 'operator@sandbox.test', staff: true })
  const workspace = tables.workspaces.insert({
    name: 'default',
    ownerId: owner.id,
    mfaRequired: false,
    disableSshPassword: false,
    quota: { ...secrets.quota },
  })
  addOwner(tables, workspace, owner)
  addSession(tables, owner.id, 'sandbox', secrets.tokenHash)
  addSession(tables, operator.id, 'operator', secrets.operatorTokenHash)
  seedWallet(tables, owner.id)
  seedCatalogue(tables)
  seedPlatform(tables, workspace.id)
  return workspace.id
}

/** Lets a user of the seed in by a code. */
export function addSession(tables: Tables, userId: string, name: 'sandbox' | 'operator', codeHash: string): void {
  const session = { origin: 'SESSION', subject: 'USER', workspaceId: null, expiresAtMs: null, lastUsedMs: null } as const
  tables.tokens.insert({ ...session, grants: { ...fullGrants }, name, codeHash, subjectId: userId, userId, createdById: userId })
}

function seedCatalogue(tables: Tables): void {
  for (const { name, group, cpu, memoryGib, diskGib, mbit, rateMicroUsd } of plans) {
    tables.plans.insert({
      name,
      group,
      cpu,
      memoryBytes: memoryGib * GIB,
      diskBytes: diskGib * GIB,
      uploadBytesSec: mbit * MBIT,
      downloadBytesSec: mbit * MBIT,
      rateMicroUsd,
      disabled: name === 'ryzen-legacy',
      backupPlan: null,
      ioLimits: group === 'DEDICATED' ? null : { readBytesSec: 400_000_000, writeBytesSec: 200_000_000, readIops: 20_000, writeIops: 10_000 },
    })
  }
  for (const region of regions) tables.regions.insert({ ...region, groups: ['LIGHTNING', 'RYZEN', 'DEDICATED'], backends: ['LOCAL', 'CEPH'] })
  for (const { id } of regions) seedRates(tables, id)
  for (const image of images) tables.images.insert(image)
  for (const { id } of regions) {
    for (const group of ['LIGHTNING', 'RYZEN', 'DEDICATED'] as const) {
      const name = `${id}-${group.toLowerCase()}-1`
      tables.nodes.insert({ name, ownerWorkspaceId: null, group, region: id, maxMemoryBytes: 1024 * GIB, cores: 128, flags: ['CEPH'] })
    }
  }
}
