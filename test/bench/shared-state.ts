// What a state costs that lies 20 ms away: whole applies beside the same with a local state, a run with nothing to do, and one change among very many resources.
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realClock } from '../../src/base/clock.ts'
import { stringifyJson } from '../../src/base/json.ts'
import { postgresStore } from '../../src/state/backends/postgres/postgres-store.ts'
import { emptyDocument } from '../../src/state/document.ts'
import type { StateDocument } from '../../src/state/record.ts'
import { inClear } from '../../src/state/sealing.ts'
import { recordOf } from '../builders/journal.ts'
import { addressOf, startPostgres } from '../builders/postgres.ts'
import { startDelay } from '../builders/proxy.ts'
import type { StatePlace } from '../builders/state-places.ts'
import { statePlaces } from '../builders/state-places.ts'
import { createWorld } from '../builders/world.ts'
import { estate } from './estate.ts'
import { roomyQuota } from './fleet.ts'
import type { Took } from './measured-process.ts'
import { middle } from './measured-process.ts'
import type { Plans } from './noop-plan.ts'
import { environmentOf, LATENCY_MS, writeAll } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { startService } from './service.ts'

const MULTIPLE_AIM = 1.3
const [CHANGE_AIM_MS, ROWS_AIM] = [2000, 20]

/** Applies from nothing, then once more with nothing to do, on each backend in turn. */
export async function sharedStateRows(plans: Plans, size: number): Promise<Row[]> {
  const snapshotFile = join(plans.scratch, 'nothing.json')
  await writeFile(snapshotFile, stringifyJson(createWorld({ sandbox: { quota: roomyQuota } }).sandbox.snapshot()))
  const present = Object.entries(statePlaces).filter(([, one]) => one.missing === undefined)
  const took = new Map(present.map(([name]) => [name, { first: none(), again: none() }]))
  for (let turn = 0; turn < plans.repeats; turn += 1) {
    for (const [name, row] of present) {
      const place = await row.open(row.shared ? LATENCY_MS : 0)
      const { first, again } = await measured(plans, place, snapshotFile, size)
      took.get(name)?.first.push(first)
      took.get(name)?.again.push(again)
      await place.close()
    }
  }
  const local = took.get('local')
  return [...took].flatMap(([name, { first, again }]) => {
    const [firstMs, againMs] = [middle(first, 'wallMs'), middle(again, 'wallMs')]
    const title = `apply of ${size.toLocaleString('en-US')}, state in ${name}`
    const quiet = { name: `${title}, nothing to do: wall`, value: againMs, unit: 'ms', note: `CPU ${Math.round(middle(again, 'cpuMs'))} ms` }
    if (name === 'local' || !local) return [{ name: `${title}: wall`, value: firstMs, unit: 'ms' }, quiet]
    const note = `${Math.round(firstMs)} ms against ${Math.round(middle(local.first, 'wallMs'))} ms; CPU ${Math.round(middle(first, 'cpuMs'))} ms`
    return [{ name: `${title}: wall / local`, value: firstMs / middle(local.first, 'wallMs'), unit: '', aim: MULTIPLE_AIM, note }, quiet]
  })
}

function none(): Took[] {
  return []
}

async function measured(plans: Plans, place: StatePlace, snapshotFile: string, size: number) {
  const folder = join(plans.scratch, 'shared')
  await rm(folder, { recursive: true, force: true })
  const files = { ...estate(size, 'documents') }
  await writeAll(folder, Object.entries({ ...files, 'iac.yaml': `${files['iac.yaml']}state: ${place.settings('estate')}\n` }))
  const service = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists: 'full' })
  try {
    const environment = { ...environmentOf(plans, service, {}), ...place.environment }
    const run = () => plans.run([plans.main, 'apply', '--auto-approve'], { folder, environment })
    return { first: await run(), again: await run() }
  } finally {
    service.close()
  }
}

/** One change in a state of very many resources in a database 20 ms away: from before the lock to after giving it back, and the rows that it writes. */
export async function oneChangeRows(size: number): Promise<Row[]> {
  const server = await startPostgres()
  const way = await startDelay(server.port, LATENCY_MS)
  const machine = { identity: { host: 'h', boot: 'b', namespace: '', pid: 1, start: '1' }, isGone: async () => false }
  const address = { where: 'the database', config: { connectionString: addressOf({ ...server, port: way.port }) } }
  const store = postgresStore({ address, schema: 'iac', name: 'many', clock: realClock(), randomBytes, machine, leaseMs: 60_000, sealing: inClear })
  const owner = { id: 'one', operation: 'apply', who: 'a@b', host: 'b', pid: 1, created: '', run_url: null }
  const begin = { t: 'begin', run: 'r', lineage: 'l', serial: 0, tool_version: '1', salt: randomBytes(32).toString('base64') } as const
  const resources = Array.from({ length: size }, (_, at) => recordOf(String(at), { address: `Vpc/n${String(at).padStart(6, '0')}`, spec: { name: `n${at}` } }))
  const empty = emptyDocument({ project: 'many', environment: null, lineage: 'l', salt: begin.salt, toolVersion: '1' })
  const first = await store.lock(owner, 0)
  await first.append([begin])
  await first.write({ ...empty, serial: 1, resources }, [])
  await first.release()
  const before = writtenRows(server)
  const [beganMs, cpuBefore] = [performance.now(), process.cpuUsage()]
  const lease = await store.lock(owner, 0)
  const { document = empty } = await lease.read()
  const readMs = performance.now()
  const changed: StateDocument = { ...document, serial: 2, resources: document.resources.map((one, at) => (at === 7 ? { ...one, id: 'other' } : one)) }
  await lease.append([{ ...begin, serial: 1 }])
  await lease.append([{ t: 'done', seq: 1, id: 'other' }])
  await lease.write(changed, [])
  await lease.release()
  const [endedMs, cpu] = [performance.now(), process.cpuUsage(cpuBefore)]
  const written = writtenRows(server) - before
  await way.stop()
  await server.stop()
  const name = `one change in a state of ${size.toLocaleString('en-US')} in postgres`
  const note = `CPU ${Math.round((cpu.user + cpu.system) / 1000)} ms; lock and read ${Math.round(readMs - beganMs)} ms, appends, write and giving back ${Math.round(endedMs - readMs)} ms`
  return [
    { name: `${name}: lock to unlock`, value: endedMs - beganMs, unit: 'ms', aim: CHANGE_AIM_MS, note },
    { name: `${name}: rows written`, value: written, unit: '', aim: ROWS_AIM },
  ]
}

/** Since the server began; sessions that are over have told of theirs. */
function writtenRows(server: Awaited<ReturnType<typeof startPostgres>>): number {
  server.sql('SELECT pg_sleep(1.5)', 'tests')
  return Number(server.sql('SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) FROM pg_stat_user_tables', 'tests'))
}
