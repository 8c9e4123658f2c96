// The rows of dediboxes and their addresses.
import * as z from 'zod'
import { family } from '../../api/routes/fields.ts'
import { baseColumns } from './base-columns.ts'

/** A dedicated server; the token of its VNC follows from how often it was reset. */
export const dediboxRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  name: z.string(),
  region: z.string(),
  planId: z.string(),
  online: z.boolean(),
  isoId: z.string().nullable(),
  vnc: z.strictObject({ host: z.string(), port: z.number(), proxied: z.boolean(), resets: z.number() }),
})

/** An address as it was sent; `canonical` is the one writing of it. */
export const dediboxIpRow = z.strictObject({
  ...baseColumns,
  workspaceId: z.string(),
  dediboxId: z.string(),
  type: family,
  address: z.string(),
  canonical: z.string(),
})

export type DediboxRow = z.output<typeof dediboxRow>
export type DediboxIpRow = z.output<typeof dediboxIpRow>
