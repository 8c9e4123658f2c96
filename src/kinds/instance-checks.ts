// Rules of instances that need no call: the two shapes of the create body, and memberships declared twice.
import type { Peer, PeerProblem, Problem } from './definition/kind.ts'
import { mapOf } from './definition/live-fields.ts'
import { isGiven, isToken, knownList } from './definition/token.ts'

type Fields = Readonly<Record<string, unknown>>

const ofCustom = ['group', 'cpu', 'memory_bytes', 'storage', 'bandwidth'] as const
const neededByCustom = ['group', 'cpu', 'memory_bytes', 'storage'] as const

/** What is wrong within one instance. */
export function checkInstance(spec: Fields): Problem[] {
  return [...checkPlace(spec), ...checkType(spec), ...checkStorage(spec), ...checkProtection(spec), ...checkPower(spec)]
}

/** An instance keeps its `vpcs` itself or leaves them to VpcAttachments: each attachment to one that lists them is a problem. */
export function checkAttachments(peers: readonly Peer[]): PeerProblem[] {
  const listing = new Set(peers.filter((one) => one.kind === 'Instance' && isGiven(one.spec.vpcs)).map((one) => one.address))
  const problems: PeerProblem[] = []
  for (const { address, kind, spec } of peers) {
    if (kind !== 'VpcAttachment' || typeof spec.instance !== 'string' || !listing.has(spec.instance)) continue
    problems.push({
      address,
      path: ['instance'],
      message: `${spec.instance} lists its vpcs itself and would leave this one again`,
      hint: 'add the VPC to its vpcs, or remove vpcs and use VpcAttachments alone',
    })
  }
  return problems
}

function checkPlace({ region, node }: Fields): Problem[] {
  if (isGiven(region) && isGiven(node)) return [{ path: ['node'], message: 'region and node exclude each other', hint: 'a node stands in its region' }]
  return isGiven(region) || isGiven(node) ? [] : [{ path: ['region'], message: 'one of region and node is required' }]
}

function checkType(spec: Fields): Problem[] {
  if (spec.type === 'PLAN') {
    const strange = ofCustom.filter((name) => isGiven(spec[name]))
    const problems = strange.map((name) => ({ path: [name], message: `${name} belongs to type CUSTOM; with PLAN the plan says it` }))
    return isGiven(spec.plan) ? problems : [{ path: ['plan'], message: 'plan is required with type PLAN' }, ...problems]
  }
  if (spec.type !== 'CUSTOM') return []
  const missing = neededByCustom.filter((name) => !isGiven(spec[name]))
  const problems = missing.map((name) => ({ path: [name], message: `${name} is required with type CUSTOM` }))
  return isGiven(spec.plan) ? [{ path: ['plan'], message: 'plan belongs to type PLAN' }, ...problems] : problems
}

function checkStorage({ storage }: Fields): Problem[] {
  if (!Array.isArray(storage)) return []
  const boots = knownList(storage).map((entry) => (isToken(entry) ? entry : mapOf(entry)?.boot))
  if (boots.some(isToken) || boots.filter((boot) => boot === true).length === 1) return []
  return [{ path: ['storage'], message: 'exactly one entry of storage has boot true' }]
}

function checkProtection({ ips }: Fields): Problem[] {
  return knownList(ips).flatMap((entry, index) => {
    const { family, ddos } = mapOf(entry) ?? {}
    if (family !== 'IPv6' || ddos !== true) return []
    return [{ path: ['ips', index, 'ddos'], message: 'only an IPv4 address is protected against DDoS', hint: 'ddos: false' }]
  })
}

function checkPower({ power, start }: Fields): Problem[] {
  return power === 'ON' && start === false ? [{ path: ['start'], message: 'start: false contradicts power: ON' }] : []
}
