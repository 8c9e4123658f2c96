// Gauges as a parser of Prometheus' text form and the grammar of OpenMetrics read them.
import { expect, test } from 'vitest'
import { metricsIn } from '../../../../test/builders/metric-rules.ts'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { driftDocument } from '../drift-json.ts'
import { openmetrics } from './openmetrics.ts'
import type { Report } from './report.ts'

function read(plan: Plan | null, rest: Partial<Report> = {}) {
  const families = metricsIn(openmetrics(reportOf(plan ?? planOf([]), { plan, ...rest })))
  return (name: string, ...labels: readonly string[]) =>
    families.get(name)?.metrics.map((one) => [...labels.map((label) => one.labels[label] ?? ''), Number(one.value)].join(' '))
}

const cost = {
  currency: 'USD',
  unit: 'micro',
  hourly_before: '0',
  hourly_after: '12500',
  monthly_before: '0',
  monthly_after: '8400000',
  unpriced: ['K3sCluster/main'],
} as const
const quota = [{ workspace: '1', name: 'max_vpcs', used: 1, after: 2, limit: 5, exceeded: false }]

test('a plan counts its changes, and tells drift, cost and quota', () => {
  const drift = [changeOf({ action: 'delete' })]
  const metric = read(planOf([changeOf({ action: 'create' }), changeOf({ address: 'Vpc/b', action: 'replace' })], { cost, quota, drift }))
  expect(metric('iac_changes', 'project', 'action')).toEqual(['p create 1', 'p update 0', 'p replace 1', 'p delete 0', 'p import 0', 'p forget 0', 'p no_op 0'])
  expect(metric('iac_drift_resources', 'state')).toEqual(['changed 0', 'missing 1'])
  expect(metric('iac_hourly_cost', 'currency', 'side')).toEqual(['USD before 0', 'USD after 0.0125'])
  expect(metric('iac_monthly_cost', 'side')).toEqual(['before 0', 'after 8.4'])
  expect(metric('iac_unpriced_resources')).toEqual(['1'])
  expect(['used', 'planned', 'limit'].map((name) => metric(`iac_quota_${name}`, 'workspace', 'quota'))).toEqual([
    ['1 max_vpcs 1'],
    ['1 max_vpcs 2'],
    ['1 max_vpcs 5'],
  ])
})

test('a drift tells what nobody manages, and the coverage', () => {
  const drift = [changeOf({})]
  const found = { unmanaged: [{ kind: 'Vpc', id: '9', name: null }], managed: 2 }
  const metric = read(planOf([], { drift, cost }), { subject: 'drift', drift: driftDocument(drift, found), environment: 'prod' })
  expect(metric('iac_drift_resources', 'environment', 'state')).toEqual(['prod changed 1', 'prod missing 0'])
  expect(metric('iac_unmanaged_objects')).toEqual(['1'])
  expect(metric('iac_coverage_ratio')).toEqual(['0.666'])
  expect([metric('iac_changes'), metric('iac_monthly_cost')]).toEqual([undefined, undefined])
})

test('what is not known has no sample', () => {
  const metric = read(planOf([], { drift: null, cost: null, quota: null }))
  for (const name of ['iac_drift_resources', 'iac_coverage_ratio', 'iac_monthly_cost', 'iac_quota_used']) expect(metric(name)).toBe(undefined)
  expect(read(null, { subject: 'validate', project: null })('iac_diagnostics', 'severity')).toEqual(['error 0', 'warning 0', 'note 0'])
})

test.each(['a"b', 'a\\', 'a\nb 1', '"} 1\n# EOF', '\u0000\u2028'])('a label stays one: %j', (environment) => {
  expect(read(planOf([]), { environment })('iac_diagnostics')).toHaveLength(3)
})
