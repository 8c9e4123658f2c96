// The changes of a plan on its page: in groups by what they cost, each with all that it does to its fields.
import type { Change } from '../../../../engine/model/plan-data.ts'
import type { Disruption } from '../../../../kinds/definition/fields.ts'
import { because, costsOf, costsText, placeText, symbolOf, verdict } from '../../plan/plan-block.ts'
import { counted } from '../../text/counted.ts'
import { markup } from '../../text/markup.ts'
import type { Report } from '../report.ts'
import type { FieldRow, Told } from './field-rows.ts'
import { fieldRows } from './field-rows.ts'

/** What costs most comes first. */
const groups = [
  ['data_loss', 'Data is lost'],
  ['address_loss', 'An address is lost'],
  ['interruption', 'Interrupted'],
  ['restart', 'Restarted'],
  ['none', 'Nothing is interrupted'],
] as const

/** So few are shown whole. */
const FEW = 8

export interface ChangeOptions {
  readonly declaredAt: Report['declaredAt']
  readonly replaceCostsOf: Report['replaceCostsOf']
  readonly told: (kind: string) => Told
}

/** Links to the groups in which something is lost or stands still. */
export function dangerLinks(changes: readonly Change[]): string[] {
  return groups.flatMap(([disruption, title]) => {
    const count = disruption === 'none' ? 0 : changes.filter((one) => one.disruption === disruption).length
    return count === 0 ? [] : [`<a class="danger" href="#${disruption}">${title}: ${count}</a>`]
  })
}

/** The groups that have anything in them; each change can be opened and closed. */
export function changeGroups(changes: readonly Change[], options: ChangeOptions): string[] {
  const isOpen = changes.length <= FEW
  return groups.flatMap(([disruption, title]) => {
    const within = changes.filter((one) => one.disruption === disruption)
    if (within.length === 0) return []
    const head = `<h3 id="${disruption}">${title} <span class="soft">${within.length}</span></h3>`
    return [
      `<section class="group" aria-labelledby="${disruption}">`,
      head,
      ...within.map((one) => changeText(one, { verb: verdict(one), costs: costsOf(one, options), isOpen }, options)),
      '</section>',
    ]
  })
}

/** What was changed outside of iac: recorded before, live after. */
export function driftText(change: Change, options: ChangeOptions): string {
  return changeText(change, { verb: change.action === 'delete' ? 'has been deleted' : 'has changed', costs: [], isOpen: false }, options)
}

interface Said {
  readonly verb: string
  readonly costs: readonly Disruption[]
  readonly isOpen: boolean
}

function changeText(change: Change, { verb, costs, isOpen }: Said, { declaredAt, told }: ChangeOptions): string {
  const { rows, unchanged } = fieldRows(change, told(change.kind))
  const words = costsText(costs)
  const danger = words === '' ? '' : ` <span class="danger">${words}</span>`
  const name = change.deposed ? `${change.address} (deposed object ${change.id ?? ''})` : change.address
  const symbol = symbolOf(change).trim()
  const mark = `<span class="mark">${symbol === '' ? '&#160;' : markup(symbol)}</span>`
  return [
    `<details class="change ${change.action}"${isOpen ? ' open' : ''}>`,
    `<summary>${mark} <code class="address">${markup(name)}</code> <span>${markup(verb)}</span>${danger}</summary>`,
    '<div class="inside">',
    ...aboutLines(change, declaredAt),
    ...(rows.length === 0 ? [] : [rowsTable(rows, `Fields of ${change.address}`)]),
    ...(unchanged === 0 ? [] : [`<p class="soft">${counted(unchanged, 'value')} unchanged</p>`]),
    '</div></details>',
  ].join('\n')
}

function aboutLines(change: Change, declaredAt: Report['declaredAt']): string[] {
  const place = change.deposed ? null : declaredAt(change.address)
  const facts = [
    ...because(change).map((one) => one.slice(1, -1)),
    placeText(change) ?? '',
    change.previous_address === null ? '' : `moved from ${change.previous_address}`,
    change.id === null ? '' : `id ${change.id}`,
    change.protected ? 'protected' : '',
    change.requires.length === 0 ? '' : `needs ${change.requires.join(', ')}`,
    place === null ? '' : `declared in ${place.file}:${place.line}`,
  ].filter((one) => one !== '')
  return facts.length === 0 ? [] : [`<p class="where">${facts.map(markup).join(' · ')}</p>`]
}

const sides = [
  { side: 'before', look: 'gone' },
  { side: 'after', look: 'made' },
] as const

/** Rows with their values before and after, a side that no row has left out; on a phone each row is a block of its own. */
export function rowsTable(rows: readonly FieldRow[], title: string): string {
  const used = sides.filter(({ side }) => rows.some((row) => row[side] !== undefined))
  const heads = ['field', ...used.map(({ side }) => side)].map((one) => `<th scope="col">${one}</th>`).join('')
  const lines = rows.map((row) => {
    const why = row.forces ? ' <span class="danger">forces replacement</span>' : ''
    const cells = used.map(({ side, look }) => cellText(row[side], side, look))
    return `<tr><th scope="row"><span class="field">${markup(row.field)}</span>${why}</th>${cells.join('')}</tr>`
  })
  return `<table><caption class="unseen">${markup(title)}</caption><thead><tr>${heads}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>`
}

function cellText(value: string | undefined, head: string, look: string): string {
  if (value === undefined) return '<td class="value"></td>'
  const text = markup(value)
  return `<td class="value ${look}" data-head="${head}">${value.includes('\n') ? `<pre tabindex="0">${text}</pre>` : text}</td>`
}
