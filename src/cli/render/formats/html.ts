// A plan as a page in one file: it asks nobody for anything, and whatever stands in it is text.
import { createHash } from 'node:crypto'
import type { DiagnosticDocument } from '../../../base/diagnostic.ts'
import type { Change, Plan } from '../../../engine/model/plan-data.ts'
import type { AnyKind } from '../../../kinds/definition/kind.ts'
import type { Graphviz } from '../drawing/layout.ts'
import { pictureOf } from '../drawing/picture.ts'
import { plannedDrift } from '../plan/plan-drift.ts'
import { sandboxSentence } from '../plan/sandbox-sentence.ts'
import { counted } from '../text/counted.ts'
import { markup } from '../text/markup.ts'
import type { ChangeOptions } from './page/change-part.ts'
import { changeGroups, dangerLinks, driftText, rowsTable } from './page/change-part.ts'
import { comparedRows } from './page/field-rows.ts'
import { priceLines, quotaLines } from './page/money-part.ts'
import { pageScript } from './page/page-script.ts'
import { pageStyle } from './page/page-style.ts'
import { reportDrawing } from './plan-graph.ts'
import type { Renderer, Report } from './report.ts'

/** A whole document; its policy allows its own style and script by their hashes, and nothing else. */
export const planHtml =
  (kinds: readonly AnyKind[], graphviz: Graphviz): Renderer =>
  (report) => {
    const drawing = reportDrawing(report, kinds)
    const options: ChangeOptions = {
      declaredAt: report.declaredAt,
      replaceCostsOf: report.replaceCostsOf,
      told: (kind) => (pointer, value) => report.fieldText(kind, pointer, value),
    }
    const picture = drawing.boxes.length === 0 ? '' : pictureOf(drawing, graphviz, false)
    const sections = sectionsOf(report, picture, options).filter(({ lines }) => lines.length > 0)
    const links = [...dangerLinks(listedOf(report)), ...sections.map(({ id, title }) => `<a href="#${id}">${title}</a>`)]
    const sandbox = report.plan ? sandboxSentence(report.plan) : undefined
    const lines = [
      ...headLines(drawing.title, report),
      '<body>',
      '<header>',
      `<p class="soft">${placeOf(report).map(markup).join(' · ')}</p>`,
      `<h1>${markup(drawing.title)}</h1>`,
      ...(sandbox === undefined ? [] : [`<p><strong>${markup(sandbox).replaceAll(/--[a-z]+/g, '<span class="whole">$&</span>')}</strong></p>`]),
      `<nav aria-label="Parts of this page">${links.join(' ')}</nav>`,
      ...(report.plan ? [countsText(report.plan)] : []),
      '</header>',
      '<main>',
      ...sections.flatMap((one) => [`<section aria-labelledby="${one.id}">`, `<h2 id="${one.id}">${one.title}</h2>`, ...one.lines, '</section>']),
      `<p class="soft">${footText(report).map(markup).join(' · ')}</p>`,
      '</main>',
      `<script>${pageScript}</script>`,
      '</body>',
      '</html>',
    ]
    return `${lines.join('\n')}\n`
  }

function headLines(title: string, report: Report): string[] {
  const policy = `default-src 'none'; style-src '${hashOf(pageStyle)}'; script-src '${hashOf(pageScript)}'; img-src data:; base-uri 'none'; form-action 'none'`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="robots" content="noindex">',
    `<title>${markup([...placeOf(report).slice(0, 1), title].join(': '))}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${pageStyle}</style>`,
    '</head>',
  ]
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

interface Section {
  readonly id: string
  readonly title: string
  readonly lines: readonly string[]
}

