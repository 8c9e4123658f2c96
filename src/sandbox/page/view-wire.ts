// What the page is told of a sandbox: one schema for both ends, in the words of the wire.
import * as z from 'zod/mini'

const text = z.string()
const textOrNull = z.nullable(text)
const numberOrNull = z.nullable(z.number())
const row = { id: text, workspace: text }

/** The rows that the page knows, by table: what is drawn, and nothing that is secret. */
const tables = {
  workspaces: z.array(z.object({ id: text, name: text, owner: text })),
  instances: z.array(
    z.object({
      ...row,
      name: text,
      plan: textOrNull,
      region: text,
      cpu: z.number(),
      memory_bytes: z.number(),
      os: textOrNull,
      state: text,
      online: z.boolean(),
      firewall: z.boolean(),
    }),
  ),
  disks: z.array(z.object({ ...row, name: text, size_bytes: z.number(), boot: z.boolean(), instance: textOrNull, state: text })),
  ips: z.array(z.object({ ...row, address: text, dns: textOrNull, instance: textOrNull, floating: z.boolean(), state: text })),
  vpcs: z.array(z.object({ ...row, name: text, range: text })),
  memberships: z.array(z.object({ id: text, vpc: text, instance: text, address: text })),
  firewallRules: z.array(
    z.object({
      ...row,
      instance: text,
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
  clusters: z.array(z.object({ ...row, name: text, status: text })),
  clusterNodes: z.array(z.object({ ...row, name: text, instance: text, status: text })),
  clusterServices: z.array(z.object({ ...row, name: text, status: text, mode: text, image: text, replicas: numberOrNull, ports: z.array(z.number()) })),
  apps: z.array(z.object({ ...row, name: text, image: text, instance: text, state: text })),
  sshKeys: z.array(z.object({ ...row, name: text })),
  workflows: z.array(
    z.object({
      ...row,
      operation: text,
      name: text,
      state: text,
      subject: z.object({ table: text, id: text }),
      instance: textOrNull,
      queued_ms: z.number(),
      runs_ms: numberOrNull,
      ends_ms: numberOrNull,
      ended_ms: numberOrNull,
    }),
  ),
  mails: z.array(z.object({ id: text, to: text, subject: text, code: text, at_ms: z.number() })),
}

export type TableName = keyof typeof tables
export type RowOf<T extends TableName> = z.output<(typeof tables)[T]>[number]

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
 * Requests come after the one asked for; those before `first_request` are forgotten.
 */
export const pageView = z.object({
  event: z.number(),
  complete: z.boolean(),
  clock,
  rows: z.partial(z.object(tables)),
  gone: z.record(text, z.array(text)),
  requests: z.array(request),
  first_request: z.number(),
  presets: z.array(z.object({ name: text, about: text, on: z.boolean(), hits: z.number() })),
  faults: z.array(z.object({ id: text, about: text, hits: z.number() })),
  money: z.nullable(money),
})

export type PageView = z.output<typeof pageView>
export type ClockView = PageView['clock']
export type RequestView = PageView['requests'][number]
export type MoneyView = z.output<typeof money>
