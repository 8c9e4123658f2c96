// What --json prints, as schemas: the documents that are not written to files.
import * as z from 'zod'
import { diagnosticSchema } from '../../engine/model/plan-schema.ts'
import { documentSchema } from '../../state/record-schema.ts'
import { billingShapes } from './billing/billing-shapes.ts'
import { callerShapes } from './caller-shapes.ts'
import { operatingShapes } from './operating-shapes.ts'

const text = z.string()
// New codes come without a new format.
const diagnostic = diagnosticSchema.extend({ code: text.describe('what it is, for programs; `iac explain CODE` tells more') })
const address = text.describe('the address of the resource')
const kind = text.describe('its kind')
const named = z.strictObject({ address, kind, id: text.nullable().describe('id of its object; null where there is none yet') })
const resource = z.strictObject({
  addr: text.describe('the address of the resource'),
  module: text.describe('always empty'),
  resource: text.describe('the address again'),
  implied_provider: text.describe('always iac'),
  resource_type: text.describe('its kind'),
  resource_name: text.describe('its name'),
  resource_key: text.nullable().describe('its key of a for_each; null without one'),
})
const owner = z.strictObject({
  id: text.describe('what `iac state unlock` takes'),
  operation: text.describe('the command'),
  who: text.describe('who runs it'),
  host: text.describe('where it runs'),
  pid: z.int().describe('its process there'),
  created: text.describe('since when, in UTC'),
  run_url: text.nullable().describe('address of the job that runs it; null where it is none'),
})
const holder = owner.extend({
  heartbeat: z
    .strictObject({
      signs: z.int().describe('how many signs of life it has given'),
      lease_ms: z.int().describe('how long it lives without one'),
      quiet_ms: z.int().nullable().describe('how long ago the last one was given, by the clock of what keeps the state; null where that keeps no time'),
    })
    .describe('whether it lives'),
})
const unfinished = z.strictObject({
  address,
  kind,
  step: text.describe('the request by its name'),
  id: text.nullable().describe('id of the object; null where no answer told it'),
  workflow_id: text.nullable().describe('id of the workflow; null where no answer told it'),
  accepted: z.boolean().describe('whether the service has accepted the request'),
  sent_at: text.describe('when it was sent, in UTC'),
})
const field = z.strictObject({
  path: text.describe('where it stands, such as storage[].size_bytes'),
  type: text.describe('what it takes, for people'),
  about: text.describe('what it is'),
  notes: z.array(text).describe('required, its default, what a change costs'),
})
const fields = z.array(field)
const explainedKind = z.strictObject({
  kind: text.describe('the kind'),
  about: text.describe('what it is'),
  fields: fields.describe('the fields of its spec'),
  outputs: fields.describe('what it gives to expressions beside them'),
  examples: z
    .array(z.strictObject({ title: text.describe('what it shows'), manifests: text.describe('one or more documents in YAML') }))
    .describe('manifests of it'),
})
const explainedCode = z.strictObject({
  code: text.describe('the code of a diagnostic'),
  severity: z.enum(['error', 'warning', 'note']).describe('how bad it is'),
  exit: z.int().describe('exit code of a command that it ends'),
  explanation: text.describe('what it means'),
})
const evaluated = z.array(z.strictObject({ source: text.describe('an expression'), gives: text.describe('its value, as an expression') }))
const explainedFunction = z.strictObject({
  function: text.describe('its name'),
  signatures: z.array(text).describe('what it takes and gives'),
  about: text.describe('what it is for'),
  expressions: evaluated.describe('examples'),
})
const needed = z.strictObject({
  method: text.describe('of the request'),
  path: text.describe('its path, with names in braces'),
  section: text.describe("the section of the API's document"),
  role: text.nullable().describe('least role in the workspace; null where none is asked for'),
  grant: z
    .strictObject({ resource: text.describe('the key of the grants'), level: z.enum(['READ', 'WRITE']).describe('how much of it') })
    .nullable()
    .describe('what a token must be granted; null where nothing is, or no token may'),
  session: z.boolean().describe('whether only a login session may send it'),
  effect: z.boolean().describe('whether it changes anything'),
})
const step = z.strictObject({
  files: z.record(text, text).describe('files that are written, by path'),
  command: text.describe('what is run then'),
  prints: z.array(text).describe('lines that it prints among others'),
})
const explainedTopic = z.strictObject({
  topic: text.describe('the topic'),
  about: z.array(text).describe('paragraphs, in Markdown'),
  fields: fields.describe('the fields that it is about'),
  expressions: evaluated.describe('examples of expressions'),
  functions: z.array(explainedFunction).describe('all of them under the topic functions, else none'),
  examples: z
    .array(z.strictObject({ title: text.describe('what it shows'), steps: z.array(step).describe('from an empty folder on') }))
    .describe('examples of manifests'),
})
const explainedVariable = z.strictObject({ variable: text.describe('a variable of the environment'), about: text.describe('what it does') })
const hook = z.looseObject({
  resource: resource.describe('what it is about'),
  action: text.describe('what is done with it'),
  workflow_id: text.optional().describe('id of the workflow that does it'),
  elapsed_seconds: z.number().optional().describe('how long it has taken, in seconds'),
})
const imported = z.strictObject({ address, id: text.describe('id of the object that it now has') })
const leftOut = z.strictObject({
  left_out: z
    .strictObject({
      kind,
      id: text.describe('id of the object'),
      why: text.describe('why no manifest was made of it'),
      hint: text.nullable().describe('how it is taken over all the same; null where nothing is to be done here'),
    })
    .describe('what was not imported'),
})
const serial = z.int().describe('generation of the state')
const ownerToken = text.describe('token of the account that owns the workspace')
const operatorToken = text.describe('token of the staff')
const url = text.describe('address of the sandbox')
const blamed = z.strictObject({
  since: text
    .nullable()
    .describe("since when workflows were looked for, by the service's clock: when the last run wrote the state; null where that is not known"),
  objects: z
    .array(
      z.strictObject({
        address,
        kind,
        id: text.nullable().describe('id of its object'),
        workflows: z
          .array(
            z.strictObject({
              id: text.describe('id of the workflow'),
              name: text.describe('what it does, such as instance.power'),
              state: text.describe('how it stands'),
              started: text.describe('when it began, in UTC'),
              certain: z.boolean().describe('whether the service says that it is about this object; false: it is of its sort, and names no object'),
            }),
          )
          .describe('the latest first; empty where no workflow tells'),
      }),
    )
    .describe('what drifted'),
})

