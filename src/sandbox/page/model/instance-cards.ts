// The cards of instances, each with what belongs to it: addresses, disks, firewall, apps, DHCP.
import type { RowOf } from '../view-wire.ts'
import type { Card, CardLine } from './map-parts.ts'
import { line, shortened } from './map-parts.ts'
import type { PageModel } from './page-model.ts'
import { grouped, isFloating, within } from './page-model.ts'
import { countText, sizeText } from './plain-text.ts'
import { instanceState, stateWord } from './state-words.ts'

type Instance = RowOf<'instances'>
type Memberships = ReadonlyMap<string, readonly RowOf<'memberships'>[]>

/** Makes the cards of a workspace's instances; what belongs to them is grouped once. */
export function instanceCards(model: PageModel, workspace: string, ofInstance: Memberships): (one: Instance, home: string | undefined) => Card {
  const { rows } = model
  const ips = grouped(within(rows.ips, workspace), (one) => one.instance_id)
  const disks = grouped(within(rows.disks, workspace), (one) => (one.boot ? null : one.instance_id))
  const rules = grouped(within(rows.firewallRules, workspace), (one) => one.instance_id)
  const apps = grouped(within(rows.apps, workspace), (one) => one.instance_id)
  const dhcp = grouped(rows.dhcpSettings.values(), (one) => one.instance_id)
  return (one, home) => {
    const addresses = (ips.get(one.id) ?? []).toSorted((a, b) => Number(isFloating(b)) - Number(isFloating(a)))
    const guarded = rules.get(one.id)?.length ?? 0
    const lines: CardLine[] = [
      ...(ofInstance.get(one.id) ?? []).filter((member) => member.vpc_id === home).map(({ address }) => line('network', address)),
      ...addresses.map((ip) => line('address', isFloating(ip) ? `${ip.address} floating` : ip.address)),
      ...(disks.get(one.id) ?? []).map(({ name, size_bytes }) => line('disk', `${name} ${sizeText(size_bytes)}`)),
      ...(guarded > 0 || one.firewall_enabled ? [line('firewall', guarded === 0 ? 'firewall on' : countText(guarded, 'firewall rule'))] : []),
      ...(apps.get(one.id) ?? []).map(({ name, state }) => line('app', state === 'AVAILABLE' ? name : `${name} ${stateWord(state).word}`)),
      ...(dhcp.get(one.id) ?? []).map((settings) => line('dhcp', `DHCP ${dhcpWords(model, settings)}`)),
    ]
    const plan = rows.plans.get(one.plan_id ?? '')?.name
    return { key: `instances/${one.id}`, title: one.name, state: instanceState(one), side: plan ?? `${one.cpu} cpu`, lines: shortened(lines) }
  }
}

/** DHCP settings in words: the addresses that they give, or whether they give any. */
export function dhcpWords({ rows }: PageModel, { enabled, v4, v6 }: RowOf<'dhcpSettings'>): string {
  const addresses = [v4, v6].flatMap((id) => rows.ips.get(id ?? '')?.address ?? [])
  return !enabled ? 'off' : addresses.length === 0 ? 'automatic' : addresses.join(', ')
}
