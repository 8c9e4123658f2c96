// The rows of every table, as schemas: what is kept is JSON, and what comes back from a file is checked.
import * as z from 'zod'
import { diskBackend, family, instanceGroup as group, resourceState, transport } from '../../api/routes/fields.ts'
import { baseColumns } from './base-columns.ts'

const idOrNull = z.string().nullable()
export const accessLevel = z.enum(['VIEWER', 'EDITOR', 'ADMINISTRATOR', 'OWNER'])
const json = z.json()

// Not strict: in data that was kept earlier it has a column more.
export const workspaceRow = z.object({
  ...baseColumns,
  name: z.string(),
  ownerId: z.string(),
  mfaRequired: z.boolean(),
  disableSshPassword: z.boolean(),
  quota: z.record(z.string(), z.number().nullable()),
})
export const memberRow = z.strictObject({ ...baseColumns, workspaceId: z.string(), userId: z.string(), accessLevel })
export const userRow = z.strictObject({
  ...baseColumns,
  name: z.string(),
  email: z.string(),
  staff: z.boolean(),
  emailVerified: z.boolean(),
  locked: z.boolean(),
  passwordHash: z.string(),
  totp: z.strictObject({ secret: z.string(), reset: z.string(), active: z.boolean() }).nullable(),
  /** How often a setup of 2FA was begun: no two have one secret. */
  totpSetups: z.number().optional(),
})
export const tokenRow = z.strictObject({
  ...baseColumns,
  name: z.string(),
  codeHash: z.string(),
  expiresAtMs: z.number().nullable(),
  origin: z.enum(['SESSION', 'API', 'SYSTEM', 'OAUTH']),
  subject: z.enum(['USER', 'WORKSPACE', 'RESOURCE']),
  subjectId: z.string(),
  userId: idOrNull,
  workspaceId: idOrNull,
  createdById: z.string(),
  grants: z.record(z.string(), z.enum(['READ', 'WRITE'])),
  lastUsedMs: z.number().nullable(),
})

export const planRow = z.strictObject({
  ...baseColumns,
  name: z.string(),
  group,
  cpu: z.number(),
  memoryBytes: z.number(),
  diskBytes: z.number(),
  uploadBytesSec: z.number(),
  downloadBytesSec: z.number(),
  rateMicroUsd: z.number(),
  disabled: z.boolean(),
  backupPlan: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
  ioLimits: z.strictObject({ readBytesSec: z.number(), writeBytesSec: z.number(), readIops: z.number(), writeIops: z.number() }).nullable(),
})
/** A region's id is its code, an image's a 64-bit id. */
export const regionRow = z.strictObject({ ...baseColumns, name: z.string(), groups: z.array(group), backends: z.array(diskBackend) })
export const imageRow = z.strictObject({ ...baseColumns, name: z.string(), kind: z.enum(['TEMPLATE', 'BACKUP', 'ISO']), osName: z.string() })
export const nodeRow = z.strictObject({
  ...baseColumns,
  name: z.string(),
  ownerWorkspaceId: idOrNull,
  group,
  region: z.string(),
  maxMemoryBytes: z.number(),
  cores: z.number(),
  flags: z.array(z.string()),
})

/** An instance. `ipIds` are in order of their granting; firmware settings hold from the next boot. */
export const instanceRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  name: z.string(),
  type: z.enum(['PLAN', 'CUSTOM']),
  planId: idOrNull,
  group,
  region: z.string(),
  nodeId: idOrNull,
  cpu: z.number(),
  memoryBytes: z.number(),
  storage: z.array(z.strictObject({ sizeBytes: z.number(), boot: z.boolean(), backing: z.string(), diskId: z.string() })),
  bandwidth: z.strictObject({ uploadBytesSec: z.number().nullable(), downloadBytesSec: z.number().nullable() }).nullable(),
  imageId: idOrNull,
  isoId: idOrNull,
  ipIds: z.array(z.string()),
  boot: z.enum(['DISK', 'ISO']),
  uefi: z.boolean(),
  secureBoot: z.boolean(),
  attachVirtioCd: z.boolean(),
  syncHostname: z.boolean(),
  firewallEnabled: z.boolean(),
  osName: z.string().nullable(),
  state: resourceState,
  online: z.boolean(),
})
export const diskRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  backend: diskBackend,
  region: z.string(),
  boot: z.boolean(),
  instanceId: idOrNull,
  state: resourceState,
})
/** An address; `grantedWith` is the instance it came with, null for a floating one. */
export const ipRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  family,
  address: z.string(),
  region: z.string(),
  ddos: z.boolean(),
  dns: z.string().nullable(),
  instanceId: idOrNull,
  grantedWith: idOrNull,
  state: resourceState,
})

