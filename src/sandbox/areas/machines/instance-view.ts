// How an instance looks: every field of its create and its update, with its addresses and networks.
import type { JsonObject } from '../../../base/json.ts'
import { summaryOf, summaryOrNull } from '../../request/summaries.ts'
import type { InstanceRow, IpRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { regionView } from './placement.ts'

/** An instance in full (section "Instance (partial)"). */
export function instanceView(world: World, row: InstanceRow): JsonObject {
  const { tables } = world
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    state: row.state,
    online: row.online,
    plan: summaryOrNull(tables.plans, row.planId),
    region: regionView(world, row.region),
    node: summaryOrNull(tables.nodes, row.nodeId),
    group: row.group,
    cpu: row.cpu,
    memory_bytes: row.memoryBytes,
    // As it was asked for: whoever compares it with what they asked for finds no difference, whatever became of its disks.
    storage: row.storage.map(({ sizeBytes, boot, backing, diskId }) => ({
      size_bytes: sizeBytes,
      boot,
      backing,
      ...(tables.disks.get(diskId)?.instanceId === row.id ? { disk_id: diskId } : {}),
    })),
    bandwidth: row.bandwidth && { upload_bytes_sec: row.bandwidth.uploadBytesSec, download_bytes_sec: row.bandwidth.downloadBytesSec },
    image: summaryOrNull(tables.images, row.imageId),
    iso: summaryOrNull(tables.images, row.isoId),
    ips: ipsOf(world, row).map(({ id, address, family, ddos }) => ({ id, address, family, ddos })),
    vpcs: tables.memberships.by('instance', row.id).map(({ vpcId, address }) => ({ ...summaryOf(tables.vpcs, vpcId), address })),
    boot: row.boot,
    uefi: row.uefi,
    secure_boot: row.secureBoot,
    attach_virtio_cd: row.attachVirtioCd,
    sync_hostname: row.syncHostname,
    firewall_enabled: row.firewallEnabled,
    os_name: row.osName,
    created_at: row.createdAt,
  }
}

/** The addresses of an instance, those that came with it first. */
export function ipsOf({ tables }: World, { id, ipIds }: InstanceRow): readonly IpRow[] {
  const all = tables.ips.by('instance', id)
  const granted = ipIds.flatMap((ipId) => all.find((ip) => ip.id === ipId) ?? [])
  return [...granted, ...all.filter((ip) => !ipIds.includes(ip.id))]
}
