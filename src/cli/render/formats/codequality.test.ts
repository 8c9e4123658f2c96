// Findings by the rules of GitLab's code quality reports.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { changeOf, planOf, reportOf } from '../../../../test/builders/plan-data.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import { codequality } from './codequality.ts'

/** What GitLab asks of each entry; paths are relative, and do not begin with `./`. */
const issues = z.array(
  z.strictObject({
    description: z.string().min(1),
    check_name: z.string().regex(/^[a-z_]+$/),
    fingerprint: z.string().regex(/^[0-9a-f]{32}$/),
    severity: z.enum(['info', 'minor', 'major', 'critical', 'blocker']),
    location: z.strictObject({ path: z.string().regex(/^(?!\.?\/)./), lines: z.strictObject({ begin: z.int().min(1) }) }),
  }),
)

const at = (line: number) => ({ position: { file: 'main.yaml', line, column: 3 } })
const wrong = (line: number) => diagnostic('unknown_field', 'nmae is no field of Vpc', { ...at(line), detail: 'One.\nTwo.', hint: 'name' })
const read = (...given: Parameters<typeof planOf>) => issues.parse(JSON.parse(codequality(reportOf(planOf(...given)))))

test('each finding says what, where and how bad', () => {
  const drift = [changeOf({ patch: [{ op: 'replace', path: '/name', value: 'x' }] })]
  const found = read([changeOf({ action: 'delete' })], { drift, diagnostics: [diagnostic('advice', 'look', { address: 'Vpc/main' }), wrong(7)] })
  expect(found.map((one) => [one.severity, one.check_name, one.location.path, one.location.lines.begin, one.description])).toEqual([
    ['critical', 'unknown_field', 'infra/main.yaml', 7, 'nmae is no field of Vpc: One. Two. hint: name'],
    ['major', 'advice', 'infra/vpc.yaml', 3, 'Vpc/main: look'],
    ['major', 'drift_changed', 'infra/vpc.yaml', 3, 'Vpc/main was changed outside of iac: /name'],
  ])
})

test('a fingerprint stays when lines move, and two that say the same differ', () => {
  const [first, second] = read([], { diagnostics: [wrong(7), wrong(9)] })
  const [moved] = read([], { diagnostics: [wrong(70)] })
  expect(moved?.fingerprint).toBe(first?.fingerprint)
  expect(second?.fingerprint).not.toBe(first?.fingerprint)
})

test('what has no place is told at the project file', () => {
  const [one] = read([], { diagnostics: [diagnostic('usage', 'odd')] })
  expect(one?.location).toEqual({ path: 'infra/iac.yaml', lines: { begin: 1 } })
})

test('nothing found is an empty list', () => {
  expect(codequality(reportOf(planOf([changeOf({})])))).toBe('[]\n')
})
