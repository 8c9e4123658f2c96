// What the sandbox answers over HTTP: single reads and pages of many resources, from a process of its own to this one.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'undici'
import { virtualClock } from '../../src/base/clock.ts'
import { stringifyJson } from '../../src/base/json.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { roomyQuota } from './fleet.ts'
import type { Plans } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'
import { startService } from './service.ts'

const RESOURCES = 20_000
const CONNECTIONS = 16
const PAGE = 100
/** The most that a thousand requests may take, in ms. */
const AIMS = { reads: 500, pages: 1000 }

/** How long a thousand requests take, on connections that are kept open. */
export async function throughputRows({ scratch, bench, repeats }: Pick<Plans, 'scratch' | 'bench' | 'repeats'>): Promise<Row[]> {
  const sandbox = await filled()
  const snapshotFile = join(scratch, 'many.json')
  await writeFile(snapshotFile, stringifyJson(sandbox.snapshot()))
  const service = await startService(bench, { snapshotFile, latencyMs: 0, lists: 'full' })
  const pool = new Pool(service.url, { connections: CONNECTIONS })
  const headers = { authorization: `Bearer ${service.token}` }
  async function rowOf(name: string, aim: number | undefined, pathAt: (number: number) => string): Promise<Row> {
    const took: number[] = []
    for (let run = 0; run < repeats + 1; run += 1) took.push(await thousand(pool, headers, pathAt))
    const ms = median(took.slice(1))
    const note = `${Math.round(1_000_000 / ms).toLocaleString('en-US')} a second`
    return { name: `1,000 ${name}, ${RESOURCES.toLocaleString('en-US')} resources`, value: ms, unit: 'ms', ...(aim === undefined ? {} : { aim }), note }
  }
  try {
    const { tables } = sandbox.world
    const [instances, vpcs] = [tables.instances.all(), tables.vpcs.all()]
    const below = `/v1/workspaces/${sandbox.workspaceId}`
    const page = (number: number): string => `limit=${PAGE}&page=${(number % 60) + 1}`
    return [
      await rowOf('single instances', AIMS.reads, (number) => `/v1/instances/${instances[(number * 7) % instances.length]?.id}`),
      await rowOf('single VPCs', AIMS.reads, (number) => `/v1/vpcs/${vpcs[(number * 7) % vpcs.length]?.id}`),
      await rowOf('pages of 100 instances', AIMS.pages, (number) => `${below}/instances?${page(number)}`),
      await rowOf('pages of 100 VPCs', AIMS.pages, (number) => `${below}/vpcs?${page(number)}`),
      await rowOf('sorted pages of 100 VPCs', undefined, (number) => `${below}/vpcs?sort=name&${page(number)}`),
      await rowOf('searches of VPCs', undefined, (number) => `${below}/vpcs?q=net-${number % vpcs.length}`),
    ]
  } finally {
    await pool.close()
    service.close()
  }
}

/** Sends a thousand requests, as many at a time as there are connections; throws an Error for an answer that is no success. */
async function thousand(pool: Pool, headers: Readonly<Record<string, string>>, pathAt: (number: number) => string): Promise<number> {
  let sent = 0
  const start = performance.now()
  const one = async (): Promise<void> => {
    for (let number = sent++; number < 1000; number = sent++) {
      const { statusCode, body } = await pool.request({ method: 'GET', path: pathAt(number), headers })
      await body.dump()
      if (statusCode !== 200) throw new Error(`${pathAt(number)} was answered with ${statusCode}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  return performance.now() - start
}

/** One instance made by the service, and copies of its rows; networks for the rest. */
async function filled(): Promise<Sandbox> {
  const clock = virtualClock(Date.UTC(2026, 0, 1), false)
  const sandbox = createSandbox({ clock, profile: 'instant', quota: roomyQuota })
  const { tables } = sandbox.world
  const [plan, region] = [tables.plans.all().find((one) => one.name === 'ryzen-2'), tables.regions.get('fra-1')]
  const body = `{"type":"PLAN","name":"first","plan":${plan?.id},"region":"${region?.id}"}`
  const headers = { authorization: `Bearer ${sandbox.token}` }
  const { status } = await sandbox.handle({ method: 'POST', path: `/v1/workspaces/${sandbox.workspaceId}/instances`, headers, body })
  await clock.advance(60_000)
  sandbox.tick()
  const [instance] = tables.instances.all()
  const disk = tables.disks.by('instance', instance?.id ?? '')[0]
  if (!instance || !disk) throw new Error(`the first instance was not made: ${status}`)
  const [{ id: _, ...copied }, { id: __, ...copiedDisk }] = [instance, disk]
  for (let at = 0; at < RESOURCES * 0.35; at += 1) {
    const made = tables.instances.insert({ ...copied, name: `web-${at}`, ipIds: [], storage: [] })
    const own = tables.disks.insert({ ...copiedDisk, name: `web-${at}`, instanceId: made.id })
    tables.instances.update(made.id, { storage: copied.storage.map((one) => ({ ...one, diskId: own.id })) })
  }
  const { workspaceId } = instance
  for (let at = 0; at < RESOURCES * 0.3; at += 1) {
    tables.vpcs.insert({ workspaceId, name: `net-${at}`, description: `network ${at}`, range: `10.${at >> 8}.${at & 255}.0/24`, vlan: 100 + at })
  }
  return sandbox
}
