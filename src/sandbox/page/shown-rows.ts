// Rows as the page is told of them: by table, without anything secret.
import type { Row } from '../store/table.ts'
import type { Tables } from '../store/tables.ts'
import type { PageView, RowOf, TableName } from './view-wire.ts'

interface Shown<R> {
  all(): R[]
  get(id: string): R | undefined
}

type ShownTables = { readonly [T in TableName]: Shown<RowOf<T>> }

function shown<R extends Row, V>(table: { all(): readonly R[]; get(id: string): R | undefined }, view: (row: R) => V): Shown<V> {
  return {
    all: () => table.all().map(view),
    get(id) {
      const row = table.get(id)
      return row && view(row)
    },
  }
}

/** What the page is shown of each table. */
export function shownTables(tables: Tables): ShownTables {
  const { instances, workflows, firewallRules, mails } = tables
  return {
    workspaces: shown(tables.workspaces, ({ id, name, ownerId }) => ({ id, name, owner: ownerId })),
    instances: shown(instances, (row) => ({
      ...place(row),
      name: row.name,
      plan: row.planId === null ? null : (tables.plans.get(row.planId)?.name ?? null),
      region: row.region,
      cpu: row.cpu,
      memory_bytes: row.memoryBytes,
      os: row.osName,
      state: row.state,
      online: row.online,
      firewall: row.firewallEnabled,
    })),
    disks: shown(tables.disks, (row) => ({
      ...place(row),
      name: row.name,
      size_bytes: row.sizeBytes,
      boot: row.boot,
      instance: row.instanceId,
      state: row.state,
    })),
    ips: shown(tables.ips, (row) => ({
      ...place(row),
      address: row.address,
      dns: row.dns,
      instance: row.instanceId,
      floating: row.grantedWith === null,
      state: row.state,
    })),
    vpcs: shown(tables.vpcs, (row) => ({ ...place(row), name: row.name, range: row.range })),
    memberships: shown(tables.memberships, ({ id, vpcId, instanceId, address }) => ({ id, vpc: vpcId, instance: instanceId, address })),
    firewallRules: shown(firewallRules, (row) => ({
      ...place(row),
      instance: row.instanceId,
      type: row.type,
      protocol: row.protocol,
      action: row.action,
      port_start: row.portStart,
      port_end: row.portEnd,
      remote: row.remote,
      priority: row.priority,
      description: row.description,
    })),
    ...shownSoftware(tables),
    sshKeys: shown(tables.sshKeys, (row) => ({ ...place(row), name: row.name })),
    workflows: shown(workflows, (row) => ({
      ...place(row),
      operation: row.operation,
      name: row.name,
      state: row.state,
      subject: row.subject,
      instance: row.instanceId,
      queued_ms: row.queuedAtMs,
      runs_ms: row.runsAtMs,
      ends_ms: row.endsAtMs,
      ended_ms: row.endedAtMs,
    })),
    mails: shown(mails, ({ id, to, subject, code, atMs }) => ({ id, to, subject, code, at_ms: atMs })),
  }
}

/** The cluster, its nodes and services, and apps. */
function shownSoftware(tables: Tables): Pick<ShownTables, 'clusters' | 'clusterNodes' | 'clusterServices' | 'apps'> {
  return {
    clusters: shown(tables.clusters, (row) => ({ ...place(row), name: row.name, status: row.status })),
    clusterNodes: shown(tables.clusterNodes, (row) => ({ ...place(row), name: row.nodeName, instance: row.instanceId, status: row.status })),
    clusterServices: shown(tables.clusterServices, (row) => ({
      ...place(row),
      name: row.name,
      status: row.status,
      mode: row.mode,
      image: row.revision.image,
      replicas: row.revision.replicas,
      ports: row.revision.ports.map((one) => one.hostPort),
    })),
    apps: shown(tables.apps, (row) => ({ ...place(row), name: row.name, image: row.image, instance: row.instanceId, state: row.state })),
  }
}

function place({ id, workspaceId }: { readonly id: string; readonly workspaceId: string }): { id: string; workspace: string } {
  return { id, workspace: workspaceId }
}

/** The same of each table, in one object. */
export function mappedRows(tables: ShownTables, rows: <R>(table: Shown<R>, name: string) => R[]): Required<PageView['rows']> {
  return {
    workspaces: rows(tables.workspaces, 'workspaces'),
    instances: rows(tables.instances, 'instances'),
    disks: rows(tables.disks, 'disks'),
    ips: rows(tables.ips, 'ips'),
    vpcs: rows(tables.vpcs, 'vpcs'),
    memberships: rows(tables.memberships, 'memberships'),
    firewallRules: rows(tables.firewallRules, 'firewallRules'),
    clusters: rows(tables.clusters, 'clusters'),
    clusterNodes: rows(tables.clusterNodes, 'clusterNodes'),
    clusterServices: rows(tables.clusterServices, 'clusterServices'),
    apps: rows(tables.apps, 'apps'),
    sshKeys: rows(tables.sshKeys, 'sshKeys'),
    workflows: rows(tables.workflows, 'workflows'),
    mails: rows(tables.mails, 'mails'),
  }
}

/** The rows of these ids, and the ids that are no longer there. */
export function changedRows(tables: ShownTables, touched: ReadonlyMap<string, ReadonlySet<string>>): Pick<PageView, 'rows' | 'gone'> {
  const gone: Record<string, string[]> = {}
  const rows = mappedRows(tables, (table, name) => {
    const ids = [...(touched.get(name) ?? [])]
    const missing = ids.filter((id) => table.get(id) === undefined)
    if (missing.length > 0) gone[name] = missing
    return ids.flatMap((id) => table.get(id) ?? [])
  })
  return { rows, gone }
}
