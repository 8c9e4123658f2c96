// A report as a comment: what is most dangerous first, cut where a forge would refuse it.
import { compareAddresses } from '../../../base/address.ts'
import type { Action, Change } from '../../../engine/model/plan-data.ts'
import type { Disruption } from '../../../kinds/definition/fields.ts'
import type { driftDocument } from '../drift-json.ts'
import { driftSentence } from '../drift-text.ts'
import { attributeLines } from '../plan/attribute-lines.ts'
import { changeBlock, driftBlock, symbolOf } from '../plan/plan-block.ts'
import { plannedDrift } from '../plan/plan-drift.ts'
import { costLines, planTitle } from '../plan/plan-text.ts'
import { ownWords } from '../plan/plan-words.ts'
import type { PlanWords } from '../plan/plan-words.ts'
import { sandboxSentence } from '../plan/sandbox-sentence.ts'
import { counted } from '../text/counted.ts'
import { noColours } from '../text/palette.ts'
import type { Finding } from './findings.ts'
import { findingsOf } from './findings.ts'
import { asDiff, codeTag, fenced, folded } from './markdown-text.ts'
import type { Renderer, Report } from './report.ts'

/** What GitHub takes is 65,536; the rest is for a mark of whoever posts it. */
const MOST_CHARACTERS = 65_000
/** For the lines that count what has no room. */
const RESERVED = 1000
/** So much of one block is shown. */
const MOST_OF_A_BLOCK = 8000
/** Of a long line of a block that has no room for it: its beginning and its end. */
const [LINE_BEGINS, LINE_ENDS] = [300, 200]
const MOST_FINDINGS = 20

const dangers: Readonly<Record<Disruption, string>> = {
  data_loss: 'Loses data',
  address_loss: 'Loses an address',
  interruption: 'Interrupts',
  restart: 'Restarts',
  none: 'Interrupts nothing',
}
const disruptions: readonly Disruption[] = ['data_loss', 'address_loss', 'interruption', 'restart', 'none']
const actions: readonly Action[] = ['delete', 'replace', 'forget', 'update', 'import', 'create', 'no-op']

/** One thing to tell: in full, or in a line where there is no room for that. */
interface Entry {
  readonly heading: string
  readonly noun: string
  readonly full: string
  readonly brief: string
}

export const markdown: Renderer = (report) => {
  const head = `${headOf(report)}\n`
  const [errors, others] = findingEntries(report)
  return withinBudget(head, [...errors, ...changeEntries(report), ...driftEntries(report), ...outputEntries(report), ...others])
}

/** As many entries as fit, in order; the others are counted by what they are. */
function withinBudget(head: string, entries: readonly Entry[]): string {
  const parts = [head]
  let room = MOST_CHARACTERS - RESERVED - head.length
  let heading = ''
  let isFull = false
  const left = new Map<string, number>()
  for (const entry of entries) {
    const above = entry.heading === heading ? '' : `\n### ${entry.heading}\n\n`
    const text = [entry.full, entry.brief].find((one) => above.length + one.length <= room)
    if (isFull || text === undefined) {
      isFull = true
      left.set(entry.noun, (left.get(entry.noun) ?? 0) + 1)
      continue
    }
    parts.push(above, text)
    room -= above.length + text.length
    heading = entry.heading
  }
  const rest = [...left].map(([noun, count]) => counted(count, `more ${noun}`)).join(', ')
  return [...parts, rest === '' ? '' : `\n**And ${rest}**, for which there is no room here.\n`].join('')
}

function headOf(report: Report): string {
  const { subject, project, environment, plan } = report
  const names = [project, environment].flatMap((one) => (one === null ? [] : [codeTag(one)])).join(' ')
  const price = subject === 'plan' && plan ? costLines(plan.cost).filter((line) => line.startsWith('Price: ')) : []
  const unpriced = subject === 'plan' ? (plan?.cost?.unpriced.length ?? 0) : 0
  const without = unpriced === 0 ? [] : [`Not in the price: ${counted(unpriced, 'resource')}.`]
  const sandbox = [plan && sandboxSentence(plan)].flatMap((one) => one ?? [])
  const review = subject === 'plan' && plan && (report.differs || plan.lifted) ? [`Review: ${codeTag(plan.review)}`] : []
  return [`## iac ${subject}${names === '' ? '' : `: ${names}`}`, ...sandbox, `**${sentenceOf(report)}**`, ...price, ...without, ...review]
    .map((one) => `${one}\n`)
    .join('\n')
}

/** Addresses hold keys that others may have written. */
const words: PlanWords = { ...ownWords, nothingDestroyed: (kept) => ownWords.nothingDestroyed(kept.map(codeTag)) }

function sentenceOf({ subject, plan, drift, outputs, diagnostics }: Report): string {
  if (subject === 'plan' && plan) return planTitle(plan, Object.keys({ ...outputs.before, ...outputs.after }).length > 0, words)
  if (subject === 'drift') return `${driftSentence(plan?.drift ?? [], words, uncomparedAt(drift))}${drift ? lookedFor(drift) : ''}`
  const count = (severity: string): number => diagnostics.filter((one) => one.severity === severity).length
  if (subject === 'plan') return `Nothing was planned: ${counted(count('error'), 'error')}.`
  return count('error') === 0
    ? `The manifests are valid, with ${counted(count('warning'), 'warning')}.`
    : `${counted(count('error'), 'error')} in the manifests.`
}

