// Rules about firewall rules: what the service refuses, twins, and warnings about an instance that would be cut off.
import { parseAddress } from '../base/address.ts'
import { normaliseCidr, parseCidr } from '../base/cidr.ts'
import type { Cidr } from '../base/cidr.ts'
import type { Peer, PeerProblem, Problem } from './definition/kind.ts'
import { groupBy } from './definition/live-fields.ts'
import { isGiven, isToken, knownText } from './definition/token.ts'
import { findShadowed } from './firewall-rule-shadows.ts'
import type { Rule } from './firewall-rule-shadows.ts'

type Fields = Readonly<Record<string, unknown>>

/** The network that means every source, by family. */
export const everywhere = { IPv4: '0.0.0.0/0', IPv6: '::/0' } as const

const matching = ['type', 'protocol', 'action', 'port_start', 'port_end', 'remote', 'local', 'bps_limit', 'pps_limit', 'priority'] as const

/** What tells one rule from another, so that a rule of which some of it is not known is not judged. */
const telling = [...matching, 'instance', 'description'] as const

/** What every rule has; one without is not sound, and equal to none. */
const identifying = ['instance', 'type', 'protocol', 'action'] as const

/** Whether a network is all of its family. */
export function isEverywhere(network: string | null | undefined): boolean {
  const known = network ? normaliseCidr(network) : undefined
  return known === everywhere.IPv4 || known === everywhere.IPv6
}

/** The whole rule as one text, defaults and spellings made equal. */
export function ruleKey(rule: Fields): string {
  const { type, protocol, action, port_start, port_end, remote, local, bps_limit, pps_limit, priority, description } = rule
  const end = port_end === port_start ? null : port_end
  const key = [
    rule.instance,
    type,
    protocol,
    action,
    port_start,
    end,
    networkKey(remote),
    networkKey(local),
    bps_limit,
    pps_limit,
    priority ?? 1,
    description || null,
  ]
  return JSON.stringify(key.map((value) => value ?? null))
}

function networkKey(network: unknown): string | null {
  return typeof network !== 'string' || isEverywhere(network) ? null : (normaliseCidr(network) ?? network)
}

/** Whether a rule lets somebody in at TCP 22; what is not known does not. */
export function admitsSsh(rule: Fields): boolean {
  const ports = portsOf(rule)
  return rule.action === 'ACCEPT' && rule.protocol === 'TCP' && ports !== undefined && ports.first <= 22 && ports.last >= 22
}

/** What is wrong within one rule. */
export function checkRule(rule: Fields): Problem[] {
  const { type, protocol, port_start, port_end, bps_limit, pps_limit } = rule
  const problems: Problem[] = []
  if (isGiven(bps_limit) && isGiven(pps_limit)) problems.push({ path: ['pps_limit'], message: 'bps_limit and pps_limit exclude each other' })
  if (protocol === 'ICMP' && (isGiven(port_start) || isGiven(port_end))) {
    problems.push({ path: [isGiven(port_start) ? 'port_start' : 'port_end'], message: 'ICMP has no ports' })
  }
  if (isGiven(port_end) && !isGiven(port_start)) problems.push({ path: ['port_end'], message: 'port_end needs port_start' })
  if (typeof port_start === 'number' && typeof port_end === 'number' && port_end < port_start) {
    problems.push({ path: ['port_end'], message: `port_end ${port_end} is below port_start ${port_start}` })
  }
  return [...problems, ...checkNetwork('remote', rule.remote, type), ...checkNetwork('local', rule.local, type)]
}

/** Two rules of one instance that are the same. */
export function checkTwins(peers: readonly Peer[]): PeerProblem[] {
  const first = new Map<string, string>()
  const problems: PeerProblem[] = []
  for (const { address, spec, kind } of peers) {
    if (kind !== 'FirewallRule' || telling.some((name) => isToken(spec[name]))) continue
    if (identifying.some((name) => !isGiven(spec[name]))) continue
    const key = ruleKey(spec)
    const twin = first.get(key)
    if (twin === undefined) first.set(key, address)
    else problems.push({ address, path: [], message: `the same rule as ${twin}, on the same instance` })
  }
  return problems
}

