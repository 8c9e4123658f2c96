// The price of a plan by the shape of Infracost's output.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { infracost } from './infracost.ts'

/** Costs are decimal texts: a number would lose digits on the way. */
const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .nullable()
const component = z.strictObject({
  name: z.string(),
  unit: z.string(),
  hourlyQuantity: amount,
  monthlyQuantity: amount,
  price: amount,
  hourlyCost: amount,
  monthlyCost: amount,
})
const resource = z.strictObject({
  name: z.string(),
  resourceType: z.string(),
  metadata: z.strictObject({}),
  hourlyCost: amount,
  monthlyCost: amount,
  costComponents: z.array(component),
  subresources: z.array(z.never()),
})
const breakdown = z.strictObject({ resources: z.array(resource), totalHourlyCost: amount, totalMonthlyCost: amount })
const counts = z.record(z.string(), z.int())
const total = z.int().min(0)
const summary = z.strictObject({
  totalDetectedResources: total,
  totalSupportedResources: total,
  totalUnsupportedResources: total,
  totalUsageBasedResources: total,
  totalNoPriceResources: total,
  unsupportedResourceCounts: counts,
  noPriceResourceCounts: counts,
})
const project = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  metadata: z.strictObject({ path: z.string(), type: z.string() }),
  pastBreakdown: breakdown,
  breakdown,
  diff: breakdown,
  summary,
})
const shape = z.strictObject({
  version: z.literal('0.2'),
  metadata: z.object({}),
  currency: z.literal('USD'),
  projects: z.array(project).length(1),
  totalHourlyCost: amount,
  totalMonthlyCost: amount,
  pastTotalHourlyCost: amount,
  pastTotalMonthlyCost: amount,
  diffTotalHourlyCost: amount,
  diffTotalMonthlyCost: amount,
  timeGenerated: z.iso.datetime(),
  summary,
})

const cost = {
  currency: 'USD',
  unit: 'micro',
  hourly_before: '12500',
  hourly_after: '2500',
  monthly_before: '8400000',
  monthly_after: '1680000',
  unpriced: ['K3sCluster/main', 'K3sCluster/b["x"]'],
} as const

const read = (plan: Plan) => shape.parse(JSON.parse(infracost(reportOf(plan, { environment: 'prod' }))))

test('what it cost, what it costs, and the difference', () => {
  const told = read(planOf([changeOf({}), changeOf({ address: 'Vpc/b', action: 'delete' })], { cost }))
  expect([told.pastTotalMonthlyCost, told.totalMonthlyCost, told.diffTotalMonthlyCost]).toEqual(['8.4', '1.68', '-6.72'])
  expect([told.pastTotalHourlyCost, told.totalHourlyCost, told.diffTotalHourlyCost]).toEqual(['0.0125', '0.0025', '-0.01'])
  const [one] = told.projects
  expect([one?.name, one?.metadata.path]).toEqual(['p/prod', 'infra'])
  expect([one?.pastBreakdown.totalMonthlyCost, one?.breakdown.totalMonthlyCost, one?.diff.resources[0]?.monthlyCost]).toEqual(['8.4', '1.68', '-6.72'])
  expect(told.summary).toMatchObject({ totalDetectedResources: 1, totalUnsupportedResources: 2, unsupportedResourceCounts: { K3sCluster: 2 } })
})

test('no difference is no resource, and what nobody knows is null', () => {
  const same = read(planOf([], { cost: { ...cost, hourly_after: '12500', monthly_after: '8400000' } }))
  expect([same.diffTotalMonthlyCost, same.projects[0]?.diff.resources]).toEqual(['0', []])
  expect(read(planOf([])).totalMonthlyCost).toBe(null)
})
