// What the service tells of an invite ("Invite"), read leniently; its code is never among it.
import { idOf, textOf } from '../../api/token-record.ts'
import type { JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'

/** Null stands for what the service does not tell. */
export interface InviteRecord {
  readonly id: string | null
  readonly email: string | null
  readonly workspace: { readonly id: string | null; readonly name: string | null }
  readonly role: string | null
  readonly from: string | null
  readonly expires: string | null
}

export function inviteRecord(value: JsonValue | undefined): InviteRecord {
  const [workspace, user] = isObject(value) ? [value['workspace'], value['user']] : []
  return {
    id: idOf(value, 'id'),
    email: textOf(value, 'email'),
    workspace: { id: idOf(workspace, 'id'), name: textOf(workspace, 'name') },
    role: textOf(value, 'access_level'),
    from: textOf(user, 'name'),
    expires: textOf(value, 'expires'),
  }
}

/** An invite as a row under `inviteHeaders`. */
export function inviteRow({ id, email, workspace, role, from, expires }: InviteRecord): readonly string[] {
  return [id, workspace.name ?? workspace.id, role, email, from, expires].map((cell) => cell ?? '-')
}

export const inviteHeaders = ['id', 'workspace', 'role', 'email', 'from', 'expires'] as const
