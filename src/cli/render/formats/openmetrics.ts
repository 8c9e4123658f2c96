// A report as gauges in OpenMetrics' text form: read by Prometheus' textfile collector and by GitLab's metrics reports, too.
import { units } from '../../../base/micro-units.ts'
import { safeLine } from '../text/sanitise.ts'
import type { Renderer, Report } from './report.ts'

interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  /** A decimal number. */
  readonly value: string
}

interface Family {
  readonly name: string
  readonly help: string
  readonly samples: readonly Sample[]
}

/** No timestamps: whoever collects knows when. What the report does not know has no sample. */
export const openmetrics: Renderer = (report) => {
  const { project, environment } = report
  const common = { ...(project === null ? {} : { project }), ...(environment === null ? {} : { environment }) }
  const families = [...changeFamilies(report), ...driftFamilies(report), ...costFamilies(report), ...quotaFamilies(report), diagnosticFamily(report)]
  const texts = families.filter((one) => one.samples.length > 0).map((one) => familyText(one, common))
  return `${texts.join('')}# EOF\n`
}

function familyText({ name, help, samples }: Family, common: Readonly<Record<string, string>>): string {
  const lines = samples.map(({ labels = {}, value }) => {
    const pairs = Object.entries({ ...common, ...labels }).map(([label, text]) => `${label}="${escaped(text)}"`)
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
  })
  return `# TYPE ${name} gauge\n# HELP ${name} ${escaped(help)}\n${lines.join('')}`
}

function escaped(text: string): string {
  return safeLine(text.replaceAll('\n', ' ')).replaceAll('\\', '\\\\').replaceAll('"', '\\"')
}

function changeFamilies({ subject, plan }: Report): readonly Family[] {
  if (!plan || subject !== 'plan') return []
  const samples = Object.entries(plan.summary).map(([action, count]) => ({ labels: { action }, value: String(count) }))
  return [{ name: 'iac_changes', help: 'Resources by what the plan does with them.', samples }]
}

function driftFamilies({ plan, drift }: Report): readonly Family[] {
  const found = plan?.drift ?? null
  // Where nothing was compared, 0 would say that nothing drifted.
  const isCompared = !drift || drift.no_state_at === null
  const missing = drift?.summary.missing ?? found?.filter((one) => one.action === 'delete').length
  const changed = drift?.summary.changed ?? found?.filter((one) => one.action !== 'delete').length
  const unmanaged = drift?.summary.unmanaged ?? null
  const coverage = drift?.coverage ?? null
  return [
    {
      name: 'iac_drift_resources',
      help: 'Resources that were changed or deleted outside of iac.',
      samples: isCompared ? [...countOf('changed', changed), ...countOf('missing', missing)] : [],
    },
    { name: 'iac_unmanaged_objects', help: 'Objects that no manifest manages.', samples: unmanaged === null ? [] : [{ value: String(unmanaged) }] },
    {
      name: 'iac_coverage_ratio',
      help: 'The share of the objects that a manifest manages, from 0 to 1.',
      samples: coverage === null ? [] : [{ value: String(Math.round(coverage * 10) / 1000) }],
    },
  ]
}

function countOf(state: string, count: number | undefined): readonly Sample[] {
  return count === undefined ? [] : [{ labels: { state }, value: String(count) }]
}

function costFamilies({ subject, plan }: Report): readonly Family[] {
  if (!plan?.cost || subject !== 'plan') return []
  const { currency, unpriced, ...cost } = plan.cost
  const of = (side: string, micro: string): Sample => ({ labels: { currency, side }, value: units(BigInt(micro)) })
  return [
    {
      name: 'iac_hourly_cost',
      help: 'What everything costs an hour, before and after.',
      samples: [of('before', cost.hourly_before), of('after', cost.hourly_after)],
    },
    {
      name: 'iac_monthly_cost',
      help: 'What everything costs a month, before and after.',
      samples: [of('before', cost.monthly_before), of('after', cost.monthly_after)],
    },
    { name: 'iac_unpriced_resources', help: 'Resources that the price leaves out.', samples: [{ value: String(unpriced.length) }] },
  ]
}

function quotaFamilies({ plan }: Report): readonly Family[] {
  const quota = plan?.quota ?? []
  const samples = (member: 'used' | 'after' | 'limit'): readonly Sample[] =>
    quota.map((one) => ({ labels: { workspace: one.workspace, quota: one.name }, value: String(one[member]) }))
  return [
    { name: 'iac_quota_used', help: 'How much of a quota is used now.', samples: samples('used') },
    { name: 'iac_quota_planned', help: 'How much of a quota is used after the plan.', samples: samples('after') },
    { name: 'iac_quota_limit', help: 'The most of a quota.', samples: samples('limit') },
  ]
}

function diagnosticFamily({ diagnostics }: Report): Family {
  const samples = (['error', 'warning', 'note'] as const).map((severity) => ({
    labels: { severity },
    value: String(diagnostics.filter((one) => one.severity === severity).length),
  }))
  return { name: 'iac_diagnostics', help: 'Errors, warnings and notes.', samples }
}
