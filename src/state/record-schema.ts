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
const origins = z.record(
  text,
  z.strictObject({ address: name.describe('the resource that gave it'), id: name.describe('id of its object'), output: name.describe('the output of it') }),
)
const outputs = z.record(
  text,
  z.strictObject({ value: json.describe('its value; null where it is sensitive'), sensitive: z.boolean().describe('whether it is hidden') }),
)
const marks = z.record(address, text)
const awaited = z.strictObject({
  mark: text.describe('the mark by which others wait for it'),
  spec: text.describe('hash of the spec that it was to lead to'),
})

const resource: z.ZodType<ResourceRecord> = z
  .strictObject({
    address: address.describe('its address'),
    kind: name.describe('its kind'),
    id: name.describe('id of its object'),
    workspace_id: name.nullable().describe('id of its workspace; null at account scope'),
    status: z.enum(['creating', 'ready', 'failed', 'deleting']).describe('how far it has come'),
    spec: object.describe('as last applied; references are ids, what is sensitive {"$digest": …}'),
    outputs: object.describe('what the service answered'),
    depends_on: z.array(text).describe('addresses that it needs, written and implied'),
    protected: z.boolean().describe('whether prevent_destroy held when it was applied'),
    on_remove: onRemove.describe('what becomes of the object when its manifest goes'),
    deposed: z
      .array(
        z.strictObject({
          id: name.describe('id of the old object'),
          spec: object.describe('as it was last applied'),
          depends_on: z.array(text).describe('addresses that it needs'),
          status: z.enum(['creating', 'failed', 'deleting']).optional().describe('how far it has come; absent of one that was complete'),
          outputs: object.optional().describe('what the service answered, while its successor is not made yet'),
          origins: origins.optional().describe('as below, while its successor is not made yet'),
          uncertain: z.array(text).optional().describe('as below, while its successor is not made yet'),
          restored: z.array(text).optional().describe('as below, while its successor is not made yet'),
          blind: z.array(text).optional().describe('as below, while its successor is not made yet'),
          restarts: z.record(address, text).optional().describe('as below, while its successor is not made yet'),
          triggered: marks.optional().describe('as below, while its successor is not made yet'),
          awaited: awaited.optional().describe('as below, while its successor is not made yet'),
        }),
      )
      .describe('old halves of replacements, still to be deleted'),
    origins: origins.describe('JSON pointer into spec to where a value came from that is known once'),
    uncertain: z.array(text).default([]).describe('fields of which it is open what the service has: an answer was lost, or an earlier revision came back'),
    restored: z.array(text).optional().describe('those of the uncertain fields that an earlier revision may have brought back'),
    blind: z.array(text).optional().describe('fields that cannot be read, and that nobody has sent since it was taken over'),
    restarts: z.record(address, text).optional().describe('hashes of the redeploy triggers that it was last started with, by their addresses'),
    triggered: marks
      .optional()
      .describe(
        'triggers that a run was to change before it replaced or restarted it, and the marks by which it awaited them; absent once that is done, or need not be',
      ),
    awaited: awaited.optional().describe('a change of it by a run that was to replace or restart others after that; absent once anything of it has changed'),
  })
  .refine((one) => one.address.startsWith(`${one.kind}/`), 'the address is of another kind')

/** The state file's members, its digests turned back into tokens; `checksum` is checked before. */
export const documentSchema = z.strictObject({
  format: z.literal('iac-state/v1').describe('name and version of this shape'),
  tool_version: text.describe('the iac that wrote it'),
  lineage: name.describe('which state it is, the same in all its generations: a UUID'),
  serial: count.describe('its generation; grows with each write'),
  written: z
    .strictObject({ time: text.describe('when, ISO 8601'), command: text.describe('the command that wrote it') })
    .optional()
    .describe('when this generation was written, and by what'),
  moving: z.literal(true).optional().describe('brought here by a move that is not done'),
  moved_to: name.optional().describe('where the state lies now; nothing else is kept here'),
  salt: z.base64().min(1).describe('of the digests: 32 bytes in base64'),
  checksum: text.optional().describe('sha256: and the digest of all the rest'),
  project: text.default('').describe('the project; empty where nothing says whose it is'),
  environment: text.nullable().default(null).describe('its environment; null for none'),
  resources: z.array(resource).describe('what is managed, in the order of the addresses'),
  outputs: outputs.describe('outputs of the project, by name'),
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
  status_before: z.enum(['creating', 'failed']).optional(),
  caller: text.optional(),
  natural_key: text.nullable(),
  body_hash: text,
  sets: object,
  clears: z.array(text),
  makes_uncertain: z.array(text).optional(),
  restarts: marks.optional(),
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
  z.strictObject({ t: z.literal('seen'), kind: name, workspace_id: text.nullable(), ids: z.array(text), at: z.number().optional() }),
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
  return issue ? issueText(issue) : 'unreadable'
}

/** The same of one that is chosen. */
export function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${path.map(String).join('.') || 'the whole'}: ${message}`
}
