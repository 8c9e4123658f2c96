// Public keys, and how new instances get them: section "SSH keys".
import type { JsonObject } from '../../../base/json.ts'
import { area } from '../../request/area.ts'
import { listing } from '../../request/exchange.ts'
import { among, filtered, named, search } from '../../request/lists/filters.ts'
import { found } from '../../request/refusal.ts'
import { rule } from '../../request/rules.ts'
import { summaryOf, summaryOrNull } from '../../request/summaries.ts'
import { limitOf } from '../../seed/quota.ts'
import type { SshKeyRow } from '../../store/machine-rows.ts'
import type { InstanceRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'

const rules = [
  rule({
    id: 'ssh-keys.quota',
    section: 'SSH keys',
    quote: 'fails when quota reached',
    routes: ['createSshKey'],
    status: 403,
    open: 'quota',
    message: 'the quota max_ssh_keys is reached',
    broken: ({ world, params: { wid } }) => world.tables.sshKeys.by('workspace', wid).length >= limitOf(world, wid, 'max_ssh_keys'),
  }),
]

/** Keys that are made and deleted, never changed. */
export const sshKeysArea = area(
  {
    listSshKeys({ world, params, query }) {
      const rows = filtered(world.tables.sshKeys.by('workspace', params.wid), [
        among(query.id, (row) => row.id),
        named(world, query.name),
        search(query.q, (row) => [row.name, row.publicKey, row.id]),
      ])
      return listing('ssh_key', rows, (row) => sshKeyView(world, row), 'oldest')
    },
    createSshKey({ world, params, caller, body }) {
      const row = world.tables.sshKeys.insert({ workspaceId: params.wid, name: body.name, publicKey: body.public_key.trim(), userId: caller.user.id })
      return { kind: 'ssh_key', view: sshKeyView(world, row) }
    },
    getSshKey: ({ world, params }) => ({ kind: 'ssh_key', view: sshKeyView(world, found(world.tables.sshKeys.get(params.id), 'SSH key')) }),
    // "already provisioned instances keep the key"
    deleteSshKey({ world, params }) {
      world.tables.sshKeys.delete(params.id)
      return undefined
    },
  },
  { rules },
)

/** Gives an instance that was just provisioned the keys that its workspace has now. */
export function installSshKeys({ tables }: World, { id, workspaceId }: InstanceRow): void {
  const keys = tables.sshKeys.by('workspace', workspaceId).map(({ name, publicKey }) => ({ name, publicKey }))
  if (keys.length > 0) tables.installedKeys.insert({ instanceId: id, keys })
}

function sshKeyView({ tables, readings }: World, row: SshKeyRow): JsonObject {
  return {
    id: row.id,
    name: row.name,
    public_key: readings.keyComments === 'kept' ? row.publicKey : row.publicKey.split(/\s+/, 2).join(' '),
    user: summaryOrNull(tables.users, row.userId),
    owner: summaryOf(tables.workspaces, row.workspaceId),
    created_at: row.createdAt,
  }
}
