// What iac.yaml may hold.
import * as z from 'zod'
import { compatSchema } from '../../api/compat.ts'

const anything = z.unknown()
const environmentName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/)
/** What a variable or output may be called. */
export const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)
const text = z.string().min(1)

const state = z.strictObject({
  backend: z.enum(['local', 's3', 'postgres', 'http']).optional(),
  path: text.optional(),
  bucket: text.optional(),
  key: text.optional(),
  region: text.optional(),
  endpoint: text.optional(),
  path_style: z.boolean().optional(),
  schema: text.optional(),
  address: text.optional(),
  lock_address: text.optional(),
  unlock_address: text.optional(),
  update_method: text.optional(),
  lock_method: text.optional(),
  unlock_method: text.optional(),
  encryption: z.strictObject({ keys: z.array(z.string().regex(/^env:[A-Za-z_][A-Za-z0-9_]*$/)).min(1) }).optional(),
})

/** Settings of the state: an environment's stand over the project's. */
export type StateFields = z.output<typeof state>

const variable = z.strictObject({
  type: z.enum(['string', 'int', 'float', 'bool', 'list', 'map', 'any']).optional(),
  default: anything.optional(),
  description: z.string().optional(),
  sensitive: z.boolean().optional(),
})

/** A variable as iac.yaml declares it; `any` where no type stands. */
export type VariableFields = z.output<typeof variable>

/** The one form of a project file; unknown keys are errors. */
export const projectSchema = z.strictObject({
  apiVersion: z.literal('iac/v1'),
  kind: z.literal('Project'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/)
    .optional(),
  provider: z.strictObject({ workspace: anything.optional(), compat: compatSchema.optional() }).optional(),
  state: state.optional(),
  manifests: z.array(z.string()).optional(),
  variables: z.record(variableName, variable).optional(),
  outputs: z.record(variableName, z.strictObject({ value: anything, description: z.string().optional(), sensitive: z.boolean().optional() })).optional(),
  environments: z
    .record(environmentName, z.strictObject({ variables: z.record(z.string(), anything).optional(), state: state.optional() }).nullable())
    .optional(),
  moved: z.array(z.strictObject({ from: z.string(), to: z.string() })).optional(),
  removed: z.array(z.strictObject({ address: z.string(), destroy: z.boolean().optional() })).optional(),
  guards: z.strictObject({ max_destroy: z.int().min(0).optional() }).optional(),
})

/** A project file that fits its schema. */
export type ProjectFields = z.output<typeof projectSchema>
