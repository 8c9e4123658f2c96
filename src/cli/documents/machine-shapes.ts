// What --json prints, as schemas: the documents that are not written to files.
import * as z from 'zod'

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
} as const
