// What is metered, and when: the one place that looks at rows coming, changing and going, and opens and closes spans for them.
import * as z from 'zod'
import { resourceState } from '../../api/routes/fields.ts'
import type { Meter, Part, SubjectRow } from '../store/billing-rows.ts'
import type { DediboxRow } from '../store/dedibox-rows.ts'
import type { DiskRow, InstanceRow, IpRow, WorkflowRow } from '../store/rows.ts'
import type { Change, Row } from '../store/table.ts'
import type { Tables } from '../store/tables.ts'

type Kind = SubjectRow['kind']

/** A resource that is billed for itself; without a meter it costs nothing at the moment. The meter is made when it is asked for. */
interface Resource {
  readonly kind: Kind
  readonly workspaceId: string
  readonly name: string
  readonly meter: (() => Meter) | undefined
}

const kinds = new Map<string, Kind>([
  ['instances', 'INSTANCE'],
  ['disks', 'DISK'],
  ['ips', 'FLOATING_IP'],
  ['dediboxes', 'DEDIBOX'],
])

/** What a deletion was given: how its resource stands but for it. */
const deletionInput = z.object({ state: resourceState.optional() })
/** Who stands so costs nothing on the way out either. */
const unmetered: ReadonlySet<InstanceRow['state'] | undefined> = new Set(['PENDING', 'FAILED', 'UNPLACED'])

/** Follows one change of a row that took place at `atMs` (section "Other lifecycles that are shown"). */
export function meterChange(tables: Tables, { table, id, before, after }: Change, atMs: number): void {
  if (table === 'subjects') return remeter(tables, tables.subjects.get(id), atMs)
  if (table === 'workflows') return followDeletion(tables, id, atMs)
  // A plan has another rate only where somebody replaces the catalogue.
  if (table === 'plans' && before) for (const subject of tables.subjects.all()) remeter(tables, subject, atMs)
  const kind = kinds.get(table)
  if (kind === undefined) return
  followResource(tables, kind, id, before === undefined, atMs)
  if (kind === 'INSTANCE' || kind === 'DEDIBOX') return
  for (const instanceId of new Set([...holdersOf(before), ...holdersOf(after)])) remeter(tables, tables.subjects.get(instanceId), atMs)
}

/** A subject comes with its resource, ends with it, and is active again with one that comes again. */
function followResource(tables: Tables, kind: Kind, id: string, isNew: boolean, atMs: number): void {
  const resource = resourceOf(tables, kind, id)
  const subject = tables.subjects.get(id)
  if (resource && !subject) {
    const { workspaceId, name } = resource
    tables.subjects.insert({ id, kind, workspaceId, name, state: 'ACTIVE', wasOnline: false })
  } else if (!subject) return
  else if (!resource && subject.state !== 'TERMINATED') tables.subjects.update(id, { state: 'TERMINATED' })
  else if (resource && isNew) tables.subjects.update(id, { state: 'ACTIVE' })
  else remeter(tables, subject, atMs, resource)
}

/** The input of a deletion tells how its resource stands but for it, and changes when a making ends meanwhile. */
function followDeletion(tables: Tables, workflowId: string, atMs: number): void {
  const workflow = tables.workflows.get(workflowId)
  if (workflow && isDeletion(workflow) && kinds.has(workflow.subject.table)) remeter(tables, tables.subjects.get(workflow.subject.id), atMs)
}

/** Opens, keeps, or closes the span of a subject so that it is metered as its resource is now. */
function remeter(tables: Tables, subject: SubjectRow | undefined, atMs: number, known?: Resource): void {
  if (!subject) return
  const { id } = subject
  const resource = known ?? resourceOf(tables, subject.kind, id)
  const meterNow = subject.state === 'ACTIVE' ? resource?.meter : undefined
  const open = tables.spans.first('open', id)
  if (!open && !meterNow) return
  const meter = meterNow?.()
  if (open && meter && JSON.stringify(open.meter) === JSON.stringify(meter)) return
  if (open && open.fromMs < atMs) tables.spans.update(open.id, { toMs: atMs })
  else if (open && meter) return void tables.spans.update(open.id, { meter })
  else if (open) tables.spans.delete(open.id)
  if (meter) tables.spans.insert({ subjectId: id, fromMs: atMs, toMs: null, meter })
}

/** The instances that a disk or address hangs on: it may be part of what they cost. */
function holdersOf(row: Row | undefined): readonly string[] {
  if (!row) return []
  const ids = ['instanceId' in row ? row.instanceId : null, 'grantedWith' in row ? row.grantedWith : null]
  return ids.filter((id) => typeof id === 'string')
}

