// What the page is told of a sandbox: one schema for both ends, in the words of the wire.
import * as z from 'zod/mini'

const text = z.string()
const textOrNull = z.nullable(text)
const numberOrNull = z.nullable(z.number())
const named = { id: text, name: text }
const within = { id: text, workspace_id: text }

/** Machines, and what is attached to them. */
const machines = {
  plans: z.array(z.object(named)),
  instances: z.array(
    z.object({
      ...within,
      name: text,
      plan_id: textOrNull,
      region: text,
      cpu: z.number(),
      memory_bytes: z.number(),
      os_name: textOrNull,
      state: text,
      online: z.boolean(),
      firewall_enabled: z.boolean(),
    }),
  ),
  disks: z.array(z.object({ ...within, name: text, size_bytes: z.number(), boot: z.boolean(), instance_id: textOrNull, state: text })),
  ips: z.array(z.object({ ...within, address: text, dns: textOrNull, instance_id: textOrNull, granted_with: textOrNull, state: text })),
  dhcpSettings: z.array(z.object({ id: text, instance_id: text, enabled: z.boolean(), v4: textOrNull, v6: textOrNull })),
  installedKeys: z.array(z.object({ id: text, instance_id: text, keys: z.array(z.object({ name: text })) })),
  apps: z.array(z.object({ ...within, name: text, image: text, template_name: text, instance_id: text, domain: textOrNull, state: text })),
  recipes: z.array(z.object({ ...named, owner_id: textOrNull, category: text })),
  dediboxes: z.array(z.object({ ...within, name: text, region: text, plan_id: text, online: z.boolean() })),
  dediboxIps: z.array(z.object({ ...within, dedibox_id: text, address: text })),
}

/** Networks, and what passes through them. */
const networks = {
  vpcs: z.array(z.object({ ...within, name: text, range: text })),
  memberships: z.array(z.object({ id: text, vpc_id: text, instance_id: text, address: text })),
  firewallRules: z.array(
    z.object({
      ...within,
      instance_id: text,
      type: text,
      protocol: text,
      action: text,
      port_start: numberOrNull,
      port_end: numberOrNull,
      remote: text,
      priority: z.number(),
      description: textOrNull,
    }),
  ),
  bgpConfigurations: z.array(z.object({ ...within, asn: numberOrNull, instance_id: textOrNull, max_prefixes: z.number() })),
  bgpPrefixes: z.array(z.object({ ...within, prefix: text, enabled: z.boolean(), community: text })),
}

/** The managed cluster; of its secrets the names of the keys. */
const cluster = {
  clusters: z.array(z.object({ ...within, name: text, status: text })),
  clusterNodes: z.array(z.object({ ...within, node_name: text, instance_id: text, status: text })),
  clusterServices: z.array(
    z.object({
      ...within,
      name: text,
      status: text,
      mode: text,
      image: text,
      replicas: numberOrNull,
      ports: z.array(z.number()),
      secret_refs: z.array(text),
    }),
  ),
  clusterSecrets: z.array(z.object({ ...within, name: text, keys: z.array(text) })),
}

/** Who may do what, and what was mailed. */
const people = {
  users: z.array(z.object({ ...named, email: text })),
  members: z.array(z.object({ ...within, user_id: text, access_level: text })),
  invites: z.array(z.object({ ...within, email: text, access_level: text, accepted_by_id: textOrNull, expires_at_ms: numberOrNull })),
  tokens: z.array(z.object({ ...named, origin: text, workspace_id: textOrNull, user_id: textOrNull, grants: z.record(text, text) })),
  sshKeys: z.array(z.object({ ...within, name: text, user_id: text })),
  mails: z.array(z.object({ id: text, to: text, subject: text, code: text, at_ms: z.number() })),
}

/**
 * The rows that the page is told, by table, their columns in the names of the wire. What is not named here is left out:
 * this is the one list of what leaves, so it names nothing that is secret but the codes of mails, which are there to be copied.
 */
export const shownRows = z.object({
  workspaces: z.array(z.object({ ...named, owner_id: text })),
  ...machines,
  ...networks,
  ...cluster,
  ...people,
  workflows: z.array(
    z.object({
      ...within,
      operation: text,
      name: text,
      state: text,
      subject: z.object({ table: text, id: text }),
      instance_id: textOrNull,
      queued_at_ms: z.number(),
      ends_at_ms: numberOrNull,
      ended_at_ms: numberOrNull,
    }),
  ),
})

export type ShownRows = z.output<typeof shownRows>
export type TableName = keyof ShownRows
export type RowOf<T extends TableName> = ShownRows[T][number]

const clock = z.object({ mode: z.enum(['real', 'scaled', 'frozen', 'jumping']), scale: z.number(), now_ms: z.number(), next_due_ms: numberOrNull })

const request = z.object({
  id: z.number(),
  at: text,
  method: text,
  path: text,
  outcome: text,
  status: numberOrNull,
  message: textOrNull,
  duration_ms: z.number(),
  fault: textOrNull,
})

/** Sums are micro-USD as text: exact at any size. `prices` are per hour, by the id of what is metered. */
const money = z.object({
  wallets: z.array(z.object({ owner: text, email: text, balance: text, used: text, hourly: text, monthly: text })),
  prices: z.record(text, text),
})

/**
 * A look at a sandbox as of an event: all rows (`complete`), or those that changed since the event asked for, `gone` those that went.
 * Requests come after the one asked for; those before `first_request` are forgotten. `tenant_changes` counts how often tenants came or went.
 */
export const pageView = z.object({
  event: z.number(),
  complete: z.boolean(),
  clock,
  rows: z.partial(shownRows),
  gone: z.record(text, z.array(text)),
  requests: z.array(request),
  first_request: z.number(),
  presets: z.array(z.object({ name: text, about: text, on: z.boolean(), hits: z.number() })),
  faults: z.array(z.object({ id: text, about: text, hits: z.number() })),
  money: z.nullable(money),
  tenant_changes: z.number(),
})

/** The sandboxes beside the first one. */
export const tenantsView = z.object({ tenants: z.array(z.object({ id: text })) })

export type PageView = z.output<typeof pageView>
export type ClockView = PageView['clock']
export type RequestView = PageView['requests'][number]
export type MoneyView = z.output<typeof money>
