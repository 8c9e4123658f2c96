// Rules of services that need no call: replicas, and ports of an instance that two services want.
import { image as tagged } from '../api/routes/fields.ts'
import type { Peer, PeerProblem, Problem } from './definition/kind.ts'
import { mapOf } from './definition/live-fields.ts'
import { isGiven, isToken, knownList, knownText } from './definition/token.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is wrong within one service. */
export function checkService({ mode, replicas, image, ports, target_instances }: Fields): Problem[] {
  const problems: Problem[] = []
  if (mode === 'PINNED' && isGiven(replicas)) problems.push({ path: ['replicas'], message: 'replicas goes with mode SPREAD only' })
  // What SPREAD does without targets the document leaves open; one replica on each of none is no service.
  if (mode === 'PINNED' && Array.isArray(target_instances) && target_instances.length === 0) {
    const hint = 'name an instance, or write mode: SPREAD'
    problems.push({ path: ['target_instances'], message: 'mode PINNED runs one replica on each target, and there is none', hint })
  }
  const name = knownText(image)
  if (name !== undefined && !tagged.safeParse(name).success) {
    problems.push({ path: ['image'], message: `"${name}" is no image with a tag`, hint: 'write it with its tag, as in nginx:1.29' })
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

/** The ports of instances that a service has: no other may have them. */
export function hostPortsOf({ target_instances, ports }: Fields): string[] {
  const numbers = portsOf(ports).filter((port) => port !== undefined)
  return knownList(target_instances).flatMap((instance) => (isToken(instance) ? [] : numbers.map((port) => JSON.stringify([instance, port]))))
}

/** `8080/TCP` for each port, undefined where it is not known. */
function portsOf(ports: unknown): (string | undefined)[] {
  return knownList(ports).map((entry) => {
    const { host_port, protocol } = mapOf(entry) ?? {}
    return typeof host_port === 'number' && (protocol === 'TCP' || protocol === 'UDP') ? `${host_port}/${protocol}` : undefined
  })
}
