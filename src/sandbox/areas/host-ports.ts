// Which host ports of an instance are taken: by its apps, and by the services of the managed cluster that run on it.
import type { ClusterServiceRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'

/** A port as it is told from the others of an instance: PROTOCOL/PORT. */
export function hostPortOf(protocol: 'TCP' | 'UDP', port: number): string {
  return `${protocol}/${port}`
}

/** Whether a service with these targets runs on all nodes: a SPREAD one without targets; a PINNED one without targets runs nowhere. */
export function isEverywhere(mode: ClusterServiceRow['mode'] | undefined, targetIds: readonly string[]): boolean {
  return mode === 'SPREAD' && targetIds.length === 0
}

/** The host ports of an instance that are taken, but for those of the service `exceptId`. */
export function takenPorts(tables: Tables, instanceId: string, exceptId?: string): Set<string> {
  const services = tables.clusterServices.all().filter((row) => row.id !== exceptId && isOn(tables, row, instanceId))
  return portsOf([...tables.apps.by('instance', instanceId), ...services.map((row) => row.revision)])
}

/** The host ports of the services that run on all nodes of a workspace's cluster, however few, but for the service `exceptId`. */
export function portsEverywhere(tables: Tables, workspaceId: string, exceptId?: string): Set<string> {
  const services = tables.clusterServices
    .by('workspace', workspaceId)
    .filter(({ id, mode, status, revision }) => id !== exceptId && status !== 'DELETING' && isEverywhere(mode, revision.targetIds))
  return portsOf(services.map((row) => row.revision))
}

function isOn(tables: Tables, { workspaceId, mode, status, revision: { targetIds } }: ClusterServiceRow, instanceId: string): boolean {
  if (status === 'DELETING') return false
  if (!isEverywhere(mode, targetIds)) return targetIds.includes(instanceId)
  return tables.clusterNodes.by('instance', instanceId).some((node) => node.workspaceId === workspaceId)
}

interface WithPorts {
  readonly ports: readonly { readonly protocol: 'TCP' | 'UDP'; readonly hostPort: number }[]
}

function portsOf(holders: readonly WithPorts[]): Set<string> {
  return new Set(holders.flatMap((one) => one.ports).map(({ protocol, hostPort }) => hostPortOf(protocol, hostPort)))
}
