// A plan held against policies: what is not known yet is told, wherever a policy reads it from.
import { expect, test } from 'vitest'
import { changeFor } from '../../../../test/builders/change.ts'
import type { JsonObject } from '../../../base/json.ts'
import { compilePolicy } from '../../../project/resolving/policy.ts'
import type { PolicyText } from '../../../project/resolving/policy.ts'
import type { Change } from '../../model/plan-data.ts'
import { brokenOnTheWay, policiesFor, policyProblems } from './policies.ts'
import type { PolicySet } from './policies.ts'

const position = () => ({ file: 'iac.yaml', line: 1, column: 1 })
const summary = { create: 1, update: 0, replace: 0, delete: 0, import: 0, forget: 0, no_op: 0 }

/** What one policy says of a plan with these changes, as `code: summary`. */
function toldOf(fields: PolicyText['fields'], changes: readonly Change[]): readonly string[] {
  return policyProblems({ changes, summary, cost: null, quota: null }, setOf(fields)).map((one) => `${one.code}: ${one.summary}`)
}

function setOf(fields: PolicyText['fields']): PolicySet {
  const { policy, problems } = compilePolicy({ fields: { name: 'one', ...fields }, position }, { names: [], sensitive: new Set() })
  expect(problems).toEqual([])
  return { policies: policy ? [policy] : [], variables: {}, environment: null, overrides: new Map<string, string>() }
}

const changes = [
  changeFor({ address: 'Vpc/main', kind: 'Vpc', after: { name: 'main' } }),
  changeFor({ address: 'Disk/data', kind: 'Disk', after: { name: 'data', tags: [{}] }, after_unknown: ['/instance', '/tags/0/a~1b'] }),
]

test('what is not known yet in a plan as a whole is a warning with its place, and no missing field', () => {
  const assert = "plan.changes.all(one, one.kind != 'Disk' || one.after.instance == '1')"
  expect(toldOf({ assert }, changes)).toEqual(['policy_warning: policy one cannot be judged before apply: /changes/1/after/instance is not known yet'])
  expect(toldOf({ assert: "plan.changes[1].after.tags[0]['a/b'] == 1" }, changes)).toEqual([expect.stringContaining('/changes/1/after/tags/0/a~1b')])
})

test('and the rest of it is judged', () => {
  expect(toldOf({ assert: "plan.changes.exists(one, one.after.name == 'data')" }, changes)).toEqual([])
  expect(toldOf({ assert: "plan.changes.all(one, one.after.name == 'main')" }, changes)).toEqual(['guard_policy: breaks the policy one'])
})

test('where a part that is known decides, nothing is unknown', () => {
  expect(toldOf({ assert: "plan.changes.all(one, one.kind == 'Vpc' || one.after.instance == '1' || has(one.after.name))" }, changes)).toEqual([])
  expect(toldOf({ each: 'change', assert: "it.after.name == 'main' || it.after.instance != ''" }, changes)).toEqual([
    expect.stringMatching(/^policy_warning: Disk\/data: .*\/after\/instance is not known yet/),
  ])
})

test.each([[['Disk/data', 'Vpc/main']], [['Vpc/main', 'Disk/data']]])(
  'what a change and the plan keep unknown together is judged once both are known: %s',
  (order) => {
    const unknown = [
      changeFor({ address: 'Vpc/main', kind: 'Vpc', after: {}, after_unknown: ['/name'] }),
      changeFor({ address: 'Disk/data', kind: 'Disk', after: { name: 'data' }, after_unknown: ['/instance'] }),
    ]
    const known: Readonly<Record<string, JsonObject>> = { 'Vpc/main': { name: 'main' }, 'Disk/data': { name: 'data', instance: '7' } }
    const plan = { changes: unknown, summary, cost: null, quota: null }
    const fields = { each: 'change', when: "it.kind == 'Disk'" } as const
    const broken = (assert: string) => {
      const set = policiesFor(plan, setOf({ ...fields, assert }))
      return order.map((address) => {
        const change = unknown.find((one) => one.address === address)
        return change && brokenOnTheWay(change, known[address] ?? {}, set)?.summary
      })
    }
    expect(broken('it.after.instance == plan.changes[0].after.name')).toEqual([undefined, 'Disk/data: breaks the policy one'])
    expect(broken('it.after.instance != plan.changes[0].after.name')).toEqual([undefined, undefined])
  },
)