function resourceOf(tables: Tables, kind: Kind, id: string): Resource | undefined {
  if (kind === 'INSTANCE') return instanceResource(tables, tables.instances.get(id))
  if (kind === 'DISK') return diskResource(tables, tables.disks.get(id))
  if (kind === 'DEDIBOX') return dediboxResource(tables, tables.dediboxes.get(id))
  return addressResource(tables, tables.ips.get(id))
}

function instanceResource(tables: Tables, row: InstanceRow | undefined): Resource | undefined {
  if (!row) return undefined
  const { workspaceId, name } = row
  const meter = isMetered(tables, 'instances', row) ? () => instanceMeter(tables, row) : undefined
  return { kind: 'INSTANCE', workspaceId, name, meter }
}

function instanceMeter(tables: Tables, row: InstanceRow): Meter {
  const { id, region, planId, ipIds } = row
  const granted = ipIds.flatMap((ipId) => tables.ips.get(ipId) ?? []).filter((ip) => ip.grantedWith === id)
  const addresses = granted.map(addressPart)
  if (planId !== null) return planMeter(tables, region, planId, addresses)
  const disks = tables.disks.by('instance', id).filter((disk) => disk.boot)
  return { region, rateMicroUsd: null, parts: [...sizeParts(row), ...disks.map(storagePart), ...addresses] }
}

/** A boot disk is part of its instance. */
function diskResource(tables: Tables, row: DiskRow | undefined): Resource | undefined {
  if (!row || (row.boot && row.instanceId !== null)) return undefined
  const { workspaceId, name, region } = row
  const meter = isMetered(tables, 'disks', row) ? (): Meter => ({ region, rateMicroUsd: null, parts: [storagePart(row)] }) : undefined
  return { kind: 'DISK', workspaceId, name, meter }
}

/** An address that came with an instance is part of it. */
function addressResource(tables: Tables, row: IpRow | undefined): Resource | undefined {
  if (!row || row.grantedWith !== null) return undefined
  const { workspaceId, address, region } = row
  const meter = isMetered(tables, 'ips', row) ? (): Meter => ({ region, rateMicroUsd: null, parts: [addressPart(row)] }) : undefined
  return { kind: 'FLOATING_IP', workspaceId, name: address, meter }
}

/** A dedicated server is there all the time. */
function dediboxResource(tables: Tables, row: DediboxRow | undefined): Resource | undefined {
  if (!row) return undefined
  const { workspaceId, name, region, planId } = row
  return { kind: 'DEDIBOX', workspaceId, name, meter: () => planMeter(tables, region, planId, []) }
}

function planMeter(tables: Tables, region: string, planId: string, parts: Part[]): Meter {
  return { region, rateMicroUsd: tables.plans.get(planId)?.rateMicroUsd ?? 0, parts }
}

/** From the end of its making to the end of its deletion, online or not; what is FAILED is not, nor is its deletion. */
function isMetered({ workflows }: Tables, table: 'instances' | 'disks' | 'ips', { id, state }: InstanceRow | DiskRow | IpRow): boolean {
  if (state !== 'DELETING') return state === 'AVAILABLE'
  const deletion = workflows.by('busy', `${table}/${id}`).find(isDeletion)
  return !unmetered.has(deletionInput.parse(deletion?.input ?? {}).state)
}

function isDeletion({ operation }: WorkflowRow): boolean {
  return operation.endsWith('.delete')
}

function sizeParts({ cpu, group, memoryBytes, bandwidth }: InstanceRow): Part[] {
  const speeds = [
    ['UPLOAD', bandwidth?.uploadBytesSec],
    ['DOWNLOAD', bandwidth?.downloadBytesSec],
  ] as const
  return [
    { type: 'CPU', amount: cpu, qualifiers: { service_group: group } },
    { type: 'MEMORY', amount: memoryBytes, qualifiers: {} },
    ...speeds.flatMap(([direction, speed]): Part[] => (speed ? [{ type: 'BANDWIDTH', amount: speed, qualifiers: { direction } }] : [])),
  ]
}

function storagePart({ sizeBytes, backend }: DiskRow): Part {
  return { type: 'STORAGE', amount: sizeBytes, qualifiers: { storage_backing: backend } }
}

function addressPart({ family, ddos }: IpRow): Part {
  return { type: 'IP', amount: 1, qualifiers: family === 'IPv4' ? { family, ddos } : { family } }
}
