// What is told of the thing that was selected on the map: its facts, the rules of its firewall, its workflows.
import type { RowOf } from '../view-wire.ts'
import { accessHeads } from './access-heads.ts'
import { clusterHeads } from './cluster-heads.ts'
import type { Facts, Head, HeadOf } from './details-parts.ts'
import { machineHeads } from './machine-heads.ts'
import { networkHeads } from './network-heads.ts'
import type { PageModel } from './page-model.ts'
import { dollarText, timeText, wordsOfName } from './plain-text.ts'
import { workflowState } from './state-words.ts'

/** A line of the firewall's table; the highest priority comes first, as it is evaluated. */
export interface RuleLine {
  readonly key: string
  readonly priority: string
  readonly action: string
  readonly protocol: string
  readonly ports: string
  readonly from: string
  readonly about: string
}

/** The details of one thing. */
export interface Details extends Head {
  readonly key: string
  /** Only instances have a firewall; `rest` is what becomes of all else. */
  readonly firewall: { readonly rules: readonly RuleLine[]; readonly rest: string } | undefined
  readonly workflows: readonly string[]
}

const heads: Readonly<Record<string, HeadOf>> = { ...machineHeads, ...networkHeads, ...clusterHeads, ...accessHeads }

/** The details of what a key names; undefined when it is no longer there. */
export function detailsOf(model: PageModel, key: string): Details | undefined {
  const [table = '', id = ''] = key.split('/')
  const { rows, money } = model
  const member = table === 'memberships' ? rows.memberships.get(id) : undefined
  if (member) return detailsOf(model, `instances/${member.instance_id}`)
  const head = heads[table]?.(model, id)
  if (!head) return undefined
  const price = money.prices[id]
  const priced: Facts = price === undefined ? [] : [['price', `${dollarText(price, 4)} an hour`]]
  const about = [...rows.workflows.values()].filter((one) => one.subject.table === table && one.subject.id === id)
  const newest = about.toSorted((a, b) => b.queued_at_ms - a.queued_at_ms).slice(0, 5)
  return {
    key,
    ...head,
    facts: [...head.facts, ...priced, ['id', id]],
    firewall: table === 'instances' ? firewallOf(model, id) : undefined,
    workflows: newest.map((one) => `${timeText(one.queued_at_ms)} ${wordsOfName(one.operation)}: ${workflowState(one.state).word}`),
  }
}

function firewallOf(model: PageModel, instance: string): Details['firewall'] {
  const rules = rulesOf(model, instance)
  if (model.rows.instances.get(instance)?.firewall_enabled === false) return { rules, rest: 'The firewall is off: everything passes.' }
  return { rules, rest: rules.length === 0 ? 'No rules: everything passes.' : 'Everything else is dropped.' }
}

function rulesOf({ rows }: PageModel, instance: string): readonly RuleLine[] {
  const rules = [...rows.firewallRules.values()].filter((one) => one.instance_id === instance)
  return rules
    .toSorted((a, b) => b.priority - a.priority)
    .map((one) => ({
      key: one.id,
      priority: String(one.priority),
      action: one.action.toLowerCase(),
      protocol: `${one.protocol} ${one.type}`,
      ports: portsOf(one),
      from: one.remote,
      about: one.description ?? '',
    }))
}

function portsOf({ port_start, port_end }: RowOf<'firewallRules'>): string {
  if (port_start === null) return 'all'
  return port_end === null || port_end === port_start ? String(port_start) : `${port_start}–${port_end}`
}
