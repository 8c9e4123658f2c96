// The numbers of a merge request as GitLab's own parser takes them.
import { expect, test } from 'vitest'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { gitlab } from './gitlab.ts'

/** The rules of lib/gitlab/ci/parsers/terraform/tfplan.rb: a hash with three members, each a number or its digits. */
function widget(text: string): { readonly create: number; readonly update: number; readonly delete: number } {
  const plan: Readonly<Record<string, unknown>> = JSON.parse(text)
  const count = (name: string): number => {
    const value = plan[name]
    if (value === undefined) throw new Error('missing_json_keys')
    if (!/^[0-9]{1,6}$/.test(typeof value === 'number' ? value.toString() : '')) throw new Error('invalid_resource_count')
    return Number(value)
  }
  return { create: count('create'), update: count('update'), delete: count('delete') }
}

test('a replacement is made and goes', () => {
  const changes = [
    changeOf({ action: 'replace' }),
    changeOf({ address: 'Vpc/b', action: 'create' }),
    changeOf({ address: 'Vpc/c', action: 'update' }),
    changeOf({ address: 'Vpc/d', action: 'delete' }),
    changeOf({ address: 'Vpc/e', action: 'forget' }),
  ]
  expect(widget(gitlab(reportOf(planOf(changes))))).toEqual({ create: 2, update: 1, delete: 2 })
})

test('nothing to do is three zeros', () => {
  expect(gitlab(reportOf(planOf([])))).toBe('{"create":0,"update":0,"delete":0}\n')
})

test('more than GitLab counts is the most that it counts', () => {
  const summary = { create: 1_000_000, update: 999_999, replace: 5, delete: 999_998, import: 0, forget: 0, no_op: 0 }
  expect(widget(gitlab(reportOf(planOf([], { summary }))))).toEqual({ create: 999_999, update: 999_999, delete: 999_999 })
})