/** By the name of the schema's file. */
export const machineShapes = {
  ...callerShapes,
  needs: { about: 'what `iac plan --needs --json` prints', schema: z.array(needed) },
  validate: {
    about: 'what `iac validate --json` prints, and plan, drift, cost and status where they fail',
    schema: z.strictObject({
      valid: z.boolean().describe('whether there is no error'),
      error_count: z.int().describe('how many errors'),
      warning_count: z.int().describe('how many warnings'),
      diagnostics: z.array(diagnostic).describe('all of them'),
    }),
  },
  drift: {
    about: 'what `iac drift --json` prints',
    schema: z.strictObject({
      format: z.literal('iac-drift/v1').describe('name and version of this shape'),
      has_drift: z.boolean().describe('whether anything changed or is missing; false, too, where nothing was compared'),
      no_state_at: text.nullable().describe('the place where there is no state yet, so that nothing was compared; null where there is one'),
      drift: z
        .array(z.looseObject({ address, kind, action: text.describe('what would undo it') }))
        .describe('changes as in a plan, recorded before and live after'),
      missing: z.array(named).describe('what the state has and the service has not'),
      unmanaged: z
        .array(z.strictObject({ kind, id: text.describe('its id'), name: text.nullable().describe('its name; null where it has none') }))
        .nullable()
        .describe('objects that no manifest manages; null without --unmanaged'),
      managed_elsewhere: z
        .array(
          z.strictObject({
            kind,
            id: text.describe('its id'),
            name: text.nullable().describe('its name; null where it has none'),
            environment: text.nullable().describe("the environment; null for the project's own state"),
          }),
        )
        .nullable()
        .describe('objects that other environments of the project manage; null without --unmanaged'),
      blame: blamed.nullable().describe('workflows on what drifted; null without --blame'),
      coverage: z.number().nullable().describe('percent that is managed: managed / (managed + unmanaged); null without --unmanaged'),
      summary: z
        .strictObject({
          changed: z.int().describe('how many changed'),
          missing: z.int().describe('how many are missing'),
          unmanaged: z.int().nullable().describe('how many nobody manages; null without --unmanaged'),
        })
        .describe('how many of each'),
    }),
  },
  stream: {
    about: 'one line of `iac apply --json` and `iac destroy --json`',
    schema: z.looseObject({
      '@level': z.enum(['info', 'warn', 'error']).describe('how bad it is'),
      '@message': text.describe('the line for people'),
      '@module': z.literal('iac.ui').describe('always iac.ui'),
      '@timestamp': text.describe('when, in UTC'),
      type: z
        .enum(['version', 'planned_change', 'change_summary', 'apply_start', 'apply_progress', 'apply_complete', 'apply_errored', 'diagnostic', 'outputs'])
        .describe('what happened'),
      hook: hook.optional().describe('of which operation; in types that are about one'),
      diagnostic: diagnostic.optional().describe('in type diagnostic'),
      changes: z
        .strictObject({
          add: z.int().describe('how many are created, replacements too'),
          change: z.int().describe('how many are updated'),
          import: z.int().describe('how many are taken over'),
          remove: z.int().describe('how many are deleted, replacements too'),
          forget: z.int().describe('how many are forgotten'),
          operation: z.enum(['plan', 'apply', 'destroy']).describe('whether they are planned or done'),
        })
        .optional()
        .describe('in type change_summary'),
      settled: z
        .strictObject({ remove: z.int().describe('how many are gone') })
        .optional()
        .describe('in type change_summary at the end: what an earlier run had begun to delete, and this one settled first; in none of the counts'),
    }),
  },
  output: {
    about: 'what `iac output --json` prints',
    schema: z.record(
      text,
      z.strictObject({ value: z.unknown().describe('its value; null where it is sensitive'), sensitive: z.boolean().describe('whether it is hidden') }),
    ),
  },
  'state-list': { about: 'what `iac state list --json` prints', schema: z.array(named) },
  'state-show': { about: 'what `iac state show ADDRESS --json` prints: a resource as the state holds it', schema: documentSchema.shape.resources.element },
  'state-history': {
    about: 'what `iac state history --json` prints: generations, the newest first; null in what cannot be read',
    schema: z.array(
      z.strictObject({
        serial,
        time: text.nullable().describe('when it was written'),
        command: text.nullable().describe('the command that wrote it'),
        resources: z.int().nullable().describe('how many resources it holds'),
        tool_version: text.nullable().describe('the iac that wrote it'),
      }),
    ),
  },
  show: {
    about: 'what `iac show --json` prints without a plan file',
    schema: z.strictObject({ resources: documentSchema.shape.resources, outputs: documentSchema.shape.outputs }),
  },
  status: {
    about: 'what `iac status --json` prints',
    schema: z.strictObject({
      state: z.strictObject({ lineage: text.nullable().describe('which state; null before the first apply'), serial }).describe('the state that was looked at'),
      resources: z.int().describe('how many resources it holds'),
      unfinished: z.array(unfinished).describe('requests whose end is not known'),
      lock: holder.nullable().describe('who holds the lock; null: nobody'),
      lock_obstacle: text.nullable().describe('why the lock cannot be told; null: it can'),
      lock_unknown: text.nullable().describe('what cannot be told of a lock that nobody is known to hold; null: it is free'),
    }),
  },
  comment: {
    about: 'what `iac comment --json` prints',
    schema: z.strictObject({
      forge: z.enum(['github', 'gitlab', 'gitea']).describe('which forge'),
      repository: text.describe('owner and name; in GitLab the number of the project'),
      number: text.describe('which pull or merge request'),
      dry_run: z.boolean().describe('whether nothing was sent'),
      outdated: z.boolean().describe('whether a later plan was told there already, or the request is at another commit by now'),
      done: z
        .array(z.strictObject({ action: z.enum(['create', 'update', 'hide', 'remove']).describe('what was done'), id: text.describe('id of the comment') }))
        .describe('in this order; empty where all was well'),
      body: text.describe('the comment, with its mark'),
    }),
  },
  graph: {
    about: 'what `iac graph --json` prints; an edge leads to what is needed',
    schema: z.strictObject({
      nodes: z.array(z.strictObject({ address, kind })).describe('the resources'),
      edges: z
        .array(z.strictObject({ from: text.describe('the address that needs'), to: text.describe('the address that is needed') }))
        .describe('what needs what'),
    }),
  },
  ...billingShapes,
  import: { about: 'what `iac import --json` prints; with --all a list', schema: z.union([imported, z.array(z.union([imported, leftOut]))]) },
  get: {
    about:
      'what `iac get KIND --json` prints: the API\'s own objects, ids as texts; with a name or an id the one object; null in the place of what is secret, {"$sensitive": true} of what else the state holds as sensitive',
    schema: z.union([z.array(z.looseObject({})), z.looseObject({})]),
  },
  fmt: {
    about: 'what `iac fmt --json` prints',
    schema: z.strictObject({
      changed: z.array(text).describe('files that were rewritten, or would be with --check'),
      left: z
        .array(
          z.strictObject({
            file: text.describe('the file'),
            line: z.int().describe('where the document begins'),
            why: z.enum(['foreign', 'broken', 'doubtful']).describe('of another tool, no sound manifest, or not to be rewritten without a loss'),
          }),
        )
        .describe('documents that were left as they are'),
    }),
  },
  export: {
    about: 'what `iac export --json` prints',
    schema: z.strictObject({
      folder: text.nullable().describe('where the files were written; null where they were not'),
      files: z.array(z.strictObject({ path: text.describe('name of the file'), text: text.describe('what it holds') })).describe('the manifests'),
      resources: z.array(z.strictObject({ address, kind, id: text.describe('id of its object') })).describe('what the manifests take over'),
      variables: z
        .array(
          z.strictObject({
            name: text.describe('its name'),
            type: text.describe('its type'),
            sensitive: z.boolean().describe('whether it is a secret'),
            about: text.describe('what it is for'),
          }),
        )
        .describe('what the manifests ask for'),
      left_out: z
        .array(
          z.strictObject({ kind, id: text.nullable().describe('id of the object; null for all of its kind'), why: text.describe('why no manifest says it') }),
        )
        .describe('what is live and stands in no manifest'),
    }),
  },
  ...operatingShapes,
  init: {
    about: 'what `iac init --json` prints; what was skipped stood there already',
    schema: z.strictObject({
      folder: text.describe('the folder of the project'),
      written: z.array(text).describe('files that were written'),
      skipped: z.array(text).describe('files that stood there already'),
    }),
  },
  explain: {
    about: 'what `iac explain --json` prints: all kinds, one with its fields or some of them, a topic, a function, a variable of the environment, or a code',
    schema: z.union([
      z.array(z.strictObject({ kind: text.describe('a kind'), about: text.describe('what it is') })),
      explainedKind,
      explainedTopic,
      explainedFunction,
      explainedVariable,
      explainedCode,
    ]),
  },
  sandbox: {
    about: 'what `iac sandbox --json` prints on one line when it is ready',
    schema: z.strictObject({
      url,
      token: ownerToken,
      operator_token: operatorToken,
      control_token: text.describe('token of what stands below /_sandbox/'),
      password: text.describe('password of both accounts'),
      readings: z
        .record(text, z.union([text, z.number()]))
        .optional()
        .describe('the readings that were chosen, by question'),
      compat: z.record(text, z.unknown()).optional().describe('what they ask of provider.compat'),
    }),
  },
  'sandbox-env': { about: 'what `iac sandbox env --json` prints', schema: z.strictObject({ url, token: ownerToken, operator_token: operatorToken }) },
  version: { about: 'what `iac version --json` prints', schema: z.strictObject({ version: text.describe('of this iac') }) },
} as const

/** What a command prints with --json, by the name of its shape. */
export type MachineDocument<Name extends keyof typeof machineShapes> = z.output<(typeof machineShapes)[Name]['schema']>