function sectionsOf(report: Report, picture: string, options: ChangeOptions): readonly Section[] {
  const { subject, plan, diagnostics, outputs, placeOf } = report
  const changes = listedOf(report)
  const texts = (isError: boolean): string[] => diagnostics.filter((one) => (one.severity === 'error') === isError).map((one) => findingText(one, placeOf))
  const outputRows = comparedRows(outputs.before, outputs.after, () => undefined).rows
  const drawn = picture === '' ? [] : [`<div class="scroll" role="region" aria-label="Graph, can be scrolled" tabindex="0">${picture}</div>`]
  const drift = plan && subject === 'plan' ? plannedDrift(plan) : (plan?.drift ?? [])
  return [
    { id: 'errors', title: 'Errors', lines: texts(true) },
    { id: 'changes', title: 'What changes', lines: changes.length === 0 ? [] : [searchForm, ...changeGroups(changes, options)] },
    { id: 'graph', title: 'What waits for what', lines: drawn },
    { id: 'price', title: 'What it costs', lines: priceLines(plan?.cost ?? null) },
    { id: 'limits', title: 'Limits', lines: quotaLines(plan?.quota ?? []) },
    { id: 'outputs', title: 'Outputs', lines: outputRows.length === 0 ? [] : [`<div class="panel">${rowsTable(outputRows, 'Outputs')}</div>`] },
    { id: 'warnings', title: 'Warnings and notes', lines: texts(false) },
    { id: 'drift', title: 'Changed outside of iac', lines: drift.map((one) => driftText(one, options)) },
  ]
}

/** Shown by the script alone, since without it nothing answers. */
const searchForm = [
  '<form role="search" hidden>',
  '<label class="unseen" for="search">Search in changes</label>',
  '<input id="search" type="search" placeholder="Search changes  ( / )" autocomplete="off" spellcheck="false">',
  '<button type="button" id="open">Open all</button>',
  '<button type="button" id="close">Close all</button>',
  '<span id="found" role="status"></span>',
  '</form>',
].join('\n')

function findingText({ severity, code, summary, detail, address, range, hint }: DiagnosticDocument, placeOf: Report['placeOf']): string {
  const place = placeOf(range)
  const where = [code, address ?? '', place === null ? '' : `${place.file}:${place.line}:${place.column}`].filter((one) => one !== '')
  return [
    `<div class="finding ${severity}">`,
    `<p><span class="sort">${severity}:</span> ${markup(summary)}</p>`,
    ...(detail === '' ? [] : [`<p>${markup(detail)}</p>`]),
    ...(hint === null ? [] : [`<p>${markup(hint)}</p>`]),
    `<p class="where">${where.map(markup).join(' · ')}</p>`,
    '</div>',
  ].join('\n')
}

const counts = [
  ['create', 'create', 'create'],
  ['update', 'update', 'update'],
  ['replace', 'replace', 'replace'],
  ['delete', 'destroy', 'delete'],
  ['import', 'import', 'import'],
  ['forget', 'forget', 'forget'],
  ['no_op', 'unchanged', 'no-op'],
] as const

function countsText({ summary }: Plan): string {
  const shown = counts.filter(([member]) => summary[member] > 0)
  return shown.length === 0
    ? ''
    : `<dl class="counts">${shown.map(([member, word, look]) => `<div class="${look}"><dt>${word}</dt><dd>${summary[member]}</dd></div>`).join('')}</dl>`
}

function placeOf({ project, environment }: Report): string[] {
  return [project ?? 'plan', ...(environment === null ? [] : [`environment ${environment}`])]
}

/** All that is more than unchanged. */
function listedOf({ plan }: Report): readonly Change[] {
  return (plan?.changes ?? []).filter((one) => one.action !== 'no-op' || one.previous_address !== null)
}

function footText(report: Report): string[] {
  const { plan, createdAt, toolVersion } = report
  const unlisted = (plan?.changes.length ?? 0) - listedOf(report).length
  return [
    ...(unlisted === 0 ? [] : [`${counted(unlisted, 'unchanged resource')} not listed`]),
    `made ${createdAt} by iac ${toolVersion}`,
    ...(plan && plan.review !== '' ? [`review ${plan.review}`] : []),
  ]
}
