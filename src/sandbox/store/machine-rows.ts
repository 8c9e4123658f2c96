// The rows of what instances have beside disks and addresses: SSH keys, DHCP settings, and when they were switched.
import * as z from 'zod'
import { baseColumns } from './base-columns.ts'

export const sshKeyRow = z.strictObject({ ...baseColumns, workspaceId: z.string(), name: z.string(), publicKey: z.string(), userId: z.string() })

/** A key as an instance got it when it was provisioned: it stays when the key is deleted. */
export const installedKeyRow = z.strictObject({ ...baseColumns, instanceId: z.string(), name: z.string(), publicKey: z.string() })

/** Settings of one instance; an instance without a row is addressed automatically. `v4` and `v6` are ids of addresses. */
export const dhcpSettingsRow = z.strictObject({
  ...baseColumns,
  instanceId: z.string(),
  enabled: z.boolean(),
  v4: z.string().nullable(),
  v6: z.string().nullable(),
})

/** An instance that went on or off at the instant of the row. */
export const switchRow = z.strictObject({ ...baseColumns, instanceId: z.string(), online: z.boolean() })

export type SshKeyRow = z.output<typeof sshKeyRow>
export type DhcpSettingsRow = z.output<typeof dhcpSettingsRow>
