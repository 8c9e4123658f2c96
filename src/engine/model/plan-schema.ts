// The shape of a plan as JSON, each member with what it says: what is read of plan files, and what the reference and the JSON Schema are made from.
import * as z from 'zod'
import { compatSchema } from '../../api/calls/compat.ts'
import type { Code } from '../../base/catalogue.ts'
import { catalogue } from '../../base/catalogue.ts'
import type { JsonValue } from '../../base/json.ts'

const json: z.ZodType<JsonValue> = z.lazy(() => z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]))
const object = z.record(z.string(), json)
const text = z.string()
// What is computed with, or stands where no room is made for it, is held to its form here: a plan of another version is shown and told to forges, too.
const called = text.max(255)
const digits = text.regex(/^\d{1,30}$/)
const codes = Object.keys(catalogue).filter((name): name is Code => Object.hasOwn(catalogue, name))

const where = text.describe('JSON pointer to what changes')
const value = json.describe('the new value; {"$sensitive": true} or {"$unknown": true} in its place')
const milliseconds = z.int().positive()
const operation = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('add').describe('what is done'), path: where, value }),
  z.strictObject({ op: z.literal('remove').describe('what is done'), path: where }),
  z.strictObject({ op: z.literal('replace').describe('what is done'), path: where, value }),
])

const change = z.strictObject({
  address: text.describe('the resource'),
  kind: text.describe('its kind'),
  workspace_id: text.nullable().describe('id of its workspace; null at account scope, and where this plan makes the workspace'),
  workspace_address: text.nullable().describe('the Workspace manifest that makes its workspace, where one of this project does; else null'),
  workspace_name: text.optional().describe('name of its workspace, or its id; absent where the caller sees no other one, and where nothing is done'),
  id: text.nullable().describe('id of its object; null before create'),
  action: z.enum(['no-op', 'create', 'update', 'replace', 'delete', 'import', 'forget']).describe('what is done'),
  reason: z
    .enum(['changed', 'drifted', 'new', 'missing', 'removed', 'requested', 'immutable_field', 'trigger', 'failed', 'expiring', 'secret_lost', 'resumed'])
    .nullable()
    .describe('why; null for no-op'),
  before: object.nullable().describe('comparable live values; null before create; {"$sensitive": true} in the place of what is sensitive'),
  after: object.nullable().describe('comparable desired values; null after delete; a map lacks what is not known yet, a list holds null'),
  outputs_before: object
    .optional()
    .describe('what the state holds of the outputs of an object that goes, {"$sensitive": true} in the place of what is sensitive; absent where nothing goes'),
  after_unknown: z.array(text).describe('JSON pointers into after: what is known only while the plan is carried out'),
  unresolved: z
    .record(text, text)
    .describe(
      'JSON pointer to the expression that gives the unknown value there; to the digest of its text, and perhaps CEL that picks a member of its value, where the text holds anything sensitive',
    ),
  digests: z
    .record(text, text)
    .describe('JSON pointer into after to the digest of the sensitive value there, keyed by salt; `once:` and the origin for a value that is known once'),
  patch: z.array(operation).describe('RFC 6902 operations from before to after'),
  replace_paths: z.array(text).describe('JSON pointers to the fields that force a replacement'),
  create_before_destroy: z.boolean().describe('whether the new object of a replacement is made before the old one goes'),
  in_doubt: z
    .array(text)
    .optional()
    .describe('fields that an earlier request may have left otherwise than recorded, and that this change counts with; absent for none'),
  unselected: z
    .literal(true)
    .optional()
    .describe('that it stays as it is, and is recorded as it is, since it is not selected (--target, --exclude, -f); absent for all that is selected'),
  disruption: z.enum(['none', 'restart', 'interruption', 'address_loss', 'data_loss']).describe('the worst that it does to what runs'),
  steps: z.array(text).describe('the requests by name, in order'),
  requires: z.array(text).describe('addresses whose operations come first'),
  depends_on: z.array(text).describe('what the state will remember of dependencies: references, written and implied ones; of what goes, what it remembers now'),
  restart_on: z.array(text).describe('addresses of lifecycle.redeploy_triggered_by: after this change it has been restarted with what they hold'),
  replaced_for: z
    .array(text)
    .optional()
    .describe('addresses of lifecycle.replace_triggered_by: where it is made or replaced, that comes after what is done to them; absent for none'),
  timeouts: z
    .strictObject({
      create: milliseconds.describe('to make it, in milliseconds'),
      update: milliseconds.describe('to update it, in milliseconds'),
      delete: milliseconds.describe('to delete it, in milliseconds'),
    })
    .describe('milliseconds for each operation'),
  previous_address: text.nullable().describe('the address that a moved block names; else null'),
  protected: z.boolean().describe('whether prevent_destroy holds after it'),
  on_remove: z.enum(['delete', 'retain']).describe('what becomes of the object when its manifest goes'),
  fingerprint: text.nullable().describe("SHA-256 of the live object's compared fields and status as seen; null without one"),
  group: text.nullable().describe('operations of one group run one at a time (the firewall rules of an instance); null for none'),
  rank: z.int().describe('the order of its making within the group, lowest first'),
  deposed: z
    .boolean()
    .describe('whether this is about an old object of the address that an earlier replacement has still to delete, not about the current one'),
})

