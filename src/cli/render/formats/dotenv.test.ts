// The figures of a report as variables of a later job.
import { expect, test } from 'vitest'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { units } from '../../../base/micro-units.ts'
import { driftDocument } from '../drift-json.ts'
import { dotenv } from './dotenv.ts'

const cost = {
  currency: 'USD',
  unit: 'micro',
  hourly_before: '0',
  hourly_after: '0',
  monthly_before: '1500000',
  monthly_after: '500000',
  unpriced: [],
} as const

test('a plan tells the numbers of its sentence, a line each', () => {
  const changes = [changeOf({ action: 'create' }), changeOf({ address: 'Vpc/b', action: 'replace' }), changeOf({ address: 'Vpc/c', action: 'no-op' })]
  const plan = planOf(changes, { cost, drift: [], review: 'abc' })
  expect(dotenv(reportOf(plan))).toBe(
    'IAC_CHANGES=true\nIAC_TO_ADD=2\nIAC_TO_CHANGE=0\nIAC_TO_DESTROY=1\nIAC_TO_REPLACE=1\nIAC_TO_IMPORT=0\nIAC_DRIFT=false\nIAC_MONTHLY_DELTA=-1\nIAC_REVIEW=abc\n',
  )
})

test('a drift tells of drift alone', () => {
  const drift = [changeOf({ action: 'update' })]
  expect(dotenv(reportOf(planOf([], { drift }), { subject: 'drift', drift: driftDocument(drift, undefined) }))).toBe('IAC_DRIFT=true\n')
})

test.each<[bigint, string]>([
  [0n, '0'],
  [1n, '0.000001'],
  [-12_500_000n, '-12.5'],
  [9_007_199_254_740_993_000_000n, '9007199254740993'],
])('%s micro-units are %s units', (micro, text) => {
  expect(units(micro)).toBe(text)
})
