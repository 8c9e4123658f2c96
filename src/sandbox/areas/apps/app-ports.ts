// Host ports of an app: the container's own where it is free on the instance, else one at random (section "App templates and app domains").
import { createHash } from 'node:crypto'
import { Refusal } from '../../request/refusal.ts'
import type { AppRow, AppTemplateRow } from '../../store/software-rows.ts'
import type { World } from '../../world.ts'
import { hostPortOf, takenPorts } from '../host-ports.ts'

const FIRST_PORT = 20_000
const LAST_PORT = 60_000
const COUNT = LAST_PORT - FIRST_PORT + 1

/** The ports of a template with their host ports on an instance; throws a Refusal when none is free. */
export function allocatePorts(world: World, instanceId: string, appName: string, template: AppTemplateRow): AppRow['ports'] {
  const taken = takenPorts(world.tables, instanceId)
  return template.ports.map(({ name, containerPort, protocol, http }) => {
    const isFree = (port: number): boolean => !taken.has(hostPortOf(protocol, port))
    const hostPort = isFree(containerPort) ? containerPort : randomPort(world, `port/${instanceId}/${appName}/${name}`, isFree)
    taken.add(hostPortOf(protocol, hostPort))
    return { name, hostPort, containerPort, protocol, http }
  })
}

function randomPort(world: World, label: string, isFree: (port: number) => boolean): number {
  const digest = createHash('sha256').update(`${world.store.seed}/${label}`).digest('hex')
  const start = Number.parseInt(digest.slice(0, 8), 16)
  for (let step = 0; step < COUNT; step += 1) {
    const port = FIRST_PORT + ((start + step) % COUNT)
    if (isFree(port)) return port
  }
  throw new Refusal(409, `no port from ${FIRST_PORT} to ${LAST_PORT} is free on the instance`)
}