test('what a secret gives is opaque, known or not: it may have chosen which of the two it is', () => {
  const told = (change: Partial<Change>) =>
    (['change', 'resource'] as const).map((each) =>
      toldOf({ each, assert: `${each === 'change' ? 'it.after' : 'it.spec'}.instance == '1'` }, [changeFor({ address: 'Disk/data', kind: 'Disk', ...change })]),
    )
  const hidden = { after: { name: 'data' }, after_unknown: ['/instance'], unresolved: { '/instance': 'hmac-sha256:00' } }
  expect(told(hidden)).toEqual(told({ after: { name: 'data', instance: { $sensitive: true } } }))
  expect(told(hidden)).toEqual(Array.from({ length: 2 }, () => [expect.stringContaining('depends on a sensitive value')]))
  expect(told({ ...hidden, unresolved: { '/instance': "${Instance['web'].id}" } })).toEqual(
    Array.from({ length: 2 }, () => [expect.stringContaining('not known yet')]),
  )
})

test.each([
  'size(it.after_unknown) == 0',
  "'/instance' in it.unresolved",
  "it.digests.map(one, one)[1] == '/tags/0'",
  "it.patch.exists(one, one.path == '/instance' && one.value == {'$unknown': true})",
  "it.patch.exists(one, one.path == '/tags' && one.value == [{'$unknown': true}])",
])('and no list of what is not known, no digest and no patch tells which of the two it is: %s', (assert) => {
  const sensitive = { $sensitive: true }
  const change = (own: Partial<Change>, value: JsonObject): Change => {
    const patch: Change['patch'] = [
      { op: 'add', path: '/instance', value },
      { op: 'add', path: '/tags', value: [value] },
    ]
    return changeFor({ address: 'Disk/data', kind: 'Disk', patch, ...own })
  }
  const digests = { '/type': 'hmac-sha256:02' }
  const unknown = change(
    {
      after: { type: sensitive, tags: [null] },
      after_unknown: ['/instance', '/tags/0'],
      unresolved: { '/instance': 'hmac-sha256:00', '/tags/0': 'hmac-sha256:01["a"]' },
      digests,
    },
    { $unknown: true },
  )
  const known = change(
    { after: { instance: sensitive, type: sensitive, tags: [sensitive] }, digests: { '/instance': 'hmac-sha256:00', ...digests, '/tags/0': 'hmac-sha256:01' } },
    sensitive,
  )
  const told = (one: Change) => [toldOf({ each: 'change', assert }, [one]), toldOf({ assert: assert.replaceAll(/\bit\b/g, 'plan.changes[0]') }, [one])]
  expect(told(unknown)).toEqual(told(known))
})

test.each([
  ['a file', "file('limits.txt') == 'x'", 0],
  ['a lookup', "it.kind == 'Vpc' && lookup('Plan', 'x').id != ''", 20],
  ['another resource', "Vpc['main'].name == 'main'", 0],
  ['a file by a name that is not known', 'file(it.kind)', 0],
])('%s is no part of what a policy reads, and is refused when loading', (_, assert, offset) => {
  const at = (member: string, offset?: number) => ({ ...position(), text: `${member} ${offset}` })
  const refusals = (fields: PolicyText['fields']) =>
    compilePolicy({ fields: { name: 'one', each: 'resource', assert: 'true', ...fields }, position: at }, { names: [], sensitive: new Set() }).problems
  const told = (member: string, from: number) => ({
    code: 'expression',
    severity: 'error',
    summary: 'a policy reads the plan, and nothing else',
    position: at(member, from),
  })
  expect(refusals({ assert })).toEqual([told('assert', offset)])
  expect(refusals({ when: assert })).toEqual([told('when', offset)])
  expect(refusals({ message: `so: \${${assert}}` })).toEqual([told('message', 6 + offset)])
})
