// Findings as GitLab's merge requests show them: artifacts:reports:codequality.
import { stringifyJson } from '../../../base/json.ts'
import { safeJson } from '../text/sanitise.ts'
import { findingsOf, fingerprints, placeOr } from './findings.ts'
import type { Renderer } from './report.ts'

const severities = { error: 'critical', warning: 'major', note: 'info' } as const

/** A list of what is wrong and of what drifted; what a plan changes is no finding on the quality of its code. */
export const codequality: Renderer = (report) => {
  const findings = findingsOf(report).filter((one) => !one.rule.startsWith('change_'))
  const digests = fingerprints(findings)
  const issues = findings.map((one, at) => {
    const { file, line } = placeOr(report, one.place)
    return {
      description: one.detail === '' ? one.summary : `${one.summary}: ${one.detail.replace(/\s*\n\s*/g, ' ')}`,
      check_name: one.rule,
      fingerprint: digests[at] ?? '',
      severity: severities[one.severity],
      location: { path: file, lines: { begin: line } },
    }
  })
  return `${safeJson(stringifyJson(issues, 2))}\n`
}
