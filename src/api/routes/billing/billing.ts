// Price estimates, usage statements and billing subjects: section "Billing, usage, wallet, coupons, rates".
import * as z from 'zod'
import { lazy } from '../../../base/lazy.ts'
import { amount, direction, filled, idOut, open, timestamp } from '../fields.ts'
import { route } from '../route.ts'

const section = 'Billing, usage, wallet, coupons, rates'

const floatingIpPart = lazy(() =>
  z.discriminatedUnion('family', [
    z.strictObject({ type: z.literal('FLOATING_IP'), family: z.literal('IPv4'), ddos: z.boolean() }),
    z.strictObject({ type: z.literal('FLOATING_IP'), family: z.literal('IPv6') }),
  ]),
)
const part = lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('CPU'), cpu: amount, service_group: filled.optional(), cpu_model: filled.optional() }),
    z.strictObject({ type: z.literal('MEMORY'), memory_bytes: amount }),
    z.strictObject({ type: z.literal('STORAGE'), storage_bytes: amount, storage_backing: filled.optional() }),
    z.strictObject({ type: z.literal('BANDWIDTH'), direction, speed_bytes_sec: amount }),
    floatingIpPart(),
  ]),
)

const money = lazy(() => z.number())
const estimated = lazy(() => ({ hourly_rate: money(), monthly_price: money() }))
const estimate = lazy(() => open({ ...estimated(), parts: z.array(open({ type: z.string(), quantity: z.number(), unit_rate: money(), ...estimated() })) }))

const resourceUsage = lazy(() =>
  open({ resource_id: idOut, resource_kind: z.string(), resource_name: z.string().nullable(), minutes: z.number(), cost: money() }),
)
const totals = lazy(() => ({ total_minutes: z.number(), total_cost: money(), resources: z.array(resourceUsage()) }))
const ofWorkspace = lazy(() => ({ workspace_id: idOut, workspace_name: z.string().nullable(), ...totals() }))
const span = lazy(() => ({ from: z.string(), to: z.string() }))
const workspaceUsage = lazy(() => open({ ...span(), ...ofWorkspace() }))
const usage = lazy(() => open({ ...span(), total_minutes: z.number(), total_cost: money(), workspaces: z.array(open(ofWorkspace())) }))

const period = lazy(() => z.strictObject({ from: timestamp, to: timestamp }))
const switched = { answer: { shape: 'empty' }, statuses: [204], access: 'staff' } as const

export const billing = {
  estimatePrice: route(section, 'POST', '/v1/billing/estimate', {
    body: lazy(() => z.strictObject({ region: filled, parts: z.array(part()) })),
    answer: { shape: 'object', item: estimate },
    access: 'any',
    effect: false,
  }),
  getUserUsage: route(section, 'GET', '/v1/wallet/{uid}/usage', {
    params: { uid: 'user' },
    query: period,
    answer: { shape: 'object', item: usage },
    access: 'self',
  }),
  getWorkspaceUsage: route(section, 'GET', '/v1/workspaces/{wid}/usage', {
    query: period,
    answer: { shape: 'object', item: workspaceUsage },
    access: 'viewer',
  }),
  getResourceUsage: route(section, 'GET', '/v1/workspaces/{wid}/usage/{rid}', {
    query: period,
    answer: { shape: 'object', item: resourceUsage },
    access: 'viewer',
  }),
  suspendSubject: route(section, 'POST', '/v1/billing/subjects/{sid}/suspend', switched),
  resumeSubject: route(section, 'POST', '/v1/billing/subjects/{sid}/resume', switched),
  terminateSubject: route(section, 'POST', '/v1/billing/subjects/{sid}/terminate', {
    answer: { shape: 'array', item: lazy(() => open({ id: idOut, kind: z.string() })) },
    access: 'staff',
  }),
}
