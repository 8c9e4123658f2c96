// What a sandbox offers beyond its seed: plans, images, regions, nodes, prices and quotas, as a file gives them.
import { diskBackend, instanceGroup as group } from '../../api/routes/fields.ts'
import { equalJson } from '../../base/json.ts'
import { PRIVATE_CLOUD } from '../areas/machines/placement.ts'
import { followedBy } from '../metering/rate-cards.ts'
import { defined } from '../request/defined.ts'
import { found } from '../request/refusal.ts'
import type { NodeRow, PlanRow, RegionRow } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import type { Catalogue } from './catalogue-schema.ts'

const groups = group.options

/** Puts a catalogue into the tables, its prices from `atMs` on; doing so twice changes nothing more. */
export function applyCatalogue(tables: Tables, catalogue: Catalogue, atMs: number): void {
  for (const one of catalogue.regions) placeRegion(tables, one)
  for (const one of catalogue.nodes) placeNode(tables, one)
  for (const one of catalogue.plans) placePlan(tables, one)
  for (const one of catalogue.images) placeImage(tables, one)
  for (const one of catalogue.prices) placePrice(tables, one, atMs)
  const limits = defined(catalogue.quota)
  if (Object.keys(limits).length === 0) return
  for (const { id, quota } of tables.workspaces.all()) tables.workspaces.update(id, { quota: { ...quota, ...limits } })
}

const defaults = {
  group: 'RYZEN',
  cpu: 1,
  memoryBytes: 1024 ** 3,
  diskBytes: 20 * 1024 ** 3,
  uploadBytesSec: 125_000_000,
  downloadBytesSec: 125_000_000,
  rateMicroUsd: 10_000,
  disabled: false,
  backupPlan: null,
  ioLimits: null,
} satisfies Omit<PlanRow, 'id' | 'createdAt' | 'name'>

function placePlan({ plans }: Tables, { name, memory, disk, bytes_sec: bytesSec, rate, ...rest }: Catalogue['plans'][number]): void {
  const given = {
    ...defined(rest),
    ...defined({ memoryBytes: memory, diskBytes: disk, uploadBytesSec: bytesSec, downloadBytesSec: bytesSec, rateMicroUsd: rate }),
  }
  const known = plans.all().find((row) => row.name === name)
  if (known) plans.update(known.id, given)
  else plans.insert({ ...defaults, name, ...given })
}

function placeImage({ images }: Tables, { name, kind, os_name: osName }: Catalogue['images'][number]): void {
  const known = images.all().find((row) => row.name === name)
  const given = defined({ kind, osName })
  if (known) images.update(known.id, given)
  else images.insert({ kind: 'TEMPLATE', osName: name, ...given, name })
}

/** A region without machines could not be used: a new one gets a node of each of its groups. */
function placeRegion({ regions, nodes }: Tables, { code, ...rest }: Catalogue['regions'][number]): void {
  const given = defined(rest)
  if (regions.get(code)) regions.update(code, given)
  else regions.insert({ name: code, groups, backends: diskBackend.options, ...given, id: code })
  const region = found(regions.get(code), 'region')
  for (const one of region.groups) {
    if (nodes.all().some((node) => node.ownerWorkspaceId === null && node.region === code && node.group === one)) continue
    nodes.insert({ ...machine, name: `${code}-${one.toLowerCase()}-1`, group: one, region: code, flags: flagsIn(region) })
  }
}

const machine = { ownerWorkspaceId: null, group: 'RYZEN', maxMemoryBytes: 1024 ** 4, cores: 128 } satisfies Partial<NodeRow>

/** `owner` stands for the workspace that a sandbox begins with, whatever it is called by now; an unknown region is made. */
function placeNode(tables: Tables, { name, owner, memory, region, ...rest }: Catalogue['nodes'][number]): void {
  const { nodes, regions, workspaces } = tables
  if (region !== PRIVATE_CLOUD && !regions.get(region)) placeRegion(tables, { code: region })
  const ownerWorkspaceId = owner === undefined ? undefined : workspaces.all()[0]?.id
  const given = { region, ...defined({ ...rest, ownerWorkspaceId, maxMemoryBytes: memory }) }
  const known = nodes.all().find((row) => row.name === name)
  if (known) nodes.update(known.id, given)
  else nodes.insert({ ...machine, name, flags: flagsIn(regions.get(region)), ...given })
}

function flagsIn(region: RegionRow | undefined): string[] {
  return region?.backends.includes('CEPH') === true ? ['CEPH'] : []
}

function placePrice({ rates }: Tables, { type, region: at, qualifiers, unit_rate: unitRateMicroUsd }: Catalogue['prices'][number], atMs: number): void {
  const version = { unitRateMicroUsd, effectiveFromMs: atMs, knownFromMs: atMs }
  const known = rates.by('place', `${type}/${at}`).find((row) => row.deletedAtMs === null && equalJson(row.qualifiers, qualifiers))
  if (!known) rates.insert({ type, region: at, qualifiers, ...version, earlier: [], deletedAtMs: null })
  else if (known.unitRateMicroUsd !== unitRateMicroUsd) rates.update(known.id, followedBy(known, version))
}
