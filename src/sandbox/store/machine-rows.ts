// The rows of what instances have beside disks and addresses: SSH keys, DHCP settings, and when they were switched.
import * as z from 'zod'
import { isObject } from '../../base/json.ts'
import { baseColumns } from './base-columns.ts'

export const sshKeyRow = z.strictObject({ ...baseColumns, workspaceId: z.string(), name: z.string(), publicKey: z.string(), userId: z.string() })

const installedKey = z.strictObject({ name: z.string(), publicKey: z.string() })

/** The keys as an instance got them when it was provisioned: they stay when keys are deleted. In data that was kept earlier each has a row of its own. */
export const installedKeysRow = z.preprocess(
  (row) => (isObject(row) && !('keys' in row) ? withKeys(row) : row),
  z.strictObject({ ...baseColumns, instanceId: z.string(), keys: z.array(installedKey) }),
)

function withKeys({ name, publicKey, ...row }: Readonly<Record<string, unknown>>): unknown {
  return { ...row, keys: [{ name, publicKey }] }
}

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
