// What state file and journal may hold, checked strictly when they are read: both can come from anywhere.
import * as z from 'zod'
import { parseAddress } from '../base/address.ts'
import type { JsonObject, JsonValue } from '../base/json.ts'
import type { Entry, ResourceRecord } from './record.ts'

const text = z.string()
const name = z.string().min(1)
const count = z.number().int().nonnegative()
const json = z.custom<JsonValue>((value) => value !== undefined)
const object = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
const address = name.refine((value) => parseAddress(value) !== undefined, 'not an address')
const onRemove = z.enum(['delete', 'retain'])
const origins = z.record(text, z.strictObject({ address: name, id: name, output: name }))
const outputs = z.record(text, z.strictObject({ value: json, sensitive: z.boolean() }))

const resource: z.ZodType<ResourceRecord> = z
  .strictObject({
    address,
    kind: name,
    id: name,
    workspace_id: name.nullable(),
    status: z.enum(['creating', 'ready', 'failed', 'deleting']),
    spec: object,
    outputs: object,
    depends_on: z.array(text),
    protected: z.boolean(),
    on_remove: onRemove,
    deposed: z.array(z.strictObject({ id: name, spec: object, depends_on: z.array(text) })),
    origins,
    uncertain: z.array(text).default([]),
    blind: z.array(text).optional(),
    restarts: z.record(address, text).optional(),
  })
  .refine((one) => one.address.startsWith(`${one.kind}/`), 'the address is of another kind')

/** The state file's members, its digests turned back into tokens; `checksum` is checked before. */
export const documentSchema = z.strictObject({
  format: z.literal('iac-state/v1'),
  tool_version: text,
  lineage: name,
  serial: count,
  salt: z.base64().min(1),
  checksum: text.optional(),
  project: text.default('').describe('empty where nothing says whose it is'),
  environment: text.nullable().default(null),
  resources: z.array(resource),
  outputs,
})

const intent = z.strictObject({
  t: z.literal('intent'),
  seq: count,
  address,
  kind: name,
  workspace_id: text.nullable(),
  id: text.nullable(),
  half: z.enum(['current', 'deposed']),
  step: text,
  creates: z.boolean(),
  removes: z.boolean(),
  natural_key: text.nullable(),
  body_hash: text,
  sets: object,
  clears: z.array(text),
  depends_on: z.array(text),
  protected: z.boolean(),
  on_remove: onRemove,
  origins,
  sent_at: z.number(),
})

/** One line of the journal, its digests turned back into tokens. */
export const entrySchema: z.ZodType<Entry> = z.discriminatedUnion('t', [
  z.strictObject({ t: z.literal('begin'), run: text, lineage: name, serial: count, tool_version: text, salt: z.base64().min(1) }),
  z.strictObject({ t: z.literal('restored'), serial: count }),
  z.strictObject({ t: z.literal('seen'), kind: name, workspace_id: text.nullable(), ids: z.array(text) }),
  intent,
  z.strictObject({ t: z.literal('accepted'), seq: count, workflow_id: text.nullable(), id: name.nullable() }),
  z.strictObject({ t: z.literal('rejected'), seq: count, status: z.number(), reason: text }),
  z.strictObject({ t: z.literal('failed'), seq: count, workflow_state: text }),
  z.strictObject({ t: z.literal('closed'), seq: count, why: text }),
  z.strictObject({ t: z.literal('adopted'), seq: count, id: name, evidence: text }),
  z.strictObject({ t: z.literal('done'), seq: count, id: name }),
  z.strictObject({ t: z.literal('repeated'), seq: count }),
  z.strictObject({ t: z.literal('record'), resource }),
  z.strictObject({ t: z.literal('move'), from: address, to: address }),
  z.strictObject({ t: z.literal('forget'), address, id: name }),
])

/** Where the first thing wrong stands and what it is; never quotes a value. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.map(String).join('.') || 'the whole'}: ${issue.message}` : 'unreadable'
}
