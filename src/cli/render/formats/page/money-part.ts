// Price and limits on a plan's page, before and after.
import type { Cost, QuotaUse } from '../../../../engine/model/plan-data.ts'
import { amountText } from '../../billing/quota-text.ts'
import { markup } from '../../text/markup.ts'
import { moneyText } from '../../text/money-text.ts'

const HOURLY_DECIMALS = 4
const NEARLY_USED = 0.8
const ALL_USED = 0.999

/** A table of the totals, and what has no price; nothing where no price was asked for. */
export function priceLines(cost: Cost | null): string[] {
  if (cost === null) return []
  const rows = [priceRow('a month', cost.monthly_before, cost.monthly_after, 2), priceRow('an hour', cost.hourly_before, cost.hourly_after, HOURLY_DECIMALS)]
  const unpriced = cost.unpriced.length === 0 ? [] : [`<p class="soft">Not in the price: ${cost.unpriced.map(markup).join(', ')}</p>`]
  return [`<div class="panel">`, tableText(`What it costs in ${cost.currency}`, [cost.currency, 'before', 'after', 'difference'], rows), ...unpriced, '</div>']
}

function priceRow(name: string, before: string, after: string, decimals: number): string {
  const difference = BigInt(after) - BigInt(before)
  const cells = [BigInt(before), BigInt(after), difference].map((amount) => moneyText(amount, decimals))
  return rowText(name, ['before', 'after', 'difference'], [...cells.slice(0, 2), `${difference > 0n ? '+' : ''}${cells[2] ?? ''}`])
}

/** A table of the limits that the plan touches, those that it exceeds first. */
export function quotaLines(quota: readonly QuotaUse[]): string[] {
  if (quota.length === 0) return []
  const heads = ['before', 'after', 'of', 'used']
  const rows = quota
    .toSorted((a, b) => Number(b.exceeded) - Number(a.exceeded))
    .map((one) => {
      const amounts = [one.used, one.after, one.limit].map((amount) => amountText(one.name, amount, ''))
      const over = one.exceeded ? ' <span class="danger">exceeded</span>' : ''
      const bar = meterText(one)
      return rowText(`${markup(one.name)} <span class="soft">in workspace ${markup(one.workspace)}</span>${over}`, heads, [...amounts.map(markup), bar])
    })
  return ['<div class="panel">', tableText('Limits', ['limit', ...heads], rows), '</div>']
}

/** Green, then yellow where it is nearly used up, then red. */
function meterText({ name, after, limit }: QuotaUse): string {
  const most = Math.max(1, limit)
  const bounds = `min="0" max="${most}" low="${most * NEARLY_USED}" high="${most * ALL_USED}" optimum="0"`
  return `<meter ${bounds} value="${Math.min(after, most)}" aria-label="${markup(name)}"></meter>`
}

/** `name` and `cells` are markup. */
function rowText(name: string, heads: readonly string[], cells: readonly string[]): string {
  return `<tr><th scope="row">${name}</th>${cells.map((cell, at) => `<td data-head="${heads[at] ?? ''}">${cell}</td>`).join('')}</tr>`
}

function tableText(title: string, heads: readonly string[], rows: readonly string[]): string {
  const head = heads.map((one) => `<th scope="col">${one}</th>`).join('')
  return `<table class="numbers"><caption class="unseen">${markup(title)}</caption><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}
