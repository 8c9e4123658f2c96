// What goes with an instance, and what stays behind it: the document leaves both open.
import type { DiskRow, InstanceRow, IpRow } from '../../store/rows.ts'
import type { World } from '../../world.ts'
import { removeDhcpSettings } from '../network/dhcp.ts'

/** Removes an instance with all that hangs on it; with `everything`, extra disks and granted addresses go whatever the readings say. */
export function removeInstance(world: World, { id, workspaceId }: InstanceRow, everything: boolean): void {
  const { tables, readings } = world
  for (const membership of tables.memberships.by('instance', id)) tables.memberships.delete(membership.id)
  if (everything || readings.instanceRules === 'deleted') for (const rule of tables.firewallRules.by('instance', id)) tables.firewallRules.delete(rule.id)
  for (const node of tables.clusterNodes.by('instance', id)) tables.clusterNodes.delete(node.id)
  for (const keys of tables.installedKeys.by('instance', id)) tables.installedKeys.delete(keys.id)
  removeDhcpSettings(world, id)
  for (const app of tables.apps.by('instance', id)) tables.apps.delete(app.id)
  for (const disk of tables.disks.by('instance', id)) {
    if (everything || diskEnds(world, disk)) tables.disks.delete(disk.id)
    else tables.disks.update(disk.id, { instanceId: null, state: stateAfter(disk.state) })
  }
  for (const ip of tables.ips.by('instance', id)) {
    if (ipEnds(world, ip) || (everything && ip.grantedWith === id)) tables.ips.delete(ip.id)
    else tables.ips.update(ip.id, { instanceId: null, grantedWith: null, state: stateAfter(ip.state) })
  }
  for (const bgp of tables.bgpConfigurations.by('workspace', workspaceId)) {
    if (bgp.instanceId === id) tables.bgpConfigurations.update(bgp.id, { instanceId: null })
  }
  tables.instances.delete(id)
}

/** Whether a disk ends with the instance that it hangs on. */
export function diskEnds({ readings }: World, { boot }: DiskRow): boolean {
  return boot || readings.extraDisks === 'deleted'
}

/** Whether an address ends with the instance that it hangs on. */
export function ipEnds({ readings }: World, { instanceId, grantedWith }: IpRow): boolean {
  return (grantedWith !== null && grantedWith === instanceId ? readings.grantedIps : readings.attachedIps) === 'deleted'
}

/** Whether the instance on which something hangs is being deleted. */
export function isLeaving({ tables }: World, { instanceId }: DiskRow | IpRow): boolean {
  return tables.instances.get(instanceId ?? '')?.state === 'DELETING'
}

/** What came with an instance whose create is still under way waits for it no more. */
function stateAfter(state: InstanceRow['state']): InstanceRow['state'] {
  return state === 'PENDING' ? 'AVAILABLE' : state
}
