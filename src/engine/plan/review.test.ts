// What two plans must share to be the same to a reviewer.
import { expect, test } from 'vitest'
import { changeOf, planOf } from '../../../test/builders/plan-data.ts'
import { reviewOf } from './review.ts'

const known = { lineage: 'l', serial: 3 }
const change = (given: Parameters<typeof changeOf>[0] = {}) =>
  changeOf({ before: { name: 'a' }, after: { name: 'b' }, digests: { '/key': 'hmac-sha256:1' }, ...given })

test('ids of a plan, times, serials, fingerprints and what stays are not part of it', () => {
  const review = reviewOf(planOf([change()], { state: known }))
  expect(review).toMatch(/^[0-9a-f]{64}$/)
  const others = [change({ fingerprint: 'x', steps: ['another'] }), change({ address: 'Vpc/z', action: 'no-op', after: { name: 'z' } })]
  expect(reviewOf(planOf(others, { state: { lineage: 'l', serial: 9 }, created_at: 'later', salt: 'other' }))).toBe(review)
  expect(reviewOf(planOf(others.toReversed(), { state: known }))).toBe(review)
})

test.each<[string, Parameters<typeof changeOf>[0]]>([
  ['address', { address: 'Vpc/other' }],
  ['object', { id: '8' }],
  ['workspace', { workspace_id: '2' }],
  ['action', { action: 'replace' }],
  ['reason', { reason: 'drifted' }],
  ['what was', { before: { name: 'x' } }],
  ['what is to be', { after: { name: 'x' } }],
  ['what is not known yet', { after_unknown: ['/id'] }],
  ['where it comes from', { unresolved: { '/id': '${Vpc.a.id}' } }],
  ['digest of a sensitive value', { digests: { '/key': 'hmac-sha256:2' } }],
])('another %s makes another', (_, given) => {
  expect(reviewOf(planOf([change(given)], { state: known }))).not.toBe(reviewOf(planOf([change()], { state: known })))
})

test('before the first apply sensitive values do not count: their digests are of a salt that no other plan has', () => {
  const first = { lineage: null, serial: 0 }
  expect(reviewOf(planOf([change({ digests: { '/key': 'hmac-sha256:2' } })], { state: first }))).toBe(reviewOf(planOf([change()], { state: first })))
})

test('another project, environment or mode makes another', () => {
  const review = reviewOf(planOf([change()], { state: known }))
  for (const rest of [{ project: 'other' }, { environment: 'prod' }, { mode: 'destroy' as const }])
    expect(reviewOf(planOf([change()], { state: known, ...rest }))).not.toBe(review)
})

test('of a plan that only records what is live, that is what was seen', () => {
  const plan = (after: string) => planOf([], { state: known, mode: 'refresh-only', drift: [change({ after: { name: after } })] })
  expect(reviewOf(plan('x'))).not.toBe(reviewOf(plan('y')))
})
