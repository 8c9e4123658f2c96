// What the service tells of a token or a person, read leniently: what is missing or of another type is not known.
import { instantMs } from '../base/instant.ts'
import type { JsonValue } from '../base/json.ts'
import { isList, isObject } from '../base/json.ts'

/** A token's metadata ("Token"); null for what the service does not tell. */
export interface TokenRecord {
  readonly id: string | null
  readonly name: string | null
  readonly origin: string | null
  readonly subject: string | null
  readonly subjectId: string | null
  readonly workspaceId: string | null
  readonly expires: string | null
  readonly lastUsed: string | null
  readonly lastIp: string | null
  readonly grants: Readonly<Record<string, string>>
}

export function tokenRecord(value: JsonValue | undefined): TokenRecord {
  const grants = memberOf(value, 'grants')
  const levels = isObject(grants) ? Object.entries(grants).flatMap(([kind, level]) => (typeof level === 'string' ? [[kind, level] as const] : [])) : []
  return {
    id: idOf(value, 'id'),
    name: textOf(value, 'name'),
    origin: textOf(value, 'origin'),
    subject: textOf(value, 'subject'),
    subjectId: idOf(value, 'subject_id'),
    workspaceId: idOf(value, 'workspace_id'),
    expires: textOf(value, 'expires'),
    lastUsed: textOf(value, 'last_used'),
    lastIp: textOf(value, 'last_ip'),
    grants: Object.fromEntries(levels),
  }
}

/** The service tells of a use within a minute or two. */
const JUST_USED_MS = 150_000

/** Those that were used a moment ago: nothing else tells which token a call came with. */
export function recentlyUsed(tokens: readonly TokenRecord[], nowMs: number): readonly TokenRecord[] {
  return tokens.filter((one) => one.lastUsed !== null && instantMs(one.lastUsed) >= nowMs - JUST_USED_MS)
}

/** Whether a token is a login session; null where the service does not tell what it is. */
export function isSession({ origin }: Pick<TokenRecord, 'origin'>): boolean | null {
  return origin === null ? null : origin.toUpperCase() === 'SESSION'
}

/** A member that is a text. */
export function textOf(value: JsonValue | undefined, name: string): string | null {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : null
}

/** A member that is an id, as a text. */
export function idOf(value: JsonValue | undefined, name: string): string | null {
  const member = memberOf(value, name)
  return typeof member === 'string' || typeof member === 'number' || typeof member === 'bigint' ? String(member) : null
}

/** The texts of a member that is a list. */
export function textsOf(value: JsonValue | undefined, name: string): readonly string[] {
  const member = memberOf(value, name)
  return isList(member) ? member.filter((one) => typeof one === 'string') : []
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}
