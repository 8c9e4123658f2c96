// What the rules of each kind come to, in one table: what replaces it, what its end costs and takes along, what it waits for.
import { describe, expect, test } from 'vitest'
import { cannedAt, cannedReader } from '../../test/builders/canned-reader.ts'
import { wantedView } from '../../test/builders/wanted-view.ts'
import { compatSchema } from '../api/calls/compat.ts'
import { ApiToken } from './api-token.ts'
import type { AnyKind } from './definition/kind.ts'
import { readShape } from './definition/shape.ts'
import { Instance } from './instance.ts'
import { K3sService } from './k3s-service.ts'
import { Plan } from './plan.ts'
import { kinds } from './registry.ts'
import { UserProfile } from './user-profile.ts'
import { WorkspaceInvite } from './workspace-invite.ts'
import { Workspace } from './workspace.ts'

type Fields = Readonly<Record<string, unknown>>

const spec = { instance: '5', vpc: '6', target_instances: ['5', '7'], name: 'a', data: {} }

/** Steps as `name: disruption`. */
function said(steps: readonly { readonly name: string; readonly disruption?: string | undefined }[]): string[] {
  return steps.map((step) => (step.disruption === undefined ? step.name : `${step.name}: ${step.disruption}`))
}

function marked(kind: AnyKind, mark: 'immutable' | 'clearable' | 'createOnly' | 'secret' | 'endsWith' | 'declarer'): string[] {
  return Object.keys(kind.fields).filter((name) => kind.fields[name]?.[mark] === true)
}

const custom = ['group', 'cpu', 'memory_bytes', 'storage', 'bandwidth']
const ofRule = ['type', 'protocol', 'action', 'port_start', 'port_end', 'remote', 'local', 'bps_limit', 'pps_limit', 'priority', 'description']
const ofCard = ['type', 'region', 'service_group', 'cpu_model', 'storage_backing', 'direction', 'family', 'ddos']
const rules: Readonly<Record<string, Fields>> = {
  Workspace: { removal: [] },
  WorkspaceInvite: { replaces: ['email'], removal: ['delete: interruption'] },
  ApiToken: {
    replaces: ['name', 'grants', 'expires', 'lifetime', 'subject', 'subject_id', 'write_code_to'],
    createFirst: true,
    replaceCosts: ['interruption'],
    removal: ['delete: interruption'],
  },
  SshKey: { replaces: ['name', 'public_key'], provides: ['keys:9'] },
  Instance: {
    replaces: ['type', 'plan', 'region', 'node', ...custom, 'image', 'ips'],
    createOnly: ['cloud_init', 'disable_cloud_init', 'start'],
    secret: ['cloud_init'],
    removal: ['detach disk 8: interruption', 'delete: data_loss'],
    replaceCosts: ['address_loss'],
    needs: ['keys:9'],
  },
  Disk: { replaces: ['backend', 'region'], clearable: ['instance'], removal: ['detach: interruption', 'delete: data_loss'] },
  Vpc: { replaces: ['range'] },
  VpcAttachment: { replaces: ['instance', 'vpc'], declarer: ['instance'], removal: ['delete: interruption'], unique: ['instance', 'vpc'], parent: 'vpc' },
  FirewallRule: {
    replaces: ['instance', ...ofRule],
    clearable: ofRule.slice(3).filter((name) => name !== 'priority'),
    endsWith: ['instance'],
    parent: 'instance',
    createFirst: true,
  },
  FloatingIp: {
    replaces: ['type', 'region', 'ddos'],
    clearable: ['dns', 'instance'],
    declarer: ['instance'],
    removal: ['detach: interruption', 'delete: address_loss'],
  },
  DhcpSettings: {
    replaces: ['instance'],
    clearable: ['v4', 'v6'],
    removal: ['delete: interruption'],
    unique: ['instance'],
    parent: 'instance',
  },
  BgpConfiguration: {
    clearable: ['instance'],
    secret: ['password'],
    removal: ['delete: interruption'],
    unique: 'singleton',
    takes: ['BgpPrefix'],
    provides: ['bgp:9'],
  },
  BgpPrefix: { removal: ['delete: interruption'], claims: ['prefix'], needs: ['bgp:9'] },
  K3sCluster: {
    removal: ['delete: data_loss'],
    unique: 'singleton',
    takes: ['K3sNode', 'K3sSecret', 'K3sService'],
    provides: ['k3s:9'],
    createMs: 60 * 60_000,
  },
  K3sNode: {
    replaces: ['instance'],
    carries: ['K3sService target_instances'],
    keeps: 'instance',
    removal: ['delete: interruption'],
    unique: ['instance'],
    needs: ['k3s:9'],
    provides: ['node:5'],
  },
  K3sSecret: { replaces: ['name'], secret: ['data'], unique: ['name'], needs: ['k3s:9'] },
  K3sService: {
    replaces: ['name', 'mode'],
    clearable: ['replicas', 'ports', 'volumes', 'environment', 'secret_refs', 'update_strategy'],
    removal: ['delete: interruption'],
    unique: ['name'],
    claims: ['ports', 'ports'],
    needs: ['k3s:9', 'node:5', 'node:7'],
  },
  Coupon: { replaces: ['code', 'amount', 'uses', 'expiry_days', 'flags', 'note'], clearable: ['flags', 'note'], unique: ['code'], createFirst: true },
  Recipe: { clearable: ['icon', 'fields'] },
  App: {
    replaces: ['instance', 'template_id', 'name', 'environment', 'mounts', 'domain'],
    clearable: ['environment', 'mounts', 'domain'],
    secret: ['environment'],
    unique: ['name'],
    parent: 'instance',
    endsWith: ['instance'],
    removal: [],
  },
  AppTemplate: { clearable: ['category', 'environment', 'mounts', 'ports'], secret: ['environment'], unique: ['name'] },
  Dedibox: { removal: [] },
  DediboxIp: { replaces: ['dedibox'], unique: ['address'], parent: 'dedibox' },
  UserProfile: { removal: [], unique: 'singleton' },
  Price: { replaces: ofCard, clearable: ofCard.slice(2), unique: [...ofCard, 'effective_from'], createFirst: true },
}
const usual = {
  replaces: [],
  clearable: [],
  createOnly: [],
  secret: [],
  endsWith: [],
  declarer: [],
  removal: ['delete'],
  unique: undefined,
  claims: [],
  keeps: undefined,
  takes: [],
  carries: [],
  needs: [],
  provides: [],
  parent: undefined,
  createFirst: false,
  replaceCosts: [],
  createMs: 30 * 60_000,
}

