// What --json prints, as schemas: the documents that are not written to files.
import * as z from 'zod'
import { documentSchema } from '../../state/record-schema.ts'

const text = z.string()
const position = z.strictObject({ filename: z.string(), start: z.strictObject({ line: z.int(), column: z.int() }) })
const diagnostic = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']),
  code: z.string(),
  summary: z.string(),
  detail: z.string(),
  address: z.string().nullable(),
  range: position.nullable(),
  hint: z.string().nullable(),
})
const named = z.strictObject({ address: z.string(), kind: z.string(), id: z.string().nullable() })
const resource = z.strictObject({
  addr: z.string(),
  module: z.string(),
  resource: z.string(),
  implied_provider: z.string(),
  resource_type: z.string(),
  resource_name: z.string(),
  resource_key: z.string().nullable(),
})
const owner = z.strictObject({ id: text, operation: text, who: text, host: text, pid: z.int(), created: text, run_url: text.nullable() })
const unfinished = z.strictObject({
  address: text,
  kind: text,
  step: text,
  id: text.nullable(),
  workflow_id: text.nullable(),
  accepted: z.boolean(),
  sent_at: text,
})
const field = z.strictObject({ path: text, type: text, about: text, notes: z.array(text) })
const explainedKind = z.strictObject({
  kind: text,
  about: text,
  fields: z.array(field),
  outputs: z.array(field),
  examples: z.array(z.strictObject({ title: text, manifests: text })),
})
const explainedCode = z.strictObject({ code: text, severity: z.enum(['error', 'warning', 'note']), exit: z.int(), explanation: text })
const hook = z.looseObject({ resource, action: z.string(), workflow_id: z.string().optional(), elapsed_seconds: z.number().optional() })

/** By the name of the schema's file. */
export const machineShapes = {
  validate: {
    about: 'what `iac validate --json` prints',
    schema: z.strictObject({ valid: z.boolean(), error_count: z.int(), warning_count: z.int(), diagnostics: z.array(diagnostic) }),
  },
  drift: {
    about: 'what `iac drift --json` prints',
    schema: z.strictObject({
      format: z.literal('iac-drift/v1'),
      has_drift: z.boolean(),
      drift: z.array(z.looseObject({ address: z.string(), kind: z.string(), action: z.string() })),
      missing: z.array(named),
      unmanaged: z.array(z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() })).nullable(),
      coverage: z.number().nullable(),
      summary: z.strictObject({ changed: z.int(), missing: z.int(), unmanaged: z.int().nullable() }),
    }),
  },
  stream: {
    about: 'one line of `iac apply --json` and `iac destroy --json`',
    schema: z.looseObject({
      '@level': z.enum(['info', 'warn', 'error']),
      '@message': z.string(),
      '@module': z.literal('iac.ui'),
      '@timestamp': z.string(),
      type: z.enum([
        'version',
        'planned_change',
        'change_summary',
        'apply_start',
        'apply_progress',
        'apply_complete',
        'apply_errored',
        'diagnostic',
        'outputs',
      ]),
      hook: hook.optional(),
      diagnostic: diagnostic.optional(),
      changes: z
        .strictObject({ add: z.int(), change: z.int(), import: z.int(), remove: z.int(), forget: z.int(), operation: z.enum(['plan', 'apply', 'destroy']) })
        .optional(),
    }),
  },
  output: { about: 'what `iac output --json` prints', schema: z.record(z.string(), z.strictObject({ value: z.unknown(), sensitive: z.boolean() })) },
  'state-list': { about: 'what `iac state list --json` prints', schema: z.array(named) },
  'state-show': { about: 'what `iac state show ADDRESS --json` prints: a resource as the state holds it', schema: documentSchema.shape.resources.element },
  'state-history': {
    about: 'what `iac state history --json` prints: generations, the newest first; null in what cannot be read',
    schema: z.array(z.strictObject({ serial: z.int(), resources: z.int().nullable(), tool_version: text.nullable() })),
  },
  show: {
    about: 'what `iac show --json` prints without a plan file',
    schema: z.strictObject({ resources: documentSchema.shape.resources, outputs: documentSchema.shape.outputs }),
  },
  status: {
    about: 'what `iac status --json` prints',
    schema: z.strictObject({
      state: z.strictObject({ lineage: text.nullable(), serial: z.int() }),
      resources: z.int(),
      unfinished: z.array(unfinished),
      lock: owner.nullable(),
      lock_obstacle: text.nullable(),
    }),
  },
  graph: {
    about: 'what `iac graph --json` prints; an edge leads to what is needed',
    schema: z.strictObject({ nodes: z.array(z.strictObject({ address: text, kind: text })), edges: z.array(z.strictObject({ from: text, to: text })) }),
  },
  import: { about: 'what `iac import --json` prints', schema: z.strictObject({ address: text, id: text }) },
  get: { about: "what `iac get KIND --json` prints: the API's own objects", schema: z.array(z.looseObject({})) },
  init: {
    about: 'what `iac init --json` prints; what was skipped stood there already',
    schema: z.strictObject({ folder: text, written: z.array(text), skipped: z.array(text) }),
  },
  explain: {
    about: 'what `iac explain --json` prints: all kinds, one with its fields or some of them, or a code',
    schema: z.union([z.array(z.strictObject({ kind: text, about: text })), explainedKind, explainedCode]),
  },
  sandbox: {
    about: 'what `iac sandbox --json` prints on one line when it is ready',
    schema: z.strictObject({
      url: text,
      token: text,
      operator_token: text,
      control_token: text,
      password: text,
      readings: z.record(text, z.union([text, z.number()])).optional(),
      compat: z.record(text, z.unknown()).optional(),
    }),
  },
  'sandbox-env': { about: 'what `iac sandbox env --json` prints', schema: z.strictObject({ url: text, token: text, operator_token: text }) },
  version: { about: 'what `iac version --json` prints', schema: z.strictObject({ version: text }) },
} as const

/** What a command prints with --json, by the name of its shape. */
export type MachineDocument<Name extends keyof typeof machineShapes> = z.output<(typeof machineShapes)[Name]['schema']>