const start = z.strictObject({ line: z.int().describe('line, from 1'), column: z.int().describe('column, from 1') })
const range = z.strictObject({ filename: text.describe('the file'), start: start.describe('where in it') })
/** A diagnostic as machines read it. */
export const diagnosticSchema = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']).describe('how bad it is'),
  code: z.enum(codes).describe('what it is, for programs; `iac explain CODE` tells more'),
  summary: text.describe('what is wrong, in one sentence'),
  detail: text.describe('more of it, or empty'),
  address: text.nullable().describe('the resource that it is about, or null'),
  range: range.nullable().describe('where it stands, or null'),
  hint: text.nullable().describe('the way out, or null'),
})
const cost = z.strictObject({
  currency: z.literal('USD').describe('the currency'),
  unit: z.literal('micro').describe('all amounts are in millionths of it'),
  hourly_before: digits.describe('an hour of what is live, in digits'),
  hourly_after: digits.describe('an hour after the plan, in digits'),
  monthly_before: digits.describe('a month of what is live, in digits'),
  monthly_after: digits.describe('a month after the plan, in digits'),
  unpriced: z.array(text).describe('addresses that cost something which nobody can tell'),
})
const quota = z.strictObject({
  workspace: text.describe('id of the workspace'),
  name: text.describe('name of the limit'),
  used: z.number().describe('how much is used now'),
  after: z.number().describe('how much is used after the plan'),
  limit: z.number().describe('how much may be used'),
  exceeded: z.boolean().describe('whether it is too much after the plan'),
})
const counts = {
  create: z.int().describe('how many are created'),
  update: z.int().describe('how many are updated'),
  replace: z.int().describe('how many are replaced'),
  delete: z.int().describe('how many are deleted'),
  import: z.int().describe('how many are taken over'),
  forget: z.int().describe('how many are forgotten'),
  no_op: z.int().describe('how many stay as they are'),
}

/** A change of a plan (schemas/reference/plan.md). */
export const changeSchema = change

