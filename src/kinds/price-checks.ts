// Rules of rate cards that need no call: which qualifiers a type has, and entries that are declared twice.
import { instantMs } from '../base/instant.ts'
import type { Peer, PeerProblem, Problem } from './definition/kind.ts'
import { isGiven, isToken, knownText } from './definition/token.ts'

type Fields = Readonly<Record<string, unknown>>

/** What tells the cards of a type and region apart. */
export const qualifiers = ['service_group', 'cpu_model', 'storage_backing', 'direction', 'family', 'ddos'] as const

const typeOf: Readonly<Record<(typeof qualifiers)[number], string>> = {
  service_group: 'CPU',
  cpu_model: 'CPU',
  storage_backing: 'STORAGE',
  direction: 'BANDWIDTH',
  family: 'IP',
  ddos: 'IP',
}

/** What makes an entry: its card, and the instant from which on it is in force. */
export function priceKey(spec: Fields): string {
  return JSON.stringify(['type', 'region', ...qualifiers, 'effective_from'].map((name) => spec[name] ?? null))
}

/** What is no instant, and qualifiers of another type. */
export function checkPrice(spec: Fields): Problem[] {
  return [...checkInstant(spec), ...checkQualifiers(spec)]
}

function checkInstant({ effective_from }: Fields): Problem[] {
  const text = knownText(effective_from)
  if (text === undefined || !Number.isNaN(instantMs(text))) return []
  return [{ path: ['effective_from'], message: `"${text}" is no instant of ISO 8601, such as 2026-01-31T12:00:00Z` }]
}

function checkQualifiers(spec: Fields): Problem[] {
  const { type } = spec
  if (!isGiven(type) || isToken(type)) return []
  const strange = qualifiers.filter((name) => isGiven(spec[name]) && typeOf[name] !== type)
  return strange.map((name) => ({ path: [name], message: `${name} goes with type ${typeOf[name]} only` }))
}

/** Entries of one card from one instant on: which of them would be in force nobody could tell. */
export function checkPriceTwins(peers: readonly Peer[]): PeerProblem[] {
  const first = new Map<string, string>()
  const problems: PeerProblem[] = []
  for (const { address, kind, spec } of peers) {
    if (kind !== 'Price' || Object.values(spec).some(isToken)) continue
    const key = priceKey(spec)
    const other = first.get(key)
    if (other === undefined) first.set(key, address)
    else problems.push({ address, path: ['effective_from'], message: `${other} is of the same rate card, from the same instant on` })
  }
  return problems
}
