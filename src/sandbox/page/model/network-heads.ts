// What is told of networks: VPCs, the BGP session and its prefixes.
import type { HeadOf } from './details-parts.ts'
import { known, lines } from './details-parts.ts'
import { nameOfInstance } from './page-model.ts'
import { prefixState } from './state-words.ts'

/** By table. */
export const networkHeads: Readonly<Record<string, HeadOf>> = {
  vpcs(model, id) {
    const one = model.rows.vpcs.get(id)
    if (!one) return undefined
    const members = [...model.rows.memberships.values()].filter((member) => member.vpc_id === id)
    const facts = known([
      ['range', one.range],
      ['members', lines(members.map(({ instance_id, address }) => `${address} ${nameOfInstance(model, instance_id)}`)) || 'none'],
    ])
    return { kind: 'VPC', title: one.name, state: undefined, facts }
  },
  bgpConfigurations(model, id) {
    const one = model.rows.bgpConfigurations.get(id)
    if (!one) return undefined
    const facts = known([
      ['AS number', one.asn === null ? null : String(one.asn)],
      ['session with', nameOfInstance(model, one.instance_id)],
      ['prefixes', `at most ${one.max_prefixes}`],
    ])
    return { kind: 'BGP configuration', title: 'BGP', state: undefined, facts }
  },
  bgpPrefixes({ rows }, id) {
    const one = rows.bgpPrefixes.get(id)
    return one && { kind: 'BGP prefix', title: one.prefix, state: prefixState(one.enabled), facts: [['community', one.community.toLowerCase()]] }
  },
}
