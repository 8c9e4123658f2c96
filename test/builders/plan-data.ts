// Plans and reports as renderings get them, with what a test tells of them.
import { compatSchema } from '../../src/api/calls/compat.ts'
import { diagnosticDocument } from '../../src/base/diagnostic.ts'
import type { Report } from '../../src/cli/render/formats/report.ts'
import { fieldTextOf } from '../../src/cli/render/plan/field-text.ts'
import { outputChanges } from '../../src/cli/render/plan/output-changes.ts'
import { replaceCostsIn } from '../../src/cli/render/plan/plan-block.ts'
import type { Change, Plan } from '../../src/engine/model/plan-data.ts'
import { planDocument } from '../../src/engine/plan/plan.ts'
import { kinds } from '../../src/kinds/registry.ts'

/** A change of a VPC, with what is told of it. */
export function changeOf(given: Partial<Change>): Change {
  const nothing = { after_unknown: [], unresolved: {}, digests: {}, patch: [], replace_paths: [], requires: [], depends_on: [], restart_on: [] }
  const usual = {
    create_before_destroy: false,
    disruption: 'none',
    steps: [],
    previous_address: null,
    protected: false,
    on_remove: 'delete',
    fingerprint: null,
    group: null,
    rank: 0,
    deposed: false,
  } as const
  const about = { address: 'Vpc/main', kind: 'Vpc', workspace_id: '1', workspace_address: null, id: '7', reason: 'changed' } as const
  return { ...nothing, ...usual, ...about, timeouts: { create: 1, update: 1, delete: 1 }, action: 'update', before: null, after: null, ...given }
}

/** A plan of these changes. */
export function planOf(changes: readonly Change[], rest: Partial<Plan> = {}): Plan {
  const count = (action: Change['action']): number => changes.filter((one) => one.action === action).length
  const summary = {
    create: count('create'),
    update: count('update'),
    replace: count('replace'),
    delete: count('delete'),
    import: count('import'),
    forget: count('forget'),
    no_op: count('no-op'),
  }
  const stamp = {
    format: 'iac-plan/v1',
    mode: 'normal',
    tool_version: '0',
    created_at: '',
    project: 'p',
    environment: null,
    hash: '',
    review: '',
    salt: '',
    state: { lineage: null, serial: 0 },
  } as const
  return {
    ...stamp,
    variables: {},
    compat: compatSchema.parse({}),
    changes,
    summary,
    drift: null,
    outputs: {},
    diagnostics: [],
    cost: null,
    quota: null,
    ...rest,
  }
}

/** The report of a plan whose project is the folder `infra` of a repository. */
export function reportOf(plan: Plan, rest: Partial<Report> = {}): Report {
  return {
    subject: 'plan',
    toolVersion: plan.tool_version,
    createdAt: '2026-01-02T03:04:05.000Z',
    project: plan.project,
    environment: plan.environment,
    plan,
    drift: null,
    diagnostics: plan.diagnostics.map(diagnosticDocument),
    placeOf: (range) => range && { file: `infra/${range.filename}`, ...range.start },
    declaredAt: (address) => ({ file: `infra/${address.split('/')[0]?.toLowerCase()}.yaml`, line: 3, column: 1 }),
    outputs: outputChanges(plan),
    fieldText: fieldTextOf(kinds, plan.names),
    replaceCostsOf: replaceCostsIn(kinds),
    differs: plan.changes.some((one) => one.action !== 'no-op'),
    document: () => planDocument(plan),
    text: () => 'for people\n',
    ...rest,
  }
}
