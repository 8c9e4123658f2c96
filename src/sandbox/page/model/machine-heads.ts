// What is told of machines and what is attached to them: instances, disks, addresses, recipes, dedicated servers.
import type { RowOf } from '../view-wire.ts'
import type { Facts, HeadOf } from './details-parts.ts'
import { known, lines } from './details-parts.ts'
import { dhcpWords } from './instance-cards.ts'
import type { PageModel } from './page-model.ts'
import { isFloating, nameOfInstance } from './page-model.ts'
import { sizeText } from './plain-text.ts'
import { instanceState, powerState, stateWord } from './state-words.ts'

/** By table. */
export const machineHeads: Readonly<Record<string, HeadOf>> = {
  instances(model, id) {
    const one = model.rows.instances.get(id)
    return one && { kind: 'instance', title: one.name, state: instanceState(one), facts: instanceFacts(model, one) }
  },
  disks(model, id) {
    const one = model.rows.disks.get(id)
    if (!one) return undefined
    const facts = known([
      ['size', sizeText(one.size_bytes)],
      ['attached to', nameOfInstance(model, one.instance_id)],
    ])
    return { kind: 'disk', title: one.name, state: stateWord(one.state), facts }
  },
  ips(model, id) {
    const one = model.rows.ips.get(id)
    if (!one) return undefined
    const facts = known([
      ['dns', one.dns],
      ['attached to', nameOfInstance(model, one.instance_id)],
    ])
    return { kind: isFloating(one) ? 'floating IP' : 'address', title: one.address, state: stateWord(one.state), facts }
  },
  recipes({ rows }, id) {
    const one = rows.recipes.get(id)
    return one && { kind: 'recipe', title: one.name, state: undefined, facts: [['category', one.category.toLowerCase()]] }
  },
  dediboxes({ rows }, id) {
    const one = rows.dediboxes.get(id)
    if (!one) return undefined
    const ips = [...rows.dediboxIps.values()].filter((ip) => ip.dedibox_id === id)
    const facts = known([
      ['plan', rows.plans.get(one.plan_id)?.name],
      ['region', one.region],
      ['addresses', lines(ips.map((ip) => ip.address))],
    ])
    return { kind: 'dedicated server', title: one.name, state: powerState(one.online), facts }
  },
}

function instanceFacts(model: PageModel, one: RowOf<'instances'>): Facts {
  const { rows } = model
  const ours = <R extends { readonly instance_id: string | null }>(table: ReadonlyMap<string, R>, words: (row: R) => string): string =>
    lines([...table.values()].filter((row) => row.instance_id === one.id).map(words))
  return known([
    ['plan', rows.plans.get(one.plan_id ?? '')?.name],
    ['size', `${one.cpu} cpu · ${sizeText(one.memory_bytes)}`],
    ['region', one.region],
    ['system', one.os_name],
    ['addresses', ours(rows.ips, (ip) => `${ip.address}${isFloating(ip) ? ' (floating)' : ''}${ip.dns === null ? '' : ` ${ip.dns}`}`)],
    ['DHCP', ours(rows.dhcpSettings, (settings) => dhcpWords(model, settings))],
    ['disks', ours(rows.disks, ({ name, size_bytes, boot }) => `${name} ${sizeText(size_bytes)}${boot ? ' (boot)' : ''}`)],
    ['networks', ours(rows.memberships, ({ vpc_id, address }) => `${rows.vpcs.get(vpc_id)?.name ?? vpc_id} ${address}`)],
    ['SSH keys', ours(rows.installedKeys, ({ keys }) => lines(keys.map(({ name }) => name)))],
    ['apps', ours(rows.apps, ({ name, image, domain, state }) => [name, image, domain ?? '', stateWord(state).word].filter((word) => word !== '').join(' '))],
  ])
}