test.each(kinds.filter((kind) => kind.managed))('$name', (kind) => {
  const live = { id: '1', instance: '5', vpc: '6', extra_disks: [{ id: '8' }] }
  const found = {
    replaces: marked(kind, 'immutable'),
    clearable: marked(kind, 'clearable'),
    createOnly: marked(kind, 'createOnly'),
    secret: marked(kind, 'secret'),
    endsWith: marked(kind, 'endsWith'),
    declarer: marked(kind, 'declarer'),
    removal: said(kind.removal({ id: '1', workspaceId: '9', recorded: {}, live, fresh: false, nowMs: 0 })),
    unique: kind.unique,
    claims: (kind.claims?.({ ...spec, prefix: '203.0.113.0/24', ports: [{ host_port: 80, protocol: 'TCP' }] }) ?? []).map(([field]) => field),
    keeps: kind.keeps?.(compatSchema.parse({ cluster_instances: 'refuse' })),
    takes: kind.takes,
    carries: kind.carries.map((one) => `${one.kind} ${one.field}`),
    needs: kind.needs?.(spec, '9') ?? [],
    provides: kind.provides?.(spec, '9') ?? [],
    parent: kind.parentField,
    createFirst: kind.createFirst,
    replaceCosts: kind.replaceCosts,
    createMs: kind.timeoutsMs.create,
  }
  expect(found, 'its row in `rules` of this file has what differs from `usual`').toEqual({ ...usual, ...rules[kind.name] })
})

describe('states', () => {
  test.each([
    ['Instance', 'state', 'PENDING UNPLACED', 'pending'],
    ['Instance', 'state', 'SUSPENDED', 'stopped'],
    ['Instance', 'state', 'DELETING', 'leaving'],
    ['Instance', 'state', 'FAILED', 'failed'],
    ['K3sCluster', 'status', 'PROVISIONING', 'pending'],
    ['K3sCluster', 'status', 'ACTIVE', 'ready'],
    ['K3sCluster', 'status', 'DEPROVISIONING', 'leaving'],
    ['K3sCluster', 'status', 'FAILED', 'failed'],
    ['K3sNode', 'status', 'JOINING', 'pending'],
    ['K3sNode', 'status', 'READY', 'ready'],
    ['K3sNode', 'status', 'DRAINING', 'leaving'],
    ['K3sNode', 'status', 'FAILED', 'failed'],
    ['K3sService', 'status', 'DEPLOYING UPDATING', 'pending'],
    ['K3sService', 'status', 'RUNNING', 'ready'],
    ['K3sService', 'status', 'STOPPED', 'stopped'],
    ['K3sService', 'status', 'DELETING', 'leaving'],
    ['K3sService', 'status', 'FAILED', 'failed'],
  ])('%s: %s %s is %s', (name, member, words, status) => {
    const kind = kinds.find((one) => one.name === name)
    for (const word of words.split(' ')) {
      const live = kind && readShape(kind.live, { id: '1', [member]: word }, {})
      expect(kind?.status(live, { id: '1', workspaceId: '9', recorded: {}, live, fresh: false, nowMs: 0 })).toBe(status)
    }
  })
})

