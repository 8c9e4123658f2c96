// Reads what the service answers of usage, wallets, coupons and rates; an answer that is none ends the command with its route.
import * as z from 'zod'
import type { Call } from '../../api/calls/call.ts'
import type { Client } from '../../api/client.ts'
import { failure } from '../../base/diagnostic.ts'
import type { JsonValue } from '../../base/json.ts'

const id = z.union([z.string(), z.int(), z.bigint()]).transform(String)
const text = z
  .string()
  .nullish()
  .transform((one) => one ?? null)
const integer = z.union([z.int(), z.bigint()])
const money = integer.nullish().transform((one) => (one === null || one === undefined ? null : BigInt(one)))
const minutes = z
  .number()
  .nullish()
  .transform((one) => one ?? null)

const resource = z.object({ resource_id: id, resource_kind: text, resource_name: text, minutes, cost: money })
const resources = z
  .array(resource)
  .nullish()
  .transform((one) => one ?? [])
const workspace = z.object({ workspace_id: id, workspace_name: text, total_minutes: minutes, total_cost: money, resources })

/** The records, each read leniently: members that are missing are null. */
export const billingRecords = {
  resourceUsage: resource,
  workspaceUsage: workspace,
  userUsage: z.object({ total_cost: money, workspaces: z.array(workspace) }),
  balance: z.object({ balance: money, usage: money, overage: money }),
  grant: z.object({ id, type: text, amount: money, effective_at: text, expires_at: text, code: text, payment_ref: text }),
  segment: z.object({ from: z.string(), to: z.string(), usage: money, balance: money }),
  movement: z.object({ id, type: text, amount: money, memo: text, reference: text, created_at: text }),
  redeemed: z.object({ amount: money, expires_at: text, flags: z.array(z.string()).nullish(), workspaces: z.int().nullish() }),
  rate: z.object({
    id,
    type: text,
    region: text,
    service_group: text,
    cpu_model: text,
    storage_backing: text,
    direction: text,
    family: text,
    ddos: z
      .boolean()
      .nullish()
      .transform((one) => one ?? null),
    unit_rate: money,
    effective_from: text,
  }),
  subject: z.object({ id, kind: text }),
} as const

/** One record; undefined where there is none (404). Throws a Failure where the answer is something else. */
export async function readRecord<T>(client: Client, call: Call, schema: z.ZodType<T>): Promise<T | undefined> {
  const answer = await client.read(call)
  return answer === undefined ? undefined : asRecord(call, answer, schema)
}

/** Every record of a list. Throws a Failure where an item is something else. */
export async function readRecords<T>(client: Client, call: Call, schema: z.ZodType<T>): Promise<readonly T[]> {
  return (await client.all(call)).map((item) => asRecord(call, item, schema))
}

/** An answer as what its route says that it is; throws a Failure that quotes nothing of it. */
export function asRecord<T>({ route }: Pick<Call, 'route'>, answer: JsonValue, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') ?? ''
  const detail = where === '' ? {} : { detail: `${where} is not what it should be` }
  throw failure('api_error', `the service answered something unexpected to ${route.methods[0]} ${route.path}`, detail)
}
