// The head of a manifest, the same for every kind, each field with what it says.
import * as z from 'zod'
import { isAddressPattern } from '../../base/address.ts'
import { parseDuration } from '../../base/units.ts'

/** A JSON pointer into a spec. */
export const pointer = z.string().regex(/^(?:\/[^/]+)+$/, 'a JSON pointer such as /os_name')
const pattern = z.string().refine(isAddressPattern, 'an address such as Kind/name')
const duration = z.string().refine((text) => (parseDuration(text) ?? 0) > 0, 'a duration such as 90s, 20m or 1h30m')

/** What is done with a resource beyond creating and updating it. */
export const lifecycleSchema = z.strictObject({
  prevent_destroy: z
    .boolean()
    .optional()
    .describe('true: a plan that deletes or replaces the object is refused; kept in the state, so that taking the manifest away does not lift it'),
  create_before_destroy: z.boolean().optional().describe('true: a replacement makes the new object before the old one is deleted'),
  ignore_changes: z
    .array(pointer)
    .optional()
    .describe(
      'JSON pointers into spec, such as /os_name: what is there stays as it is after the create, whatever the manifest says, unless it points at what goes in the same plan',
    ),
  replace_triggered_by: z
    .array(pattern)
    .optional()
    .describe(
      'addresses, * for any: replaced when one of them is updated or replaced in the same plan, and after that; where the run does not get to it, in the next',
    ),
  on_remove: z
    .enum(['delete', 'retain'])
    .optional()
    .describe(
      'what becomes of the object when its manifest goes, and in destroy: delete (the default), or retain: it stays and is forgotten, with all that it needs, such as the server that a disk is attached to, which goes on costing',
    ),
  redeploy_triggered_by: z
    .array(pattern)
    .optional()
    .describe('addresses, * for any: restarted when one of them is updated; for kinds that can be restarted (K3sService)'),
  replace_on: z.array(pointer).optional().describe('JSON pointers to fields that matter at create alone: a change of them replaces the object'),
})

const timeoutsSchema = z.strictObject({
  create: duration.optional().describe('most time for making it, such as 30m, with waits and retries'),
  update: duration.optional().describe('most time for an update, such as 20m'),
  delete: duration.optional().describe('most time for its deletion, such as 20m'),
})

/** What stands below `metadata`. */
export const metadataSchema = z.strictObject({
  name: z.string().describe('name in the project, unique per kind: a letter or _, then at most 62 letters, digits, _ and -; the default of spec.name'),
  workspace: z
    .unknown()
    .optional()
    .describe("its workspace: a Workspace manifest's name, { id } or { name }; without it provider.workspace, else the only one that is visible"),
  for_each: z
    .unknown()
    .optional()
    .describe('a list of strings or a map, or an expression that gives one: one resource per entry, with each.key and each.value in scope'),
  depends_on: z.array(pattern).optional().describe('addresses that come first, such as Vpc/main, * for any; what references name comes first anyway'),
  import: z
    .strictObject({
      id: z.unknown().optional().describe('id of the object, in quotes, or an expression that gives one'),
      name: z.unknown().optional().describe('name of the object in the workspace of the resource, in place of its id: none or several is an error'),
    })
    .refine(({ id, name }) => (id === undefined) !== (name === undefined), 'exactly one of id and name')
    .optional()
    .describe('takes over an object that is there already instead of creating one'),
  lifecycle: lifecycleSchema.optional().describe('protection, replacement, and what is left alone'),
  timeouts: timeoutsSchema.optional().describe('most time for one operation, as durations such as 90s, 20m, 1h30m'),
})

/** The head of a manifest; the spec is the kind's. */
export const manifestSchema = z.strictObject({
  apiVersion: z.literal('iac/v1').describe('the form of this document'),
  kind: z.string().describe('what is described, such as Instance'),
  metadata: metadataSchema.describe('what iac is to know of the resource'),
  spec: z.record(z.string(), z.unknown()).optional().describe("the fields of the API's object, by the API's names"),
})
