// Who belongs to a workspace, and the record by which each came: section "Invite".
import type { InviteRow } from '../store/people-rows.ts'
import type { UserRow, WorkspaceRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { World } from '../world.ts'

/** Makes a user the owner of a new workspace, with the record of it. */
export function addOwner(tables: Tables, workspace: WorkspaceRow, { id, email }: UserRow): void {
  tables.members.insert({ workspaceId: workspace.id, userId: id, accessLevel: 'OWNER' })
  tables.invites.insert({
    workspaceId: workspace.id,
    creatorId: id,
    email,
    accessLevel: 'OWNER',
    codeHash: null,
    expiresAtMs: null,
    acceptedById: id,
  })
}

/** Makes a user a member by an invite, which is spent then. */
export function joinBy({ tables }: World, invite: InviteRow, userId: string): InviteRow {
  const { workspaceId, accessLevel } = invite
  const member = tables.members.first('pair', `${workspaceId}/${userId}`)
  if (member) tables.members.update(member.id, { accessLevel })
  else tables.members.insert({ workspaceId, userId, accessLevel })
  return tables.invites.update(invite.id, { acceptedById: userId })
}

/** A record of membership as the readings show it; undefined for one that is not there. */
export function recordAt(world: World, id: string): InviteRow | undefined {
  const row = world.tables.invites.get(id)
  return row && isShown(world, row) ? row : undefined
}

/** The records of a workspace as the readings show them, in order of their making. */
export function recordsOf(world: World, workspaceId: string): readonly InviteRow[] {
  return world.tables.invites.by('workspace', workspaceId).filter((row) => isShown(world, row))
}

function isShown({ readings }: World, row: InviteRow): boolean {
  return readings.ownerRecord === 'listed' || row.accessLevel !== 'OWNER'
}
