// Which key of a token's grants a path asks for (Authentication 9, "Grants map").
import type * as z from 'zod'
import type { grantKind } from '../fields.ts'

// An assumption (in the sandbox's decisions), but for SSH keys: the document names the keys, not what each covers. First match wins; no match, no key.
const keys: readonly (readonly [RegExp, z.output<typeof grantKind>])[] = [
  [/\/ssh\b/, 'INSTANCE'],
  [/\/k3s\b|\/workflows\b/, 'WORKSPACE'],
  [/\/apps\//, 'APP'],
  [/dedibox/, 'DEDIBOX'],
  [/\/disks\b/, 'DISK'],
  [/\/ips\b|-ip$/, 'FLOATING_IP'],
  [/\/(?:instances|firewall-rules|metrics)\b/, 'INSTANCE'],
  [/^\/v1\/(?:workspaces|invites|vpcs|recipes)\b/, 'WORKSPACE'],
]

/** The key that a path asks for: a workspace's for its nodes, none for a node by its id. Routes that are open or staff's ask for none. */
export function grantKey(path: string): z.output<typeof grantKind> | undefined {
  return keys.find(([pattern]) => pattern.test(path))?.[1]
}
