// Rules of apps that need no call: the domain, also against a template that is declared beside them, and placeholders.
import { hostname } from '../api/routes/fields.ts'
import { placeholderProblems } from './app-template-checks.ts'
import type { Peer, PeerProblem, Problem } from './definition/kind.ts'
import { mapOf } from './definition/live-fields.ts'
import { holdsToken, isGiven, knownList, knownText } from './definition/token.ts'

type Fields = Readonly<Record<string, unknown>>

const CLOSED = 'the template has no port with http true that a domain could lead to'

/** What is wrong within one app, whatever its template; of the environment nothing is quoted, since it may hold secrets. */
export function checkApp({ domain, environment }: Fields): Problem[] {
  const name = knownText(domain)
  const isStrange = name !== undefined && !hostname.safeParse(name).success
  const placeholders = Object.entries(mapOf(environment) ?? {}).flatMap(([key, value]) =>
    placeholderProblems(value, undefined).map((message): Problem => ({ path: ['environment', key], message, safe: true })),
  )
  return [...(isStrange ? [{ path: ['domain'], message: `"${name}" is no full domain`, hint: 'such as shop.example.com' }] : []), ...placeholders]
}

/** Domains of apps whose template, declared beside them, has no port that one could lead to. */
export function checkAppTemplates(peers: readonly Peer[]): PeerProblem[] {
  const closed = new Set(peers.flatMap((one) => (one.kind === 'AppTemplate' && !hasOpenPort(one.spec) ? [one.address] : [])))
  return peers.flatMap(({ address, kind, spec }) => {
    if (kind !== 'App' || !isGiven(spec['domain']) || !closed.has(knownText(spec['template_id']) ?? '')) return []
    return [{ address, path: ['domain'], message: CLOSED }]
  })
}

/** What a deployment would be refused for by a template as it is there; an environment that is there and undefined is not known yet. */
export function unmetBy(
  app: Fields,
  { environment, ports }: { readonly environment?: readonly Fields[] | null | undefined; readonly ports?: readonly Fields[] | null | undefined },
): Problem[] {
  const given = mapOf(app['environment'])
  const isUnknown = Object.hasOwn(app, 'environment') && given === undefined
  // "null means the user must supply it at deploy time"
  const lacking = isUnknown
    ? []
    : (environment ?? []).flatMap(({ key, value }) => (value === null && typeof key === 'string' && !Object.hasOwn(given ?? {}, key) ? [key] : []))
  const isClosed = isGiven(app['domain']) && ports?.every((port) => port['http'] !== true) === true
  return [
    ...lacking.map((key) => ({
      path: ['environment'],
      message: `the template has no value for ${key}, and the app gives none`,
      hint: `write ${key} into its environment`,
    })),
    ...(isClosed ? [{ path: ['domain'], message: CLOSED }] : []),
  ]
}

/** Whether a template has such a port, or may have. */
function hasOpenPort({ ports }: Fields): boolean {
  return holdsToken(ports) || knownList(ports).some((port) => mapOf(port)?.['http'] === true)
}
