// Calls that make an instance, and what they name.
import type { Bench, TestCall } from './sandbox-bench.ts'

/** A body by plan; `fields` come over it. */
export function planBody({ tables }: Bench, fields: object = {}, name = 'lightning-2') {
  const plan = tables.plans.all().find((one) => one.name === name)
  return { type: 'PLAN', name: 'web', region: 'fra-1', plan: BigInt(plan?.id ?? 0), ...fields }
}

/** The call that makes an instance. */
export function create(bench: Bench, body: object): TestCall {
  return { method: 'POST', path: `/v1/workspaces/${bench.wid}/instances`, body }
}

/** A VPC; gives its id as a body takes it. */
export function vpc({ tables, wid }: Bench, workspaceId = wid): bigint {
  return BigInt(tables.vpcs.insert({ workspaceId, name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 }).id)
}

/** An image by its name, as a body takes it. */
export function imageOf({ tables }: Bench, name: string): bigint {
  return BigInt(tables.images.all().find((one) => one.name === name)?.id ?? 0)
}
