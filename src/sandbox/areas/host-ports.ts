// Which host ports of an instance are taken: by its apps, and by the services of the managed cluster that run on it.
import type { ClusterServiceRow, ServiceRevision } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { heldRevisions } from './service-revisions.ts'

/** A port as it is told from the others of an instance: PROTOCOL/PORT. */
export function hostPortOf(protocol: 'TCP' | 'UDP', port: number): string {
  return `${protocol}/${port}`
}

/** Whether a service with these targets runs on all nodes: a SPREAD one without targets; a PINNED one without targets runs nowhere. */
export function isEverywhere(mode: ClusterServiceRow['mode'] | undefined, targetIds: readonly string[]): boolean {
  return mode === 'SPREAD' && targetIds.length === 0
}

/** The host ports of an instance that are taken, or may be again, but for those of the service `exceptId`. */
export function takenPorts(tables: Tables, instanceId: string, exceptId?: string): Set<string> {
  const workspaceId = tables.clusterNodes.first('instance', instanceId)?.workspaceId
  const isOn = ({ workspaceId: own, mode }: ClusterServiceRow, { targetIds }: ServiceRevision): boolean =>
    isEverywhere(mode, targetIds) ? own === workspaceId : targetIds.includes(instanceId)
  return portsOf([...tables.apps.by('instance', instanceId), ...revisionsOf(tables, tables.clusterServices.all(), exceptId, isOn)])
}

/** The host ports of the services that run on all nodes of a workspace's cluster, however few, but for the service `exceptId`. */
export function portsEverywhere(tables: Tables, workspaceId: string, exceptId?: string): Set<string> {
  const rows = tables.clusterServices.by('workspace', workspaceId)
  return portsOf(revisionsOf(tables, rows, exceptId, ({ mode }, { targetIds }) => isEverywhere(mode, targetIds)))
}

/** Whether a service that runs on all nodes has a port that something else has taken on an instance. */
export function clashesEverywhere(tables: Tables, workspaceId: string, instanceId: string): boolean {
  return tables.clusterServices.by('workspace', workspaceId).some((row) => {
    const own = portsOf(heldRevisions(tables, row).filter(({ targetIds }) => isEverywhere(row.mode, targetIds)))
    const taken = own.size > 0 ? takenPorts(tables, instanceId, row.id) : own
    return [...own].some((port) => taken.has(port))
  })
}

type RevisionTest = (row: ClusterServiceRow, revision: ServiceRevision) => boolean

/** Of the revisions that services have or may have again, those that pass. */
function revisionsOf(tables: Tables, rows: readonly ClusterServiceRow[], exceptId: string | undefined, test: RevisionTest): readonly ServiceRevision[] {
  return rows.filter((row) => row.id !== exceptId).flatMap((row) => heldRevisions(tables, row).filter((revision) => test(row, revision)))
}

interface WithPorts {
  readonly ports: readonly { readonly protocol: 'TCP' | 'UDP'; readonly hostPort: number }[]
}

function portsOf(holders: readonly WithPorts[]): Set<string> {
  return new Set(holders.flatMap((one) => one.ports).map(({ protocol, hostPort }) => hostPortOf(protocol, hostPort)))
}