export const vpcRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  name: z.string(),
  description: z.string(),
  range: z.string(),
  vlan: z.number(),
})
export const membershipRow = z.strictObject({ ...baseColumns, vpcId: z.string(), instanceId: z.string(), address: z.string() })

export const bgpConfigurationRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  asn: z.number().nullable(),
  password: z.string().nullable(),
  instanceId: idOrNull,
  maxPrefixes: z.number(),
})
export const bgpPrefixRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  prefix: z.string(),
  source: z.literal('MANUAL'),
  enabled: z.boolean(),
  community: z.enum(['DEFAULT', 'PROTECTED']),
})

export const firewallRuleRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  instanceId: z.string(),
  type: family,
  protocol: z.enum([...transport.options, 'ICMP']),
  action: z.enum(['ACCEPT', 'DROP']),
  portStart: z.number().nullable(),
  portEnd: z.number().nullable(),
  remote: z.string(),
  local: z.string().nullable(),
  bpsLimit: z.number().nullable(),
  ppsLimit: z.number().nullable(),
  priority: z.number(),
  description: z.string().nullable(),
})

export const clusterRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  name: z.string(),
  status: z.enum(['PROVISIONING', 'ACTIVE', 'DEPROVISIONING', 'FAILED']),
})
export const clusterNodeRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  instanceId: z.string(),
  nodeName: z.string(),
  status: z.enum(['JOINING', 'READY', 'DRAINING', 'FAILED']),
})
/** What an update replaces in full, and a rollback brings back. */
const serviceRevision = z.strictObject({
  image: z.string(),
  targetIds: z.array(z.string()),
  replicas: z.number().nullable(),
  ports: z.array(z.strictObject({ hostPort: z.number(), containerPort: z.number(), protocol: transport, http: z.boolean() })),
  volumes: z.array(z.strictObject({ hostPath: z.string(), containerPath: z.string() })),
  environment: z.record(z.string(), z.string()),
  secretRefs: z.array(z.string()),
  updateStrategy: z.enum(['ROLLING', 'START_FIRST']),
})
/** A service; `rollout` counts the times its pods were exchanged, the last of them at `rolledOutAtMs` (ms since 1970). */
export const clusterServiceRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  name: z.string(),
  mode: z.enum(['PINNED', 'SPREAD']),
  status: z.enum(['DEPLOYING', 'RUNNING', 'UPDATING', 'DELETING', 'FAILED', 'STOPPED']),
  revision: serviceRevision,
  previous: serviceRevision.nullable(),
  rollout: z.number(),
  rolledOutAtMs: z.number(),
})
export const clusterSecretRow = z.strictObject({ ...baseColumns, workspaceId: z.string(), name: z.string(), data: z.record(z.string(), z.string()) })

/** A workflow with its course laid out when it starts: every instant in ms since 1970, null where it never comes. */
export const workflowRow = z.strictObject({
  ...baseColumns,
  name: z.string(),
  operation: z.string(),
  workspaceId: z.string(),
  instanceId: idOrNull,
  subject: z.strictObject({ table: z.string(), id: z.string() }),
  input: json,
  state: z.enum(['QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED', 'TIMED_OUT']),
  outcome: z.enum(['COMPLETED', 'FAILED', 'ABORTED', 'TIMED_OUT']),
  leaves: z.enum(['nothing', 'failed', 'done']),
  queuedAtMs: z.number(),
  runsAtMs: z.number().nullable(),
  effectAtMs: z.number().nullable(),
  endsAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  effectShown: z.boolean(),
  output: json,
})

/** What somebody did, by the entry that told of it. */
export const auditEntryRow = z.strictObject({ ...baseColumns, action: z.string(), subjectId: z.string(), workspaceId: idOrNull, userId: z.string() })

export type WorkspaceRow = z.output<typeof workspaceRow>
export type UserRow = z.output<typeof userRow>
export type TokenRow = z.output<typeof tokenRow>
export type PlanRow = z.output<typeof planRow>
export type RegionRow = z.output<typeof regionRow>
export type NodeRow = z.output<typeof nodeRow>
export type InstanceRow = z.output<typeof instanceRow>
export type DiskRow = z.output<typeof diskRow>
export type IpRow = z.output<typeof ipRow>
export type VpcRow = z.output<typeof vpcRow>
export type MembershipRow = z.output<typeof membershipRow>
export type BgpPrefixRow = z.output<typeof bgpPrefixRow>
export type FirewallRuleRow = z.output<typeof firewallRuleRow>
export type ClusterRow = z.output<typeof clusterRow>
export type ClusterNodeRow = z.output<typeof clusterNodeRow>
export type ServiceRevision = z.output<typeof serviceRevision>
export type ClusterServiceRow = z.output<typeof clusterServiceRow>
export type ClusterSecretRow = z.output<typeof clusterSecretRow>
export type WorkflowRow = z.output<typeof workflowRow>
export type AccessLevel = z.output<typeof accessLevel>