/** Where there is no state, by a name that others may have written. */
function uncomparedAt(drift: Report['drift']): string | null {
  return drift && drift.no_state_at !== null ? codeTag(drift.no_state_at) : null
}

function lookedFor({ unmanaged, coverage }: ReturnType<typeof driftDocument>): string {
  if (unmanaged === null) return ''
  return ` Not managed: ${counted(unmanaged.length, 'object')}${coverage === null ? '' : `; coverage ${coverage} %`}.`
}

/** Errors, and what is less: that comes behind what changes, however much it is. */
function findingEntries(report: Report): readonly [readonly Entry[], readonly Entry[]] {
  const findings = findingsOf(report).filter((one) => !/^(?:change|drift)_(?!unmanaged)/.test(one.rule))
  const entries = findings.map((one, at): Entry => {
    const brief = findingLine(one)
    const isError = one.severity === 'error'
    const noun = isError ? 'error' : one.severity === 'warning' ? 'warning' : 'note'
    const full = at < MOST_FINDINGS && one.detail !== '' ? `${brief}\n${fenced(cut(one.detail.split('\n')))}\n\n` : brief
    return { heading: isError ? 'Errors' : 'Warnings and notes', noun, full, brief }
  })
  return [entries.filter((one) => one.noun === 'error'), entries.filter((one) => one.noun !== 'error')]
}

function findingLine({ severity, summary, place }: Finding): string {
  const where = place ? ` at ${codeTag(`${place.file}:${place.line}:${place.column}`)}` : ''
  return `- **${severity}**: ${codeTag(summary)}${where}\n`
}

function changeEntries({ subject, plan, fieldText, replaceCostsOf }: Report): readonly Entry[] {
  if (!plan || subject !== 'plan') return []
  const shown = plan.changes.filter((one) => one.action !== 'no-op' || one.previous_address !== null)
  const options = { ...blockOptions, fieldText, replaceCostsOf }
  return shown.toSorted(moreDangerous).map((change) => entryOf(dangers[change.disruption], 'change', symbolOf(change), changeBlock(change, options)))
}

/** The worst disruption first, then what goes before what comes. */
function moreDangerous(a: Change, b: Change): number {
  const byDisruption = disruptions.indexOf(a.disruption) - disruptions.indexOf(b.disruption)
  return byDisruption || actions.indexOf(a.action) - actions.indexOf(b.action) || compareAddresses(a.address, b.address)
}

function driftEntries({ subject, plan, fieldText }: Report): readonly Entry[] {
  const found = plan && subject === 'plan' ? plannedDrift(plan) : (plan?.drift ?? [])
  const drift = found.toSorted((a, b) => actions.indexOf(a.action) - actions.indexOf(b.action) || compareAddresses(a.address, b.address))
  const options = { ...blockOptions, fieldText }
  return drift.map((change) => entryOf('Changed outside of iac', 'drifted resource', change.action === 'delete' ? '-' : '~', driftBlock(change, options)))
}

function outputEntries({ outputs }: Report): readonly Entry[] {
  const lines = attributeLines({ ...outputs, touched: [], forcing: [], palette: noColours }, 2)
  if (lines.length === 0) return []
  const brief = `The outputs change in ${counted(lines.length, 'line')}.\n`
  return [{ heading: 'Outputs', noun: 'change of outputs', full: `${fenced(cut(asDiff(lines)), 'diff')}\n`, brief }]
}

const blockOptions = { palette: noColours, outputsOf: () => [] }

/** A block below its first line; the comment sign in front of that is left out. */
function entryOf(heading: string, noun: string, symbol: string, [first = '', ...lines]: readonly string[]): Entry {
  const title = `${codeTag(symbol)} ${codeTag(first.replace(/^ *# /, ''))}`
  const block = asDiff(cut(lines))
  return { heading, noun, full: `${folded(title, fenced(block, 'diff'))}\n`, brief: `- ${title}\n` }
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= MOST_OF_A_BLOCK) return lines
  let room = MOST_OF_A_BLOCK
  const shown = lines.map(shortened).filter((line) => (room -= line.length + 1) >= 0)
  return shown.length === lines.length ? shown : [...shown, `… ${counted(lines.length - shown.length, 'more line')}`]
}

/** Without its middle: one long value must not hide what stands below it. What fits is shown whole, since what changes may be in the middle. */
function shortened(line: string): string {
  const left = line.length - LINE_BEGINS - LINE_ENDS
  if (left <= 0) return line
  // No half of a surrogate pair stays.
  const [begin, end] = [line.slice(0, LINE_BEGINS).replace(/[\ud800-\udbff]$/, ''), line.slice(-LINE_ENDS).replace(/^[\udc00-\udfff]/, '')]
  return `${begin} … ${counted(line.length - begin.length - end.length, 'more character')} … ${end}`
}
