// A report as tests in JUnit's XML: a case for each resource, and one for each thing that is wrong elsewhere.
import { compareAddresses } from '../../../base/address.ts'
import { groupBy } from '../../../kinds/definition/live-fields.ts'
import { driftSentence } from '../drift-text.ts'
import { headline } from '../plan/plan-block.ts'
import { ownWords } from '../plan/plan-words.ts'
import { counted } from '../text/counted.ts'
import type { Finding } from './findings.ts'
import { driftFindings, findingsOf } from './findings.ts'
import type { Renderer, Report } from './report.ts'
import { xmlAttribute, xmlText } from './xml.ts'

/** One test: `problem` is why it failed or was skipped. */
interface Case {
  readonly name: string
  readonly group: string
  readonly problem?: { readonly kind: 'failure' | 'skipped'; readonly type: string; readonly message: string; readonly text: string } | undefined
}

/** One suite. Errors fail, in drift each difference, too; warnings and what nobody manages are skipped. */
export const junit: Renderer = (report) => {
  const cases = casesOf(report)
  const count = (kind: string): number => cases.filter((one) => one.problem?.kind === kind).length
  const name = xmlAttribute(['iac', report.subject, report.project ?? '', report.environment ?? ''].filter((one) => one !== '').join(' '))
  const head = `name="${name}" package="iac" id="0" timestamp="${xmlAttribute(report.createdAt.slice(0, 19))}" hostname="localhost"`
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="0" skipped="${count('skipped')}" time="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite ${head} ${counts}>`,
    '    <properties/>',
    ...cases.map(caseText),
    `    <system-out>${xmlText(summaryOf(report))}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function casesOf(report: Report): readonly Case[] {
  const { subject, plan, drift } = report
  const place = drift?.no_state_at ?? null
  const compared = place === null ? (plan?.changes ?? []) : []
  const addresses = [...new Set(compared.map((one) => one.address))].toSorted(compareAddresses)
  const problems = problemsOf(report)
  const known = new Set(addresses)
  const byAddress = groupBy(problems, (one) => (one.address !== null && known.has(one.address) ? one.address : ''))
  const ofResources = addresses.map((address) => caseOf(subject, address, address.split('/')[0] ?? subject, byAddress.get(address) ?? []))
  const others = (byAddress.get('') ?? []).map((one) => caseOf(subject, placeName(one), one.rule, [one]))
  const cases = [...ofResources, ...others]
  if (place !== null) return [...cases, uncompared(place)]
  return cases.length > 0 ? cases : [{ name: 'nothing is wrong', group: `iac.${subject}` }]
}

/** A test that passed would say that what is live matches. */
function uncompared(place: string): Case {
  const message = driftSentence([], ownWords, place)
  return { name: 'drift', group: 'iac.drift', problem: { kind: 'skipped', type: 'drift', message, text: message } }
}

function problemsOf(report: Report): readonly Finding[] {
  const diagnostics = findingsOf(report).filter((one) => !/^(?:change|drift)_/.test(one.rule))
  return report.subject === 'drift' ? [...diagnostics, ...driftFindings(report)] : diagnostics
}

/** The worst that is known of one thing, with all that is told of it. */
function caseOf(subject: string, name: string, group: string, findings: readonly Finding[]): Case {
  const failing = findings.find((one) => one.severity === 'error' || one.rule === 'drift_changed' || one.rule === 'drift_missing')
  const first = failing ?? findings[0]
  if (!first) return { name, group: `iac.${subject}.${group}` }
  const text = findings.map((one) => `${one.rule}: ${one.summary}${one.detail === '' ? '' : `\n${one.detail}`}`).join('\n')
  const problem = { kind: failing ? 'failure' : 'skipped', type: first.rule, message: first.summary, text } as const
  return { name, group: `iac.${subject}.${group}`, problem }
}

function placeName({ place, address, summary }: Finding): string {
  return place ? `${place.file}:${place.line}:${place.column}` : (address ?? summary)
}

function caseText({ name, group, problem }: Case): string {
  const head = `    <testcase name="${xmlAttribute(name)}" classname="${xmlAttribute(group)}" time="0"`
  if (!problem) return `${head}/>`
  const { kind, type, message, text } = problem
  const inner = kind === 'skipped' ? `<skipped message="${xmlAttribute(message)}"/>` : failureText(type, message, text)
  return `${head}>\n      ${inner}\n    </testcase>`
}

function failureText(type: string, message: string, text: string): string {
  return `<failure type="${xmlAttribute(type)}" message="${xmlAttribute(message)}">${xmlText(text)}</failure>`
}

/** What the plan does with each resource that it touches, a line each. */
function summaryOf({ subject, plan, replaceCostsOf }: Report): string {
  if (!plan || subject !== 'plan') return ''
  const changes = plan.changes.filter((one) => one.action !== 'no-op').toSorted((a, b) => compareAddresses(a.address, b.address))
  return [counted(changes.length, 'change'), ...changes.map((one) => headline(one, { replaceCostsOf }))].join('\n')
}
