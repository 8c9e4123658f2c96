// A plan without changes as a whole process against the service over loopback, 20 ms a call, beside a probe that does no more than must be done.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { stringifyJson } from '../../src/base/json.ts'
import { createWorld } from '../builders/world.ts'
import { roomyQuota } from './fleet.ts'
import { middle } from './measured-process.ts'
import type { createRunner, Took } from './measured-process.ts'
import { createProbe } from './probe.ts'
import type { Row } from './rows.ts'
import type { Service } from './service.ts'
import { routesOf, startService } from './service.ts'

/** Where things are, and how often to measure. */
export interface Plans {
  readonly run: Awaited<ReturnType<typeof createRunner>>
  readonly scratch: string
  /** The built command line, and the bundle of the benchmarks. */
  readonly main: string
  readonly bench: string
  readonly repeats: number
}

/** What is planned: manifests by file name, and what its variables are. */
export interface Planned {
  readonly name: string
  readonly size: number
  readonly texts: Readonly<Record<string, string>>
  readonly variables: Readonly<Record<string, string>>
}

export const LATENCY_MS = 20
const MULTIPLE_AIM = 2
const EXPONENT_AIM = 1.1
/** By size: wall time, CPU and memory. */
const aims: Readonly<Record<number, { readonly wallMs?: number; readonly cpuMs?: number; readonly memoryMib: number }>> = {
  1000: { wallMs: 350, cpuMs: 500, memoryMib: 110 },
  10_000: { memoryMib: 250 },
  100_000: { memoryMib: 1229 },
}

/** Plans projects that were applied before, against full lists; of several sizes of one name, how time and memory grow. */
export async function noopPlanRows(plans: Plans, all: readonly Planned[]): Promise<Row[]> {
  const rows: Row[] = []
  const grown = new Map<string, { readonly size: number; readonly cpuMs: number; readonly memoryMib: number }>()
  for (const planned of all) {
    const folder = join(plans.scratch, `${planned.name}-${planned.size}`)
    await makeApplied(planned, folder)
    const service = await startService(plans.bench, { snapshotFile: `${folder}.json`, latencyMs: LATENCY_MS, lists: 'full' })
    try {
      const measuredHere = await measured(plans, service, folder, planned)
      const before = grown.get(planned.name)
      rows.push(...measuredHere.rows, ...(before ? growthRows(planned, before, measuredHere) : []))
      grown.set(planned.name, { size: planned.size, ...measuredHere })
    } finally {
      service.close()
    }
  }
  return rows
}

/** The exponents of CPU and memory between two sizes, above what node takes that does nothing. */
function growthRows(
  { name, size }: Planned,
  before: { readonly size: number; readonly cpuMs: number; readonly memoryMib: number },
  now: { readonly cpuMs: number; readonly memoryMib: number },
): Row[] {
  const exponent = (small: number, large: number): number => Math.log(large / small) / Math.log(size / before.size)
  const between = `no-op plan of ${name}, ${before.size.toLocaleString('en-US')} to ${size.toLocaleString('en-US')}: exponent of`
  return [
    { name: `${between} CPU`, value: exponent(before.cpuMs, now.cpuMs), unit: '', aim: EXPONENT_AIM },
    { name: `${between} memory`, value: exponent(before.memoryMib, now.memoryMib), unit: '', aim: EXPONENT_AIM },
  ]
}

/** Applies manifests in this process, and leaves project, state and service as files. */
async function makeApplied({ size, texts, variables }: Planned, folder: string): Promise<void> {
  const world = createWorld({ variables, sandbox: { quota: roomyQuota, profile: 'instant' } })
  const applied = await world.apply(texts)
  if (applied.outcome?.added !== size)
    throw new Error(`only ${applied.outcome?.added ?? 0} of ${size} were made: ${JSON.stringify(applied.outcome?.failed.slice(0, 3))}`)
  await writeAll(folder, [...Object.entries(texts), ...[...world.fileSystem.files()].map(([path, bytes]) => [path.replace('/project/', ''), bytes] as const)])
  await writeFile(`${folder}.json`, stringifyJson(world.sandbox.snapshot()))
}

/** Writes files below a folder that is this user's alone. */
export async function writeAll(folder: string, files: readonly (readonly [string, string | Uint8Array])[]): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, path), content, { mode: 0o600 })
  }
}

/** All files below a folder, by their absolute paths. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** What a command of a benchmark is given. */
export function environmentOf({ scratch }: Pick<Plans, 'scratch'>, service: Service, variables: Planned['variables']): Record<string, string> {
  return {
    IAC_BASE_URL: service.url,
    IAC_TOKEN: service.token,
    ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`IAC_VAR_${name}`, value])),
    XDG_CACHE_HOME: join(scratch, 'cache'),
    XDG_CONFIG_HOME: join(scratch, 'config'),
  }
}

async function measured(plans: Plans, service: Service, folder: string, { name, size, variables }: Planned) {
  const probe = await createProbe(plans.run, plans.scratch)
  const environment = environmentOf(plans, service, variables)
  const once = (more = {}) => plans.run([plans.main, 'plan', '--detailed-exitcode'], { folder, environment: { ...environment, ...more } })
  const cold = await once()
  const asked = await service.asked()
  const errand = { ...service, files: await filesBelow(folder), asked }
  const [ours, computed, bound]: [Took[], Took[], Took[]] = [[], [], []]
  for (let run = 0; run < plans.repeats; run += 1) {
    bound.push(await probe(errand))
    ours.push(await once())
    computed.push(await once({ IAC_PLAN_CACHE: 'off' }))
  }
  const title = `no-op plan of ${name}, ${size.toLocaleString('en-US')}`
  const routes = routesOf(asked).map(([route, count]) => `${count} ${route.replace('/v1/', '')}`)
  const rows: Row[] = [
    ...rowsOf(title, ours, bound, aims[size]),
    ...rowsOf(`${title}, computed`, computed, bound, aims[size], `with empty caches ${Math.round(cold.wallMs)} ms`),
    { name: `${title}: requests`, value: asked.requests.length, unit: '', note: `${asked.peak} at once; ${routes.slice(0, 4).join(', ')}` },
  ]
  // What a plan that is told again takes grows by files and answers alone.
  return { rows, cpuMs: middle(computed, 'cpuMs'), memoryMib: middle(computed, 'memoryMib') }
}

function rowsOf(title: string, took: readonly Took[], bound: readonly Took[], aim: (typeof aims)[number] | undefined, more?: string): readonly Row[] {
  const [wallMs, boundMs] = [middle(took, 'wallMs'), middle(bound, 'wallMs')]
  const note = [`${Math.round(wallMs)} ms against ${Math.round(boundMs)} ms`, ...(more === undefined ? [] : [more])].join('; ')
  return [
    { name: `${title}: wall / probe`, value: wallMs / boundMs, unit: '', aim: MULTIPLE_AIM, note },
    ...(aim?.wallMs === undefined ? [] : [{ name: `${title}: wall`, value: wallMs, unit: 'ms', aim: aim.wallMs }]),
    {
      name: `${title}: CPU`,
      value: middle(took, 'cpuMs'),
      unit: 'ms',
      ...(aim?.cpuMs === undefined ? {} : { aim: aim.cpuMs }),
      note: `probe ${Math.round(middle(bound, 'cpuMs'))} ms`,
    },
    {
      name: `${title}: memory`,
      value: middle(took, 'memoryMib'),
      unit: 'MiB',
      ...(aim ? { aim: aim.memoryMib } : {}),
      note: `probe ${Math.round(middle(bound, 'memoryMib'))} MiB`,
    },
  ]
}
