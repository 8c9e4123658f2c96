// The managed cluster in tests of the sandbox: one that is ready, and services of it.
import type { ClusterServiceRow } from '../../src/sandbox/store/rows.ts'
import type { Bench, TestCall } from './sandbox-bench.ts'

/** What a service is made of at least, but for its targets. */
export const web = { name: 'web', image: 'nginx:1.27', mode: 'SPREAD' }

/** A call under the cluster of the workspace. */
export function k3s({ wid }: Bench, method: string, rest: string, body?: object): TestCall {
  return { method, path: `/v1/workspaces/${wid}/k3s${rest}`, ...(body ? { body } : {}) }
}
/** An ACTIVE cluster with so many READY nodes; gives the instances' ids. */
export function readyCluster({ tables, wid, instance }: Bench, count: number): readonly bigint[] {
  tables.clusters.insert({ workspaceId: wid, name: 'ws', status: 'ACTIVE' })
  return Array.from({ length: count }, (_, index) => {
    const { id } = instance({ name: `node-${index}` })
    tables.clusterNodes.insert({ workspaceId: wid, instanceId: id, nodeName: `node-${index}`, status: 'READY' })
    return BigInt(id)
  })
}
/** A service that runs; gives its id. */
export function addService({ tables, wid }: Bench, fields: Partial<ClusterServiceRow> = {}): string {
  const lists = { targetIds: [], ports: [], volumes: [], secretRefs: [] }
  const revision = { ...lists, image: 'nginx:1', replicas: 1, environment: {}, updateStrategy: 'ROLLING' } as const
  const base = { workspaceId: wid, name: 'web', mode: 'SPREAD', status: 'RUNNING', previous: null, rollout: 1, rolledOutAtMs: Date.UTC(2026, 0, 1) } as const
  return tables.clusterServices.insert({ ...base, revision, ...fields }).id
}
/** Makes a service by the API; gives its path under the cluster. */
export async function createdService(bench: Bench, fields: object): Promise<string> {
  const { status } = await bench.call(k3s(bench, 'POST', '/services', { ...web, target_instances: [], ...fields }))
  if (status !== 202) throw new Error(`refused with ${status}`)
  return `/services/${bench.tables.clusterServices.all().at(-1)?.id}`
}
