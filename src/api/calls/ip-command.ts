// Attaching and detaching a floating IP as `compat` says it, since the document shows no shapes for these calls.
import * as z from 'zod'
import { undocumentedRoutes } from '../routes/commands.ts'
import type { Method } from '../routes/route.ts'
import type { Call } from './call.ts'
import type { Compat } from './compat.ts'

/** What a call of this kind becomes: `{id}` in the path holds the address, and what stands there or is null leaves the body. */
export interface Command {
  readonly method: Method
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const members = z.looseObject({ ip_id: z.bigint(), instance_id: z.bigint().optional() })

/** The setting that governs a call; undefined for every other route. */
export function commandSetting(call: Call, compat: Compat): Compat['attach_ip'] | undefined {
  if (call.route.path === undocumentedRoutes.attachIp.path) return compat.attach_ip
  return call.route.path === undocumentedRoutes.detachIp.path ? compat.detach_ip : undefined
}

/** The call in the setting's words; `encoded` is what the route's own schema made, its ids integers. Undefined for any other body, which somebody sends as it is. */
export function ipCommand(setting: Compat['attach_ip'], encoded: unknown): Command | undefined {
  const { data: body } = members.safeParse(encoded)
  if (!body) return undefined
  const inPath = setting.path.includes('{id}')
  const wanted = [
    [inPath ? null : setting.ip, body.ip_id],
    [setting.instance, body.instance_id],
  ] as const
  const named = wanted.flatMap(([name, value]) => (name === null || value === undefined ? [] : [[name, value] as const]))
  return {
    method: setting.method,
    path: setting.path.replaceAll('{id}', String(body.ip_id)),
    body: named.length === 0 ? undefined : Object.fromEntries(named),
  }
}
