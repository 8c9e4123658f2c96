// Findings as SARIF 2.1.0, for code scanning.
import type { Log, ReportingDescriptor, Result, Run } from 'sarif'
import { stringifyJson } from '../../../base/json.ts'
import { counted } from '../text/counted.ts'
import { safeJson } from '../text/sanitise.ts'
import type { Finding } from './findings.ts'
import { findingsOf, fingerprints, placeOr, ruleText } from './findings.ts'
import type { Renderer, Report } from './report.ts'

/** GitHub keeps so many results of a run. */
const MOST_RESULTS = 5000

/** One run: the rules that have findings, the most severe findings first, each at a path relative to the repository's root. */
export const sarif: Renderer = (report) => {
  const log: Log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [runOf(report)] }
  return `${safeJson(stringifyJson(log, 2))}\n`
}

function runOf(report: Report): Run {
  const { subject, toolVersion, project, environment } = report
  const all = findingsOf(report)
  const findings = all.slice(0, MOST_RESULTS)
  const rules = [...new Set(findings.map((one) => one.rule))].toSorted()
  const digests = fingerprints(findings)
  const left = all.length - findings.length
  const category = ['iac', subject, project, environment].filter((one) => one !== null)
  return {
    tool: { driver: { name: 'iac', ...versionOf(toolVersion), rules: rules.map(descriptorOf) } },
    automationDetails: { id: `${category.map(segment).join('/')}/` },
    columnKind: 'unicodeCodePoints',
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: left === 0 ? [] : [{ level: 'warning', message: { text: `${counted(left, 'more finding')} left out` } }],
      },
    ],
    results: findings.map((one, at) => resultOf(report, one, rules.indexOf(one.rule), digests[at] ?? '')),
  }
}

/** Only a semantic version may stand as one. */
function versionOf(version: string) {
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version) ? { version, semanticVersion: version } : { version }
}

function descriptorOf(id: string): ReportingDescriptor {
  const text = ruleText(id)
  return { id, shortDescription: { text: `${text.split('. ')[0]?.replace(/\.$/, '') ?? id}.` }, fullDescription: { text } }
}

function resultOf(report: Report, one: Finding, ruleIndex: number, digest: string): Result {
  const { file, line, column } = placeOr(report, one.place)
  const text = one.detail === '' ? one.summary : `${one.summary}\n${one.detail}`
  const named = one.address === null ? [] : [{ fullyQualifiedName: one.address, kind: 'resource' }]
  return {
    ruleId: one.rule,
    ruleIndex,
    level: one.severity,
    message: { text: withoutLinks(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(segment).join('/'), uriBaseId: '%SRCROOT%' },
          region: { startLine: line, startColumn: column },
        },
        ...(named.length === 0 ? {} : { logicalLocations: named }),
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${digest}:1` },
  }
}

function segment(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** `[words](address)` would be a link in a message. */
function withoutLinks(text: string): string {
  return text.replaceAll('](', '\\](')
}
