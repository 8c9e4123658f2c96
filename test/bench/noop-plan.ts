// A plan without changes as a whole process against the service over loopback, 20 ms a call: requests, wall time, CPU, memory.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringifyJson } from '../../src/base/json.ts'
import { createWorld } from '../builders/world.ts'
import { fleet, fleetVariables, parentLists, roomyQuota } from './fleet.ts'
import type { createRunner, Took } from './measured-process.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'
import type { Service } from './service.ts'
import { startService } from './service.ts'

/** Where things are, and how often to measure. */
export interface Plans {
  readonly run: Awaited<ReturnType<typeof createRunner>>
  readonly scratch: string
  /** The built command line, and the bundle of the benchmarks. */
  readonly main: string
  readonly bench: string
  readonly repeats: number
}

const LATENCY_MS = 20
const AIMS = { requests: 50, wallMs: 350 }

/** Plans a fleet of `size` that was applied before, against full and slim lists. */
export async function noopPlanRows(plans: Plans, size: number): Promise<Row[]> {
  const folder = join(plans.scratch, `fleet-${size}`)
  const snapshotFile = join(plans.scratch, `fleet-${size}.json`)
  await makeFleet(size, folder, snapshotFile)
  const rows: Row[] = []
  for (const lists of ['full', 'slim'] as const) {
    const service = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists })
    try {
      rows.push(...(await measured(plans, service, folder, size, lists)))
    } finally {
      service.close()
    }
  }
  return rows
}

/** Applies the fleet in this process, and leaves project, state and service as files. */
async function makeFleet(size: number, folder: string, snapshotFile: string): Promise<void> {
  const world = createWorld({ variables: fleetVariables, sandbox: { quota: roomyQuota, profile: 'instant' } })
  const texts = fleet(size)
  const applied = await world.apply(texts)
  if (applied.outcome?.added !== size)
    throw new Error(`only ${applied.outcome?.added ?? 0} of ${size} were made: ${JSON.stringify(applied.outcome?.failed.slice(0, 3))}`)
  const files = [...Object.entries(texts), ...[...world.fileSystem.files()].map(([path, bytes]) => [path.replace('/project/', ''), bytes] as const)]
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, path), content, { mode: 0o600 })
  }
  await writeFile(snapshotFile, stringifyJson(world.sandbox.snapshot()))
}

async function measured(plans: Plans, service: Service, folder: string, size: number, lists: 'full' | 'slim'): Promise<Row[]> {
  const environment = {
    IAC_BASE_URL: service.url,
    IAC_TOKEN: service.token,
    IAC_VAR_password: fleetVariables.password,
    XDG_CACHE_HOME: join(plans.scratch, 'cache'),
    XDG_CONFIG_HOME: join(plans.scratch, 'config'),
  }
  const once = async () => {
    const took = await plans.run([plans.main, 'plan', '--detailed-exitcode'], { folder, environment })
    return { took, counts: await service.counts() }
  }
  const cold = await once()
  const warm: Took[] = []
  const bare: number[] = []
  for (let run = 0; run < plans.repeats; run += 1) {
    bare.push((await plans.run(['-e', '0'])).wallMs)
    warm.push((await once()).took)
  }
  const requests = [...cold.counts.values()].reduce((sum, count) => sum + count, 0)
  const name = `no-op plan, ${size.toLocaleString('en-US')}, ${lists} lists`
  const isAimed = size === 1000 && lists === 'full'
  const forced = parentLists(size)
  const routes = [...cold.counts].toSorted((a, b) => b[1] - a[1]).map(([route, count]) => `${count} ${route.replace('/v1/', '')}`)
  return [
    {
      name: `${name}: requests`,
      value: requests,
      unit: '',
      ...(isAimed ? { aim: AIMS.requests + forced } : {}),
      note: `${forced} forced by lists per object; ${routes.slice(0, 4).join(', ')}`,
    },
    {
      name: `${name}: wall`,
      value: median(warm.map((one) => one.wallMs)),
      unit: 'ms',
      ...(isAimed ? { aim: AIMS.wallMs } : {}),
      note: `${(median(warm.map((one) => one.wallMs)) / median(bare)).toFixed(1)} times bare node (${Math.round(median(bare))} ms); cold parse cache ${Math.round(cold.took.wallMs)} ms`,
    },
    { name: `${name}: CPU`, value: median(warm.map((one) => one.cpuMs)), unit: 'ms' },
    { name: `${name}: memory`, value: median(warm.map((one) => one.memoryMib)), unit: 'MiB' },
  ]
}
