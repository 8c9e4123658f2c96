// What iac.yaml may hold.
import * as z from 'zod'
import { compatSchema } from '../../api/calls/compat.ts'
import { stateSchema } from './state-backends.ts'

const anything = z.unknown()
const environmentName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/)
/** What a variable or output may be called. */
export const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)

/** What a policy may hold; which members it needs is checked where it is read. */
export const policyFields = z.strictObject({
  file: z.string().min(1).optional().describe('instead of everything else: a file of the project that holds more of them below `policies:`'),
  name: z.string().optional().describe('what it is called, such as disks-stay: lower-case letters, digits and dashes, unique'),
  each: z.enum(['change', 'resource']).optional().describe('judged for each change, or for each resource as desired, as `it`; without it once'),
  when: z.string().optional().describe('CEL, a bool: where it is false nothing is judged'),
  assert: z.string().optional().describe('CEL, a bool: false breaks the policy'),
  message: z.string().optional().describe('what is told then; may hold ${…}'),
  level: z.enum(['deny', 'warn']).optional().describe('deny, the default, refuses plan and apply; warn tells of it'),
})

const variable = z.strictObject({
  type: z
    .enum(['string', 'int', 'float', 'bool', 'list', 'map', 'any'])
    .optional()
    .describe(
      'type of its values; nothing is coerced; any by default, which takes a flag or a variable of the environment for a text unless it is a list, a map, or a number, true, false or null in its usual spelling',
    ),
  default: anything.optional().describe('its value where nothing gives one; without a default it must be given'),
  description: z.string().optional().describe('what it is for, for people'),
  sensitive: z.boolean().optional().describe('true: neither it nor what is computed from it is printed or stored'),
})

/** A variable as iac.yaml declares it; `any` where no type stands. */
export type VariableFields = z.output<typeof variable>

/** The one form of a project file; unknown keys are errors. */
export const projectSchema = z.strictObject({
  apiVersion: z.literal('iac/v1').describe('the form of this document'),
  kind: z.literal('Project').describe('says that this is the project file'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/)
    .optional()
    .describe(
      'name of the project, in its state and plans; by default that of its folder. A state in a database or a bucket is called after it, and then it is needed',
    ),
  provider: z
    .strictObject({
      workspace: anything
        .optional()
        .describe("workspace of all that names none: a Workspace manifest's name, { id } or { name }; by default the only one that is visible"),
      compat: compatSchema.optional().describe("settings for what the API's document leaves open"),
    })
    .optional()
    .describe('how the service is used; its address and who calls never stand here'),
  state: stateSchema.optional().describe('where the state lies'),
  manifests: z
    .array(z.string())
    .optional()
    .describe('patterns of the files that hold manifests, such as infra/**/*.yaml; by default every YAML file below the project'),
  variables: z.record(variableName, variable).optional().describe('what may be given from outside, by name: ${vars.NAME} in expressions'),
  outputs: z
    .record(
      variableName,
      z.strictObject({
        value: anything.describe('the value, as a rule an expression'),
        description: z.string().optional().describe('what it is, for people'),
        sensitive: z.boolean().optional().describe('true: it is neither printed nor recorded'),
      }),
    )
    .optional()
    .describe('what an apply tells at its end and `iac output` prints, by name'),
  default_environment: environmentName.optional().describe('what -e is when it is not given'),
  environments: z
    .record(
      environmentName,
      z
        .strictObject({
          variables: z.record(z.string(), anything).optional().describe('values of variables in this environment'),
          state: stateSchema.optional().describe("settings over the project's; without them its state has -NAME before the extension"),
        })
        .nullable(),
    )
    .optional()
    .describe('variants of the project by name, chosen with -e NAME: each has values and a state of its own'),
  moved: z
    .array(z.strictObject({ from: z.string().describe('the address that the state has'), to: z.string().describe('the address that manifests have now') }))
    .optional()
    .describe('renamed resources: the object stays, its address changes'),
  removed: z
    .array(
      z.strictObject({
        address: z.string().describe('the address that manifests no longer have; * for any'),
        destroy: z.boolean().optional().describe('false: the object stays and is forgotten; true, the default: it is deleted'),
      }),
    )
    .optional()
    .describe('what becomes of resources that manifests no longer have'),
  policies: z.array(policyFields).optional().describe('rules that every plan is held against'),
  guards: z
    .strictObject({
      max_monthly_increase: z
        .number()
        .min(0)
        .optional()
        .describe("most that one plan may add to the costs of a month, in units of the price's currency; what has no price does not count"),
      max_destroy: z.int().min(0).optional().describe('most deletions and replacements of one plan, in destroy too; more needs --max-destroy N'),
    })
    .optional()
    .describe('what a plan may not do unless a flag allows it'),
})

/** A project file that fits its schema. */
export type ProjectFields = z.output<typeof projectSchema>