test('only the owner of a workspace renames it or asks for 2FA', () => {
  const recorded = { name: 'shop', mfa_required: false, disable_ssh_password: false }
  const live = readShape(Workspace.live, { id: '1', ...recorded }, {})
  const access = (other: Partial<typeof recorded>) => Workspace.steps(wantedView(Workspace, { desired: { ...recorded, ...other }, recorded, live }))[0]?.access
  expect([access({ name: 'shop-2' }), access({ mfa_required: true }), access({ disable_ssh_password: true })]).toEqual(['owner', 'owner', undefined])
})
test('a pinned service is interrupted when it is restarted, a spread one is not', () => {
  const restart = (mode: 'PINNED' | 'SPREAD') =>
    K3sService.restart?.({ id: '5', workspaceId: '9', recorded: { mode }, live: undefined, fresh: false, nowMs: 0 })
  expect(restart('PINNED')).toMatchObject({ name: 'redeploy', disruption: 'interruption', call: { params: { wid: '9', id: '5' } } })
  expect(restart('SPREAD')).not.toHaveProperty('disruption')
})
test('a service says the end of its log', async () => {
  const asked: unknown[] = []
  const reader = { ...cannedReader({}), text: async ({ query }: { readonly query?: unknown }) => String(asked.push(query)) }
  await K3sService.lastWords?.(reader, '5', cannedAt())
  expect(asked).toEqual([{ tail: 10 }])
})
test('disabled plans are listed, too: instances of them exist', async () => {
  const asked: unknown[] = []
  const all = async <L>({ query }: { readonly query?: unknown }): Promise<L[]> => {
    asked.push(query)
    return []
  }
  await Plan.list({ ...cannedReader({}), all }, cannedAt())
  expect(asked).toEqual([{ disabled: true }])
})
test('addresses that came with an instance and remain are named', async () => {
  const reader = cannedReader({ '/v1/workspaces/9/ips': [{ id: '31', address: '203.0.113.9' }, { id: '32' }, { id: '33', address: '203.0.113.8' }] })
  expect(await Instance.remains?.(reader, { ips: ['31', 32] }, cannedAt())).toEqual([
    { kind: 'FloatingIp', id: '31', words: 'address 203.0.113.9 (id 31)' },
    { kind: 'FloatingIp', id: '32', words: 'address unknown (id 32)' },
  ])
  expect(await Instance.remains?.(reader, { ips: [] }, cannedAt())).toEqual([])
  expect(reader.asked).toHaveLength(1)
})

// What the service takes is refused nowhere: a manifest about what is there already could not be written.
test.each([
  [
    'invites',
    WorkspaceInvite,
    { access_level: 'EDITOR' },
    'email',
    ['ada&co@example.com', "o'hara@example.com", 'ada@intranet'],
    ['ada', 'ada@', '@example.com'],
  ],
  ['the account', UserProfile, { name: 'Ada' }, 'email', ['ada&co@example.com', 'ada@intranet'], ['ada', 'a b@example.com']],
  [
    'tokens',
    ApiToken,
    { name: 'robot', grants: { INSTANCE: 'READ' } },
    'expires',
    ['2026-12-31', '2026-12-31T12:00Z', '2026-12-31T12:00:00', '2026-12-31T12:00:00+0200'],
    ['soon', '2026-02-30', '31.12.2026'],
  ],
] as const)('%s: a manifest may say what a request may', (_, kind, rest, field, good, bad) => {
  const takes = (value: string) => kind.spec.safeParse({ ...rest, [field]: value }).success
  expect([good.filter((one) => !takes(one)), bad.filter(takes)]).toEqual([[], []])
})

// A plan that found nothing to change is told again later, unless a kind of it has `due`.
test('whether there is anything to change hangs on the time for kinds alone that say so', () => {
  const looking = kinds.filter((kind) => [kind.status, kind.toSpec, kind.strays, kind.ours].some((one) => /nowMs/.test(String(one)))).map((kind) => kind.name)
  expect(looking).toEqual(['ApiToken'])
  expect(kinds.filter((kind) => kind.due).map((kind) => kind.name)).toEqual(looking)
})
