// Reports as tests, read by libxml2 and by the rules of JUnit's readers.
import { expect, test } from 'vitest'
import { junitProblems } from '../../../../test/builders/junit-rules.ts'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { driftDocument } from '../drift-json.ts'
import { junit } from './junit.ts'
import type { Report } from './report.ts'

async function read(plan: Plan, rest: Partial<Report> = {}) {
  const xml = junit(reportOf(plan, rest))
  expect(await junitProblems(xml)).toEqual([])
  const cases = Array.from(xml.matchAll(/<testcase name="([^"]*)"[^>]*?(?:\/>|>\s*<(\w+))/g), ([, name, kind]) => [name, kind ?? 'passed'])
  return { xml, cases, counts: /tests="\d+" failures="\d+" errors="\d+" skipped="\d+"/.exec(xml)?.[0] }
}

const drift = [changeOf({ address: 'Vpc/b', patch: [{ op: 'replace', path: '/name', value: 'x' }] })]

test('a plan has a case for each resource, which fails by an error on it', async () => {
  const diagnostics = [diagnostic('usage', 'bad', { address: 'Vpc/b' }), diagnostic('usage', 'odd', { position: { file: 'x.yaml', line: 2, column: 5 } })]
  const { xml, cases, counts } = await read(planOf([changeOf({ address: 'Vpc/b' }), changeOf({ action: 'no-op' })], { diagnostics, drift }))
  expect(cases).toEqual([
    ['Vpc/b', 'failure'],
    ['Vpc/main', 'passed'],
    ['infra/x.yaml:2:5', 'failure'],
  ])
  expect(counts).toBe('tests="3" failures="2" errors="0" skipped="0"')
  expect(xml).toContain('<failure type="usage" message="Vpc/b: bad">usage: Vpc/b: bad</failure>')
  expect(xml).toContain('<system-out>1 change\nVpc/b will be updated in-place</system-out>')
})

test('in a drift each difference fails, and what nobody manages is skipped', async () => {
  const found = { unmanaged: [{ kind: 'Vpc', id: '9', name: null }], managed: 1 }
  const plan = planOf([changeOf({ address: 'Vpc/b' }), changeOf({ address: 'Vpc/a', action: 'no-op' })], { drift })
  const { cases, counts } = await read(plan, { subject: 'drift', drift: driftDocument(drift, found) })
  expect(cases).toEqual([
    ['Vpc/a', 'passed'],
    ['Vpc/b', 'failure'],
    ['Vpc 9 is not managed by any manifest', 'skipped'],
  ])
  expect(counts).toBe('tests="3" failures="1" errors="0" skipped="1"')
})

test('nothing to look at is one case that passed', async () => {
  expect((await read(planOf([]), { subject: 'validate', plan: null })).cases).toEqual([['nothing is wrong', 'passed']])
})

test.each([
  ']]>',
  '<script>&amp;</testcase>',
  '"\' onload="',
  '\u0000\u001b[2J\u000c\ufffe\uffff\ud800',
  'a\n b\t c',
  '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>&y;',
])('%j stays text', async (text) => {
  const diagnostics = [diagnostic('usage', text, { detail: text, address: `Vpc/${text}` }), diagnostic('advice', text)]
  const { xml, cases } = await read(planOf([changeOf({ address: `Vpc/b["${text}"]` })], { diagnostics }))
  expect(cases).toHaveLength(3)
  expect(xml.match(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/)).toBe(null)
})
