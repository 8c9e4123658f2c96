// The shape of a catalogue as a file gives it, apart from what carries it out: few sandboxes are given one.
import * as z from 'zod'
import { diskBackend, instanceGroup as group } from '../../api/routes/fields.ts'
import { parseSize } from '../../base/units.ts'

const count = z.int().min(0)
const size = z.union([z.int(), z.string()]).transform((value, context) => {
  const bytes = parseSize(value)
  if (bytes === undefined) context.addIssue('a size such as 8GiB')
  return bytes ?? 0
})
const filled = z.string().min(1)

const plan = z.strictObject({
  name: filled,
  group: group.optional(),
  cpu: z.int().positive().optional(),
  memory: size.optional(),
  disk: size.optional(),
  bytes_sec: count.optional(),
  rate: count.optional(),
  disabled: z.boolean().optional(),
})
const image = z.strictObject({ name: filled, kind: z.enum(['TEMPLATE', 'BACKUP', 'ISO']).optional(), os_name: filled.optional() })
const region = z.strictObject({
  code: z.string().regex(/^[a-z0-9-]+$/),
  name: filled.optional(),
  groups: z.array(group).optional(),
  backends: z.array(diskBackend).min(1).optional(),
})
const node = z.strictObject({
  name: filled,
  group: group.optional(),
  region: z.string().regex(/^(?:[a-z0-9-]+|PRIVATE_CLOUD)$/),
  owner: z.literal('default').optional(),
  cores: z.int().positive().optional(),
  memory: size.optional(),
})
const price = z.strictObject({
  type: z.enum(['CPU', 'MEMORY', 'STORAGE', 'BANDWIDTH', 'IP']),
  region: filled,
  qualifiers: z.record(z.string(), z.union([z.string(), z.boolean()])).default({}),
  unit_rate: count,
})

/** The file: an entry whose name is known changes what is there, another one is added. Rates in micro-USD per hour; a quota of null is no limit; a node with an owner is part of the private cloud of the first workspace. */
export const catalogueSchema = z.strictObject({
  plans: z.array(plan).default([]),
  images: z.array(image).default([]),
  regions: z.array(region).default([]),
  nodes: z.array(node).default([]),
  prices: z.array(price).default([]),
  quota: z
    .strictObject({
      max_instances: count.nullable(),
      max_ssh_keys: count.nullable(),
      max_vpcs: count.nullable(),
      max_floating_ipv4: count.nullable(),
      max_floating_ipv6: count.nullable(),
      max_floating_ips: count.nullable(),
      max_storage_bytes: count.nullable(),
      iso_count: count.nullable(),
      iso_storage_bytes: count.nullable(),
      firewall_rules_per_ip: count.nullable(),
    })
    .partial()
    .default({}),
})

/** A catalogue that was read. */
export type Catalogue = z.output<typeof catalogueSchema>
