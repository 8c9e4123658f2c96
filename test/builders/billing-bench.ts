// What tests of billing begin with: a bench where nothing is metered yet, and calls of owner and operator that say their body alone.
import type { JsonValue } from '../../src/base/json.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts'
import type { Answer, Bench } from './sandbox-bench.ts'
import { createBench } from './sandbox-bench.ts'

/** A bench with ways to ask about money. */
export interface BillingBench extends Bench {
  readonly ownerId: string
  /** A call of the operator. */
  operate(method: string, path: string, body?: unknown): Promise<Answer>
  get(path: string): Promise<JsonValue>
  advanceHours(hours: number): Promise<void>
  /** An instance of the plan `ryzen-2`, at 15,000 micro-USD per hour. */
  server(fields?: Parameters<Bench['instance']>[0]): ReturnType<Bench['instance']>
  disk(fields?: Partial<Parameters<Bench['tables']['disks']['insert']>[0]>): ReturnType<Bench['tables']['disks']['insert']>
  address(fields?: Partial<Parameters<Bench['tables']['ips']['insert']>[0]>): ReturnType<Bench['tables']['ips']['insert']>
}

const GIB = 1024 ** 3

/** Makes it, without the dediboxes of the seed; the clock is at the beginning of 2026. */
export function createBillingBench(options: Partial<SandboxOptions> = {}): BillingBench {
  const bench = createBench(options)
  const { tables, sandbox, wid } = bench
  for (const { id } of tables.dediboxes.all()) tables.dediboxes.delete(id)
  const base = { workspaceId: wid, region: 'fra-1', instanceId: null, state: 'AVAILABLE' } as const
  return {
    ...bench,
    ownerId: tables.workspaces.get(wid)?.ownerId ?? '',
    operate: (method, path, body) => bench.call({ method, path, body, token: sandbox.operatorToken }),
    get: async (path) => (await bench.call({ method: 'GET', path })).body,
    advanceHours: (hours) => bench.clock.advance(hours * 3_600_000),
    server: (fields) => bench.instance({ planId: tables.plans.all().find((plan) => plan.name === 'ryzen-2')?.id ?? null, ...fields }),
    disk: (fields) => tables.disks.insert({ ...base, name: 'data', sizeBytes: 100 * GIB, backend: 'LOCAL', boot: false, ...fields }),
    address: (fields) => tables.ips.insert({ ...base, family: 'IPv4', address: '198.51.100.9', ddos: false, dns: null, grantedWith: null, ...fields }),
  }
}

/** The query of a report from the beginning of 2026 on. */
export function period(fromHours: number, toHours: number): string {
  return `from=${isoAt(fromHours)}&to=${isoAt(toHours)}`
}

function isoAt(hours: number): string {
  return new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000).toISOString()
}
