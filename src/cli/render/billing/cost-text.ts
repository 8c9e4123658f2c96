// What the resources of a plan cost, for people.
import type { Cost, CostRow } from '../../../engine/model/plan-data.ts'
import { moneyText } from '../text/money-text.ts'
import type { Palette } from '../text/palette.ts'
import { safeLine } from '../text/sanitise.ts'
import { tableText } from '../text/tables.ts'

const HOURLY_DECIMALS = 6
const amounts = ['hourly before', 'hourly after', 'monthly before', 'monthly after']

/** A row for each resource with a price, what has none and why, and the total in US dollars. */
export function costText(cost: Cost, rows: readonly CostRow[], { bold }: Pick<Palette, 'bold'>): string {
  const priced = rows.filter((one) => one.hourly_before !== null || one.hourly_after !== null)
  const cells = priced.map((one) => [
    one.address,
    amountText(one.hourly_before, HOURLY_DECIMALS),
    amountText(one.hourly_after, HOURLY_DECIMALS),
    amountText(one.monthly_before),
    amountText(one.monthly_after),
  ])
  const unpriced = rows.flatMap(({ address, unpriced: why }) => (why === null ? [] : [`  ${safeLine(address)}: ${safeLine(why)}`]))
  const sections = [
    tableText(['address', ...amounts], cells, amounts),
    unpriced.length === 0 ? '' : `Not priced, or not for itself:\n${unpriced.join('\n')}\n`,
    `${bold(totalLine(cost))}\n`,
  ]
  return sections.filter((one) => one !== '').join('\n')
}

function amountText(microUsd: string | null, decimals = 2): string {
  return microUsd === null ? '-' : moneyText(BigInt(microUsd), decimals)
}

function totalLine(cost: Cost): string {
  const [before, after, hourlyBefore, hourlyAfter] = [cost.monthly_before, cost.monthly_after, cost.hourly_before, cost.hourly_after].map(BigInt)
  if (before === undefined || after === undefined || hourlyBefore === undefined || hourlyAfter === undefined) return ''
  if (before === after) return `Total: ${moneyText(after)} USD a month, ${moneyText(hourlyAfter, HOURLY_DECIMALS)} an hour; as what is live.`
  const sign = after > before ? '+' : ''
  const difference = `${sign}${moneyText(after - before)} a month, ${sign}${moneyText(hourlyAfter - hourlyBefore, HOURLY_DECIMALS)} an hour`
  return `Total: ${moneyText(before)} -> ${moneyText(after)} USD a month (${difference}).`
}
