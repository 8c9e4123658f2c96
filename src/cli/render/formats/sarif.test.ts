// Findings by the rules of SARIF 2.1.0 and of code scanning.
import type { Log } from 'sarif'
import { expect, test } from 'vitest'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { sarifRules } from '../../../../test/builders/sarif-rules.ts'
import { schemaProblems } from '../../../../test/builders/schema-problems.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Plan } from '../../../engine/model/plan-data.ts'
import { driftDocument } from '../drift-json.ts'
import type { Report } from './report.ts'
import { sarif } from './sarif.ts'

function read(plan: Plan, rest: Partial<Report> = {}) {
  const log: Log = JSON.parse(sarif(reportOf(plan, { toolVersion: '1.2.3', ...rest })))
  expect(schemaProblems(sarifRules, log)).toEqual([])
  const [run] = log.runs
  if (!run?.results) throw new Error('there is no run')
  return { run, results: run.results }
}

const wrong = (line: number) => diagnostic('unknown_field', 'nmae is no field', { position: { file: 'my main.yaml', line, column: 3 }, hint: 'name' })
const drift = [changeOf({ address: 'Vpc/b', patch: [{ op: 'replace', path: '/name', value: 'x' }] }), changeOf({ address: 'Vpc/c', action: 'delete' })]

test('a plan tells mistakes, drift and changes, the worst first, by rules that explain themselves', () => {
  const { run, results } = read(planOf([changeOf({ action: 'replace' }), changeOf({ address: 'Vpc/d', action: 'create' })], { drift, diagnostics: [wrong(7)] }))
  expect(results.map((one) => [one.level, one.ruleId, one.message.text])).toEqual([
    ['error', 'unknown_field', 'nmae is no field\nhint: name'],
    ['warning', 'drift_changed', 'Vpc/b was changed outside of iac: /name'],
    ['warning', 'drift_missing', 'Vpc/c was deleted outside of iac'],
    ['warning', 'change_replace', 'Vpc/main must be replaced'],
    ['note', 'change_create', 'Vpc/d will be created'],
  ])
  const rules = run.tool.driver.rules ?? []
  expect(results.map((one) => rules[one.ruleIndex ?? -1]?.id)).toEqual(results.map((one) => one.ruleId))
  expect(rules.every((one) => (one.fullDescription?.text ?? '').length > 20)).toBe(true)
  expect(run.tool.driver.semanticVersion).toBe('1.2.3')
})

test('a path is relative to the root of the repository, and a URI', () => {
  const { results } = read(planOf([], { diagnostics: [wrong(7)] }))
  const place = results[0]?.locations?.[0]?.physicalLocation
  expect(place).toEqual({ artifactLocation: { uri: 'infra/my%20main.yaml', uriBaseId: '%SRCROOT%' }, region: { startLine: 7, startColumn: 3 } })
})

test('a fingerprint stays when lines move, and two that say the same differ', () => {
  const digests = (...lines: readonly number[]) =>
    read(planOf([], { diagnostics: lines.map(wrong) })).results.map((one) => one.partialFingerprints?.['primaryLocationLineHash'])
  const [first, second] = digests(7, 9)
  expect(digests(70)).toEqual([first])
  expect(second).not.toBe(first)
})

test.each<[Partial<Report>, string]>([
  [{}, 'iac/plan/p/'],
  [{ environment: 'prod' }, 'iac/plan/p/prod/'],
  [{ subject: 'validate', project: null, plan: null }, 'iac/validate/'],
])('%j is uploaded as %s', (rest, id) => {
  expect(read(planOf([]), rest).run.automationDetails?.id).toBe(id)
})

test('a drift tells what nobody manages, too', () => {
  const found = { unmanaged: [{ kind: 'Vpc', id: '9', name: 'x](http://evil.test)' }], managed: 1 }
  const { results } = read(planOf([changeOf({ action: 'create' })], { drift }), { subject: 'drift', drift: driftDocument(drift, found) })
  expect(results.map((one) => one.ruleId)).toEqual(['drift_changed', 'drift_missing', 'drift_unmanaged'])
  expect(results[2]?.message.text).toBe('Vpc x\\](http://evil.test) (9) is not managed by any manifest')
})

test('more results than are kept are counted', () => {
  const { run, results } = read(planOf(Array.from({ length: 5003 }, (_, at) => changeOf({ address: `Vpc/v${at}`, action: 'create' }))))
  expect(results).toHaveLength(5000)
  expect(run.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toBe('3 more findings left out')
})