/** The shape of a plan file (schemas/reference/plan.md). */
export const planSchema = z.strictObject({
  format: z.literal('iac-plan/v1').describe('name and version of this shape'),
  mode: z.enum(['normal', 'destroy', 'refresh-only']).describe('to be as declared, to be gone, or to record what is live and change nothing out there'),
  refreshed: z
    .literal(false)
    .optional()
    .describe(
      'there, and false, where the state stood for what is live (--refresh=false): drift and quota are null, and each object is held against its record',
    ),
  sandbox: z.literal(true).optional().describe('there, and true, where it was made against the embedded service: nothing of what is live is in it'),
  seeded: z
    .literal(true)
    .optional()
    .describe('there, and true, where that service was first given the manifests of --seed: the plan shows what changes against them'),
  service: z
    .strictObject({
      address: text.optional().describe('digest of its address, keyed by salt; absent for the embedded one'),
      workspaces: z.array(text).optional().describe('digests of the ids of the workspaces that were seen, where the plan makes one; else absent'),
    })
    .optional()
    .describe('the service that it was made against, told by nothing but digests; absent where there is nothing to tell'),
  tool_version: called.describe('the iac that made it'),
  created_at: z.iso.datetime({ precision: 3 }).describe('when, by the local clock'),
  project: called.describe('the project'),
  folder: text.optional().describe('its folder, from the root of the repository, which is `.`; absent where it lies in none'),
  environment: called.nullable().describe('its environment; null for none'),
  hash: text.describe('SHA-256 over all the rest but the signature, in canonical form'),
  review: text
    .regex(/^[0-9a-f]{64}$/)
    .describe(
      'SHA-256 over addresses, actions, reasons, before and after of what it changes, takes along and lifts: equal for plans that do the same, whenever they were made',
    ),
  signature: z
    .string()
    .regex(/^hmac-sha256:[0-9a-f]{64}$/)
    .optional()
    .describe('HMAC-SHA-256 of format and hash under IAC_PLAN_KEY; there where that was set when the plan was saved'),
  salt: text.describe('of the digests; the state takes it over at the first apply'),
  state: z
    .strictObject({
      lineage: text.nullable().describe('which state; null before the first apply'),
      serial: z.int().describe('which generation of it'),
      place: text.optional().describe('before the first apply: where it will stand, told by nothing but a digest'),
    })
    .describe('the state that it was made from; before the first apply lineage null, serial 0'),
  variables: object.describe('values of the variables, sensitive ones left out'),
  variable_floats: z
    .record(text, z.array(text))
    .optional()
    .describe('pointers to the floats in them that are whole numbers, which JSON does not tell from integers, by name; absent where there is none'),
  compat: compatSchema.describe('provider.compat, every default filled in'),
  changes: z.array(change).describe('every resource, no-op ones too, in an order in which they could run'),
  summary: z.strictObject(counts).describe('how many changes of each action; an import with changes counts in both'),
  taken_along: z
    .array(
      z.strictObject({
        by: text.describe('the resource whose deletion takes it along'),
        kind: text.describe('its kind'),
        id: text.describe('its id'),
      }),
    )
    .optional()
    .describe('objects that go although nothing of the plan deletes them; absent for none'),
  other_documents: z
    .array(z.strictObject({ file: text.describe('its file'), line: z.int().describe('the line that it begins at') }))
    .optional()
    .describe("documents without apiVersion: iac/v1 that were left alone as another tool's; absent for none, and where nothing is deleted or replaced"),
  lifted: z
    .record(text, z.array(z.enum(['prevent_destroy', 'on_remove'])))
    .optional()
    .describe('address to the protection that the state remembers and the plan lifts: prevent_destroy, on_remove: retain; absent for none'),
  drift: z.array(change).nullable().describe('recorded to live, in the same shape; null where nothing was read'),
  left_out: z
    .array(text)
    .optional()
    .describe('addresses of what differs and is left as it is, since --target, --exclude or -f do not select it; absent for none'),
  outputs: z
    .record(
      text,
      z.union([
        z.strictObject({ value: json.describe('its value; null where it is sensitive'), sensitive: z.boolean().describe('whether it is hidden') }),
        z.strictObject({ expression: text.describe('what gives it once that is known') }),
      ]),
    )
    .describe('what is not known yet as its expression, what is sensitive with value null'),
  outputs_before: z
    .record(text, z.strictObject({ value: json.describe('its value; null where it is sensitive'), sensitive: z.boolean().describe('whether it is hidden') }))
    .optional()
    .describe('the outputs as they were recorded when it was made; absent where none were'),
  names: z
    .record(text, z.record(text, text))
    .optional()
    .describe('kind to id to name: what look-ups found of the objects that fields name by id, for people alone; absent where none was found'),
  workspaces: z.record(text, text).optional().describe('id to name of the workspaces in quota and only_workspace; absent where none is known'),
  only_workspace: text.optional().describe('id of the workspace that was taken because the caller sees no other; absent where one was named'),
  diagnostics: z.array(diagnosticSchema).describe('what was found, in the shape of `validate --json`'),
  cost: cost.nullable().describe('before and after; null where it is not known'),
  quota: z.array(quota).nullable().describe('the limits that the plan touches; null where they are not known'),
})
