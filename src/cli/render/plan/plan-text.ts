// A plan for people, in OpenTofu's symbols and words.
import { compareAddresses } from '../../../base/address.ts'
import { sizeText } from '../../../base/units.ts'
import type { Change, Cost, Plan } from '../../../engine/model/plan-data.ts'
import { withoutVerdicts } from '../text/foreign-verdicts.ts'
import { moneyText } from '../text/money-text.ts'
import { safeLine } from '../text/sanitise.ts'
import { attributeLines } from './attribute-lines.ts'
import { outputChanges } from './output-changes.ts'
import type { BlockOptions } from './plan-block.ts'
import { changeBlock, driftBlock, symbolOf } from './plan-block.ts'
import { hasChanges, planSentence } from './plan-counts.ts'
import { plannedDrift } from './plan-drift.ts'
import { ownWords } from './plan-words.ts'
import { newStateLines, noEnvironmentLines } from './state-lines.ts'

export interface PlanTextOptions extends BlockOptions {
  /** The project that it is for; not known of a saved plan. */
  readonly project?: Parameters<typeof noEnvironmentLines>[0] | undefined
  /** Whether every quota that the plan touches is shown, not only one that is nearly used up. */
  readonly verbose?: boolean | undefined
}

/** Beyond this share of its limit a quota is worth a line. */
const NEARLY_USED = 0.8

const legend: readonly (readonly [string, string])[] = [
  ['+', 'create'],
  ['~', 'update in-place'],
  ['-', 'destroy'],
  ['-/+', 'destroy and then create replacement'],
  ['+/-', 'create replacement and then destroy'],
  ['<=', 'import'],
  ['.', 'forget'],
]

/** The whole text, ending with the summary line; diagnostics are not in it. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const { palette, words = ownWords } = options
  const outputs = outputSection(plan, options)
  const last = [palette.bold(planTitle(plan, outputs.length > 0, words))]
  // Readers take the first of the two for what the plan comes to.
  const isBehind = words.isStrict && hasChanges(plan.changes)
  const sections = [
    options.project ? noEnvironmentLines(options.project, palette) : [],
    options.project ? newStateLines(options.project, plan, palette) : [],
    driftSection(plannedDrift(plan), options),
    changeSection(plan.changes, options),
    isBehind ? [] : outputs,
    hasChanges(plan.changes) ? [...workspaceLines(plan), ...costLines(plan.cost)] : [],
    quotaLines(plan, options),
    last,
    isBehind ? outputs : [],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${words.isStrict && lines !== last ? withoutVerdicts(lines.join('\n')) : lines.join('\n')}\n`)
    .join('\n')
}

/** What a plan comes to, in one sentence. */
export function planTitle(plan: Plan, changesOutputs: boolean, words = ownWords): string {
  if (hasChanges(plan.changes)) return planSentence(plan.summary)
  if (plan.diagnostics.some((one) => one.severity === 'error')) return words.failed
  const leftOut = plan.left_out?.length ?? 0
  if (plan.mode === 'refresh-only') {
    if ((plan.drift ?? []).length > 0 || changesOutputs) return words.refreshAlone
    if (leftOut > 0) return words.noneRecorded(leftOut)
    return plan.state.lineage === null && recordedIn(plan.changes).length === 0 ? words.nothingToRefresh : words.nothingToRecord
  }
  if (changesOutputs) return words.outputsAlone
  if (plan.lifted) return words.liftsAlone
  if (plan.mode === 'destroy') return words.nothingDestroyed(recordedIn(plan.changes))
  return leftOut > 0 ? words.noneSelected(leftOut) : words.noChanges
}

function recordedIn(changes: readonly Change[]): readonly string[] {
  const recorded = inOrder(changes).filter((one) => one.id !== null)
  return [...new Set(recorded.map((one) => safeLine(one.address)))]
}

/** What others changed, without the rest of a plan. */
export function driftSection(drift: readonly Change[], options: BlockOptions): string[] {
  if (drift.length === 0) return []
  const blocks = inOrder(drift).flatMap((change) => [''].concat(driftBlock(change, options)))
  const { palette, words = ownWords } = options
  return [palette.bold(words.drifted), '', words.driftedIntro, ...blocks, ...(words.driftedEnd === '' ? [] : ['', words.driftedEnd])]
}

function changeSection(changes: readonly Change[], options: BlockOptions): string[] {
  const shown = inOrder(changes.filter((one) => one.action !== 'no-op' || one.previous_address !== null))
  if (shown.length === 0) return []
  const used = new Set(shown.map(symbolOf))
  const symbols = legend.filter(([symbol]) => used.has(symbol)).map(([symbol, meaning]) => `${symbol.padStart(3)} ${meaning}`)
  const head = symbols.length === 0 ? [] : ['Resource actions are indicated with the following symbols:', ...symbols, '']
  return [...head, (options.words ?? ownWords).perform, ...shown.flatMap((change) => [''].concat(changeBlock(change, options)))]
}

/** Changes by their addresses, an old half behind what takes its place. */
export function inOrder(changes: readonly Change[]): readonly Change[] {
  return changes.toSorted((a, b) => compareAddresses(a.address, b.address) || Number(a.deposed) - Number(b.deposed))
}

function outputSection(plan: Plan, { palette }: PlanTextOptions): string[] {
  const lines = attributeLines({ ...outputChanges(plan), touched: [], forcing: [], palette }, 2)
  return lines.length === 0 ? [] : [palette.bold('Changes to Outputs:'), ...lines]
}

/** The price before and after, and what it leaves out. */
export function costLines(cost: Cost | null): string[] {
  if (cost === null) return []
  const [before, after] = [BigInt(cost.monthly_before), BigInt(cost.monthly_after)]
  const hourly = BigInt(cost.hourly_after) - BigInt(cost.hourly_before)
  const unpriced = cost.unpriced.length === 0 ? [] : [`Not in the price: ${cost.unpriced.map(safeLine).join(', ')}`]
  if (before === 0n && after === 0n) return unpriced
  if (before === after) return [`Price: ${moneyText(after)} USD a month, unchanged.`, ...unpriced]
  const sign = after > before ? '+' : ''
  return [
    `Price: ${moneyText(before)} -> ${moneyText(after)} USD a month (${sign}${moneyText(after - before)} a month, ${sign}${moneyText(hourly, 4)} an hour).`,
    ...unpriced,
  ]
}

function quotaLines({ quota, workspaces }: Plan, { verbose }: PlanTextOptions): string[] {
  const shown = (quota ?? []).filter((one) => verbose === true || one.exceeded || one.after > one.limit * NEARLY_USED)
  return shown.map(({ name, used, after, limit, workspace, exceeded }) => {
    const amount = (value: number): string => (name.endsWith('_bytes') ? sizeText(value) : String(value))
    const place = workspaceText(workspace, workspaces)
    return `Quota: ${safeLine(name)} ${amount(used)} -> ${amount(after)} of ${amount(limit)} in workspace ${place}${exceeded ? ', exceeded' : ''}`
  })
}

function workspaceLines({ only_workspace: only, workspaces }: Plan): string[] {
  return only === undefined ? [] : [`Workspace: ${workspaceText(only, workspaces)}, the only one that the caller sees.`]
}

function workspaceText(id: string, names: Plan['workspaces'] = {}): string {
  const name = Object.hasOwn(names, id) ? names[id] : undefined
  return name === undefined ? safeLine(id) : `${safeLine(name)} (${safeLine(id)})`
}
