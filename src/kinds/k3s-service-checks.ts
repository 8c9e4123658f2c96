// Rules of services that need no call: replicas, and ports of an instance that two services want.
import type { Peer, PeerProblem, Problem } from './kind.ts'
import { mapOf } from './live-fields.ts'
import { isGiven, isToken, knownList } from './token.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is wrong within one service. */
export function checkService({ mode, replicas, image, ports }: Fields): Problem[] {
  const problems: Problem[] = []
  if (mode === 'PINNED' && isGiven(replicas)) problems.push({ path: ['replicas'], message: 'replicas goes with mode SPREAD only' })
  if (typeof image === 'string' && !isToken(image) && !hasTag(image)) {
    problems.push({ path: ['image'], message: `"${image}" has no tag`, hint: 'write it with its tag, as in nginx:1.29' })
  }
  const seen = new Set<string>()
  for (const [index, port] of portsOf(ports).entries()) {
    if (port === undefined) continue
    if (seen.has(port)) problems.push({ path: ['ports', index, 'host_port'], message: `host port ${port} is there twice` })
    seen.add(port)
  }
  return problems
}

/** Services that want the same port of the same instance. */
export function checkHostPorts(peers: readonly Peer[]): PeerProblem[] {
  const taken = new Map<string, string>()
  const problems: PeerProblem[] = []
  for (const { address, kind, spec } of peers) {
    if (kind !== 'K3sService') continue
    for (const instance of new Set(knownList(spec.target_instances))) {
      for (const [index, port] of portsOf(spec.ports).entries()) {
        if (port === undefined || isToken(instance)) continue
        const key = JSON.stringify([instance, port])
        const owner = taken.get(key)
        if (owner === undefined) taken.set(key, address)
        else if (owner !== address)
          problems.push({ address, path: ['ports', index, 'host_port'], message: `${owner} has ${port} of ${String(instance)} already` })
      }
    }
  }
  return problems
}

/** `8080/TCP` for each port, undefined where it is not known. */
function portsOf(ports: unknown): (string | undefined)[] {
  return knownList(ports).map((entry) => {
    const { host_port, protocol } = mapOf(entry) ?? {}
    return typeof host_port === 'number' && (protocol === 'TCP' || protocol === 'UDP') ? `${host_port}/${protocol}` : undefined
  })
}

/** The tag stands behind the last colon after the last slash; a digest may follow it. */
function hasTag(image: string): boolean {
  const [name = ''] = image.slice(image.lastIndexOf('/') + 1).split('@')
  return /^[^:]+:[\w][\w.-]{0,127}$/.test(name)
}