/** Warnings by instance: nothing lets SSH in, nothing lets answers in, a rule that never decides. */
export function adviseRules(peers: readonly Peer[]): PeerProblem[] {
  const off = new Set(peers.filter((one) => one.kind === 'Instance' && one.spec.firewall_enabled === false).map((one) => one.address))
  const rules = peers.filter((one) => one.kind === 'FirewallRule' && typeof one.spec.instance === 'string')
  const problems: PeerProblem[] = []
  for (const [instance, own] of groupBy(rules, (one) => String(one.spec.instance))) {
    const known = own.flatMap(readRule)
    if (!off.has(instance) && known.length === own.length) problems.push(...adviseReach(instance, known))
    problems.push(...findShadowed(known))
  }
  return problems
}

function checkNetwork(name: string, network: unknown, type: unknown): Problem[] {
  const text = knownText(network)
  if (text === undefined) return []
  const parsed = parseCidr(normaliseCidr(text) ?? '')
  if (!parsed) return [{ path: [name], message: `"${text}" is not a network in CIDR form` }]
  if ((type !== 'IPv4' && type !== 'IPv6') || type === `IPv${parsed.family}`) return []
  return [{ path: [name], message: `${text} is IPv${parsed.family}, the rule is ${type}` }]
}

function adviseReach(instance: string, rules: readonly Rule[]): PeerProblem[] {
  const accepting = rules.filter((rule) => rule.action === 'ACCEPT')
  const [one] = rules
  if (!one) return []
  const problems: PeerProblem[] = []
  // What lacks the same at many instances is told once, with their addresses.
  const at = { address: one.address, path: ['instance'], ...(parseAddress(instance) && { of: instance }) }
  if (!accepting.some((rule) => rule.protocol === 'TCP' && rule.first <= 22 && rule.last >= 22)) {
    problems.push({ ...at, message: `no rule of ${instance} accepts TCP 22: SSH will be dropped` })
  }
  const deaf = ['TCP', 'UDP'].filter((protocol) => !coversReturn(accepting.filter((rule) => rule.protocol === protocol)))
  if (deaf.length === 0) return problems
  const message = `no rule of ${instance} accepts return traffic over ${deaf.join(' or ')}: rules are stateless`
  return [...problems, { ...at, message, hint: 'accept ports 1024 to 65535 for the answers to its own connections' }]
}

function coversReturn(rules: readonly Rule[]): boolean {
  let next = 1024
  for (const { first, last } of rules.toSorted((a, b) => a.first - b.first)) if (first <= next) next = Math.max(next, last + 1)
  return next > 65535
}

function readRule({ address, spec }: Peer): Rule[] {
  const { type, protocol, action, priority = 1, remote, local } = spec
  const ports = portsOf(spec)
  if ((type !== 'IPv4' && type !== 'IPv6') || typeof protocol !== 'string' || typeof action !== 'string' || typeof priority !== 'number' || !ports) return []
  const from = networkOf(remote, type)
  const to = networkOf(local, type)
  if (matching.some((name) => isToken(spec[name])) || !from || !to) return []
  const limited = isGiven(spec.bps_limit) || isGiven(spec.pps_limit)
  return [{ address, type, protocol, action, priority, remote: from, local: to, ...ports, limited }]
}

/** The same in bits; parsing the second takes longer than all else that is done at start-up here. */
const whole: Readonly<Record<keyof typeof everywhere, Cidr>> = { IPv4: { family: 4, bits: 0n, prefix: 0 }, IPv6: { family: 6, bits: 0n, prefix: 0 } }

function networkOf(network: unknown, type: keyof typeof whole): Cidr | undefined {
  return isGiven(network) ? parseCidr(normaliseCidr(String(network)) ?? '') : whole[type]
}

/** The ports a rule matches, all of them where it names none; undefined where that is not known. */
function portsOf({ port_start, port_end }: Fields): { readonly first: number; readonly last: number } | undefined {
  if (!isGiven(port_start) && !isGiven(port_end)) return { first: 1, last: 65535 }
  const last = isGiven(port_end) ? port_end : port_start
  return typeof port_start === 'number' && typeof last === 'number' ? { first: port_start, last } : undefined
}
