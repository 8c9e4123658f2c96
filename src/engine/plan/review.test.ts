// What two plans must share to be the same to a reviewer.
import { describe, expect, test } from 'vitest'
import { changeOf, planOf } from '../../../test/builders/plan-data.ts'
import type { Plan } from '../model/plan-data.ts'
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
  ['order of a replacement', { create_before_destroy: true }],
  ['protection', { protected: true }],
  ['what becomes of it without its manifest', { on_remove: 'retain' }],
])('another %s makes another', (_, given) => {
  expect(reviewOf(planOf([change(given)], { state: known }))).not.toBe(reviewOf(planOf([change()], { state: known })))
})

describe('before the first apply', () => {
  const first = { lineage: null, serial: 0 }
  const reviewFirst = (given: Parameters<typeof changeOf>[0]) => reviewOf(planOf([change(given)], { state: first }))

  test.each<[string, Parameters<typeof changeOf>[0], Parameters<typeof changeOf>[0]]>([
    ['values', { digests: { '/key': 'hmac-sha256:1' } }, { digests: { '/key': 'hmac-sha256:2' } }],
    ['texts', { unresolved: { '/key': 'hmac-sha256:1["a"]' } }, { unresolved: { '/key': 'hmac-sha256:2["a"]' } }],
  ])('sensitive %s do not count: their digests are of a salt that no other plan has', (_, one, other) => {
    expect(reviewFirst(one)).toBe(reviewFirst(other))
  })

  test.each<[string, Parameters<typeof changeOf>[0], Parameters<typeof changeOf>[0]]>([
    ['object that a reference names', { unresolved: { '/vpc': "${Vpc['internal'].id}" } }, { unresolved: { '/vpc': "${Vpc['dmz-public'].id}" } }],
    ['member of a sensitive text', { unresolved: { '/key': 'hmac-sha256:1["a"]' } }, { unresolved: { '/key': 'hmac-sha256:1["b"]' } }],
    ['field that is sensitive', { digests: { '/key': 'hmac-sha256:1' } }, { digests: { '/other': 'hmac-sha256:1' } }],
    [
      'origin of a value that is known once',
      { digests: { '/key': 'once:["ApiToken/a","","code"]' } },
      { digests: { '/key': 'once:["ApiToken/b","","code"]' } },
    ],
  ])('another %s makes another', (_, one, other) => {
    expect(reviewFirst(one)).not.toBe(reviewFirst(other))
  })
})

describe('of the outputs', () => {
  const told = (value: string) => ({ value, sensitive: false })
  const reviewWith = (rest: Parameters<typeof planOf>[1]) => reviewOf(planOf([change()], { state: known, ...rest }))

  test.each<[string, Parameters<typeof planOf>[1]]>([
    ['value', { outputs: { at: told('other') }, outputs_before: { at: told('old') } }],
    ['value of old', { outputs: { at: told('new') }, outputs_before: { at: told('other') } }],
    ['expression', { outputs: { at: { expression: '${Vpc.b.id}' } }, outputs_before: { at: told('old') } }],
    ['name', { outputs: { by: told('new') }, outputs_before: { by: told('old') } }],
    ['end', { outputs_before: { at: told('old') } }],
    ['secrecy', { outputs: { at: { value: null, sensitive: true } }, outputs_before: { at: told('old') } }],
  ])('another %s makes another', (_, rest) => {
    expect(reviewWith(rest)).not.toBe(reviewWith({ outputs: { at: told('new') }, outputs_before: { at: told('old') } }))
  })

  test('a variable counts where an expression that is told as it is written names it', () => {
    const given = (variables: Plan['variables'], expression = '${vars.word} ${Vpc.a.id}') =>
      reviewWith({ variables, outputs: { at: { expression } }, outputs_before: { at: told('old') } })
    expect(given({ word: 'ours', other: 1 })).not.toBe(given({ word: 'theirs', other: 1 }))
    expect(given({ word: 'ours', other: 1 }, "${vars['word']} ${Vpc.a.id}")).not.toBe(given({ word: 'theirs', other: 1 }, "${vars['word']} ${Vpc.a.id}"))
    expect(given({ word: 'ours', other: 1 })).toBe(given({ word: 'ours', other: 2 }))
    expect(given({ word: 'ours' }, '${Vpc.a.id}')).toBe(given({ word: 'theirs' }, '${Vpc.a.id}'))
  })

  test('those that stay, or are sensitive before and after, do not count', () => {
    const both = { at: told('same'), key: { value: null, sensitive: true } }
    expect(reviewWith({ outputs: both, outputs_before: both })).toBe(reviewWith({}))
  })
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
