// Which invites were mailed to the caller: accepted, each is the membership by which a workspace is seen.
import type { Client } from '../../api/client.ts'
import { routes } from '../../api/routes/routes.ts'
import type { JsonObject, JsonValue } from '../../base/json.ts'
import { isObject } from '../../base/json.ts'
import type { AnyKind } from '../../kinds/definition/kind.ts'
import { callerOf } from './caller.ts'
import { orNothing } from './limits.ts'

/** An object that a plan deletes. */
export interface Going {
  readonly kind: AnyKind
  readonly id: string | null
  readonly seen: JsonObject
}

/** The ids of those that are, or may be, the caller's own; the caller is asked for only where an invite goes. */
export async function ownInvites(client: Pick<Client, 'read'>, going: readonly Going[]): Promise<ReadonlySet<string>> {
  const invites = going.filter(({ kind }) => kind.calls.removing.includes(routes.deleteInvite))
  if (invites.length === 0) return new Set()
  const caller = await orNothing(callerOf(client))
  // A token of a workspace or of a resource is nobody's, and no member.
  if (caller === null) return new Set()
  const email = emailOf(caller)
  // Where either address is not told, it may be the caller's.
  const isOwn = ({ seen }: Going): boolean => email === undefined || (emailOf(seen) ?? email) === email
  return new Set(invites.flatMap((one) => (one.id !== null && isOwn(one) ? [one.id] : [])))
}

function emailOf(value: JsonValue | undefined): string | undefined {
  const email = value !== undefined && value !== null && isObject(value) ? value['email'] : undefined
  return typeof email === 'string' ? email.toLowerCase() : undefined
}
