// The guards: what a plan may not do without being told to, and the exit code that a plan's problems lead to.
import { catalogue } from '../../../base/catalogue.ts'
import type { ExitCode } from '../../../base/catalogue.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { units } from '../../../base/micro-units.ts'
import { sizeText } from '../../../base/units.ts'
import { few } from '../../../base/words/few.ts'
import type { ResourceRecord } from '../../../state/record.ts'
import type { Plan } from '../../model/plan-data.ts'
import type { Planning } from '../../model/planning-result.ts'
import { isGoing } from './leaving/cascade.ts'
import { policyProblems } from './policies.ts'
import type { PolicySet } from './policies.ts'

export interface Guards {
  readonly noDestroy: boolean
  readonly maxDestroy: number | undefined
  /** In units of the price's currency. */
  readonly maxMonthlyIncrease?: number | undefined
  readonly policies?: PolicySet | undefined
  /** Manifests found in the project. */
  readonly manifests: number
  readonly destroy: boolean
}

/** What the guards say of a plan; empty when it may be carried out. */
export function guardProblems(
  { plan, cascade }: Pick<Planning, 'plan' | 'cascade'>,
  records: ReadonlyMap<string, ResourceRecord>,
  guards: Guards,
): readonly Diagnostic[] {
  const out: Diagnostic[] = []
  const failed = new Set([...records.values()].flatMap((one) => one.deposed.flatMap((old) => (old.status === 'failed' ? [`${one.kind} ${old.id}`] : []))))
  const doomed = plan.changes.filter(
    ({ action, reason, kind, id }) => (action === 'delete' && !failed.has(`${kind} ${id}`)) || (action === 'replace' && reason !== 'failed'),
  )
  const stays = [...records.values()].some((one) => one.status !== 'deleting')
  if (guards.manifests === 0 && !guards.destroy && stays) {
    out.push(
      diagnostic('guard_empty', 'the project holds no manifest, and the state holds resources', {
        hint: 'use `iac destroy` if they are all to go; `iac state rm ADDRESS` lets go of what another project manages now',
      }),
    )
  }
  // What failed as it was made counts for no budget, and is destroyed all the same.
  const goers = plan.changes.filter(isGoing)
  if (guards.noDestroy && goers.length > 0) {
    out.push(diagnostic('guard_no_destroy', `--no-destroy: the plan would destroy or replace ${goers.map((one) => one.address).join(', ')}`))
  }
  const destroyed = doomed.length + cascade.length
  if (guards.maxDestroy !== undefined && destroyed > guards.maxDestroy) {
    const text = `the plan destroys ${destroyed}, and max_destroy allows ${guards.maxDestroy}`
    out.push(diagnostic('guard_budget', text, { hint: `--max-destroy ${destroyed} allows it` }))
  }
  for (const use of plan.quota ?? []) {
    const amount = (value: number): string => (use.name.endsWith('_bytes') ? sizeText(value) : String(value))
    if (use.exceeded)
      out.push(diagnostic('guard_quota', `${use.name} of workspace ${use.workspace}: ${amount(use.after)} needed, ${amount(use.limit)} allowed`))
  }
  out.push(...costProblems(plan, guards.maxMonthlyIncrease), ...(guards.policies ? policyProblems(plan, guards.policies) : []))
  return out
}

/** What has no price is named, and does not count. */
function costProblems({ cost }: Pick<Plan, 'cost'>, most: number | undefined): readonly Diagnostic[] {
  if (most === undefined || !cost) return []
  const more = BigInt(cost.monthly_after) - BigInt(cost.monthly_before)
  if (more <= BigInt(Math.round(most * 1_000_000))) return []
  const unpriced = cost.unpriced.length === 0 ? undefined : `Without a price, and not counted: ${few(cost.unpriced)}.`
  const text = `the plan adds ${units(more)} ${cost.currency} a month, and guards.max_monthly_increase allows ${most}`
  return [diagnostic('guard_cost', text, { detail: unpriced })]
}

const order: readonly ExitCode[] = [7, 9, 4, 3, 6, 5, 8, 1]

/** The exit code of the errors among diagnostics that were found before anything was changed; 0 without any. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): ExitCode {
  const codes = new Set(diagnostics.filter((one) => one.severity === 'error').map((one) => catalogue[one.code].exit))
  return order.find((code) => codes.has(code)) ?? 0
}
