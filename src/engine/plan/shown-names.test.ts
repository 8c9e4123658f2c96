// Names in plans: of what is shown by its id, and nothing else.
import { expect, test } from 'vitest'
import { changeOf, planOf } from '../../../test/builders/plan-data.ts'
import { kinds } from '../../kinds/registry.ts'
import { shownNames, strayName } from './shown-names.ts'

const kindOf = (name: string) => kinds.find((kind) => kind.name === name)
const found: Readonly<Record<string, string>> = {
  'Plan 7': 'small',
  'Plan 8': 'large',
  'Plan 9': 'unused',
  'Plan 10': '',
  'Plan 11': 'a\u0001b',
  'Vpc 20': 'net',
}
const looked = {
  lookupById: (kind: string, id: string) => ({ name: found[`${kind} ${id}`] ?? null }),
  workspaceNames: new Map([
    ['1', 'prod'],
    ['2', 'other'],
  ]),
}
const quota = [{ workspace: '1', name: 'max_vpcs', used: 0, after: 1, limit: 9, exceeded: false }]
const machine = (before: string, after: string) =>
  changeOf({ address: `Instance/${after}`, kind: 'Instance', before: { plan: before }, after: { plan: after } })

test('are those that look-ups gave, before and after, in what changed and in what drifted', () => {
  const plan = planOf([machine('7', '8'), machine('10', '11')], {
    drift: [changeOf({ kind: 'VpcAttachment', before: { vpc: '20', instance: '7' }, after: null })],
    quota,
  })
  const names = shownNames(plan, kindOf, looked)
  expect(names).toEqual({ names: { Plan: { '7': 'small', '8': 'large' }, Vpc: { '20': 'net' } }, workspaces: { '1': 'prod' } })
  expect(strayName({ ...plan, ...names }, kindOf)).toBeUndefined()
  expect(strayName({ ...plan, names: { Plan: { '9': 'unused' } } }, kindOf)).toBe('unused')
  expect(strayName({ ...plan, workspaces: { '2': 'other' } }, kindOf)).toBe('other')
})

test('are absent where there are none', () => {
  expect(shownNames(planOf([changeOf({ after: { name: '7' } })]), kindOf, looked)).toEqual({})
  expect(shownNames(planOf([], { only_workspace: '2' }), kindOf, looked)).toEqual({ workspaces: { '2': 'other' } })
})
