// How many mistakes are gathered before nothing more is looked at.
import { expect, test } from 'vitest'
import { diagnostic } from '../../base/diagnostic.ts'
import { Exhausted } from '../../base/meter.ts'
import { createFindings, mostKept } from './findings.ts'

test('each mistake is kept once, and the first of too many ends the work', () => {
  const findings = createFindings()
  const mistake = (at: number) => diagnostic('invalid_value', `mistake ${at}`)
  for (let at = 0; at < mostKept; at += 1) {
    findings.report(mistake(at))
    findings.report(mistake(at))
  }
  expect(() => findings.report(mistake(mostKept))).toThrow(Exhausted)
  expect(findings.all()).toHaveLength(mostKept)
  expect(findings.all().at(-1)).toEqual(mistake(mostKept - 1))
})

test('warnings beyond the limit are counted', () => {
  const findings = createFindings()
  for (let at = 0; at < mostKept + 7; at += 1) findings.report(diagnostic('advice', `warning ${at}`))
  expect(findings.all()).toHaveLength(mostKept + 1)
  expect(findings.all().at(-1)).toMatchObject({ code: 'more_warnings', summary: '7 more warnings are left out' })
})
