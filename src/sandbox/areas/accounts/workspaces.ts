// Workspaces with their quota and topology: section "Workspaces, invites, quota".
import type { Grant } from '../../../api/routes/route.ts'
import type { JsonObject } from '../../../base/json.ts'
import { couponFlags } from '../../metering/credit.ts'
import { addOwner } from '../../people/members.ts'
import { hasTotp } from '../../people/totp.ts'
import { area } from '../../request/area.ts'
import { atLeast, isGranted } from '../../request/authorization.ts'
import { levelIn } from '../../request/caller.ts'
import { defined } from '../../request/defined.ts'
import type { Caller } from '../../request/exchange.ts'
import { listing } from '../../request/exchange.ts'
import { filtered, named } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import { summaryOrNull } from '../../request/summaries.ts'
import type { UserRow, WorkspaceRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

const rules = [
  rule({
    id: 'workspaces.rename',
    section: 'Workspaces, invites, quota',
    quote: 'name (4-32, OWNER)',
    routes: ['updateWorkspace'],
    status: 403,
    message: 'renaming needs the role OWNER',
    broken: ({ body, level }) => body.name !== undefined && level !== undefined && !atLeast(level, 'OWNER'),
  }),
  rule({
    id: 'workspaces.mfa-owner',
    section: 'Workspaces, invites, quota',
    quote: 'mfa_required (OWNER;',
    routes: ['updateWorkspace'],
    status: 403,
    message: 'mfa_required needs the role OWNER',
    broken: ({ body, level }) => body.mfa_required !== undefined && level !== undefined && !atLeast(level, 'OWNER'),
  }),
  rule({
    id: 'workspaces.mfa-members',
    section: 'Errors',
    quote: 'Enabling `mfa_required` fails unless every member has 2FA.',
    routes: ['updateWorkspace'],
    status: 400,
    field: 'mfa_required',
    message: 'not every member has 2FA',
    broken: ({ world, params, body }) =>
      body.mfa_required === true && !world.tables.members.by('workspace', params.id).every((member) => hasTotp(world.tables.users.get(member.userId))),
  }),
]

/** Workspaces as their members see them. */
export const workspacesArea = area(
  {
    listWorkspaces({ world, caller, query }) {
      const rows = filtered(visibleTo(world, caller), [named(world, query.name)])
      return listing('workspace', rows, (row) => ({ id: row.id, name: row.name, access_level: found(levelIn(world, caller, row.id), 'workspace') }))
    },
    createWorkspace({ world, caller, body }) {
      return { kind: 'workspace', view: workspaceView(world, addWorkspace(world, body.name, caller.user)) }
    },
    getWorkspace: ({ world, params }) => ({ kind: 'workspace', view: workspaceView(world, found(world.tables.workspaces.get(params.id), 'workspace')) }),
    updateWorkspace({ world, params, body }) {
      const { name, mfa_required: mfaRequired, disable_ssh_password: disableSshPassword } = body
      const row = world.tables.workspaces.update(params.id, defined({ name, mfaRequired, disableSshPassword }))
      return { kind: 'workspace', view: workspaceView(world, row) }
    },
    getQuota: ({ world, params }) => ({ kind: 'record', view: found(world.tables.workspaces.get(params.wid), 'workspace').quota }),
    getTopology: ({ world, caller, params }) => ({ kind: 'record', view: topologyOf(world, caller, params.wid) }),
  },
  { rules },
)

/** Makes a workspace with the quota of the first; the user becomes its owner. */
export function addWorkspace({ tables }: World, name: string, user: UserRow): WorkspaceRow {
  const quota = { ...found(tables.workspaces.all()[0], 'workspace').quota }
  const row = tables.workspaces.insert({ name, ownerId: user.id, mfaRequired: false, disableSshPassword: false, quota })
  addOwner(tables, row, user)
  return row
}

function visibleTo(world: World, caller: Caller): readonly WorkspaceRow[] {
  const { workspaces, members } = world.tables
  if (caller.staff) return workspaces.all()
  const { subject = 'USER', workspaceId = null } = caller.token ?? {}
  if (subject === 'RESOURCE') return []
  const ids = workspaceId !== null ? [workspaceId] : members.by('user', caller.user.id).map((member) => member.workspaceId)
  return ids.map((id) => found(workspaces.get(id), 'workspace')).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

const settingWords = { words: ['MFA_REQUIRED', 'DISABLE_SSH_PASSWORD'], 'other-words': ['REQUIRE_2FA', 'SSH_KEYS_ONLY'] } as const

function workspaceView(world: World, row: WorkspaceRow): JsonObject {
  const { mfaRequired, disableSshPassword } = row
  const base = { id: row.id, name: row.name, owner: summaryOrNull(world.tables.users, row.ownerId) }
  const flags = couponFlags(world, row)
  const { workspaceFlags } = world.readings
  if (workspaceFlags === 'members') return { ...base, flags, mfa_required: mfaRequired, disable_ssh_password: disableSshPassword }
  const [mfaWord, sshWord] = settingWords[workspaceFlags]
  return { ...base, flags: [...(mfaRequired ? [mfaWord] : []), ...(disableSshPassword ? [sshWord] : []), ...flags] }
}

/** Of each kind what the token may list; a kind that its grants omit is as if there were nothing of it. */
function topologyOf({ tables }: World, caller: Caller, workspaceId: string): JsonObject {
  const seen = <T>(resource: Grant['resource'], rows: readonly T[]): readonly T[] => (isGranted(caller, { resource, level: 'READ' }) ? rows : [])
  const instances = seen('INSTANCE', tables.instances.by('workspace', workspaceId))
  const ips = seen('FLOATING_IP', tables.ips.by('workspace', workspaceId))
  const dediboxes = seen('DEDIBOX', tables.dediboxes.by('workspace', workspaceId))
  return {
    instances: instances.map(({ id, name, online, planId, state }) => ({ id, name, online, plan: planId, state })),
    ips: ips.map(({ id, instanceId, address, ddos }) => ({ id, instance_id: instanceId, address, protected: ddos })),
    vpcs: tables.vpcs.by('workspace', workspaceId).map(({ id, name, range }) => ({
      id,
      name,
      range,
      instances: seen('INSTANCE', tables.memberships.by('vpc', id)).map(({ instanceId, address }) => ({ instance_id: instanceId, address })),
    })),
    dediboxes: dediboxes.map(({ id, name, online }) => ({ id, name, online })),
    net_balancers: [],
  }
}
