// An apply from nothing as a whole process, beside a probe that sends the same changes and makes the same bytes durable.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringifyJson } from '../../src/base/json.ts'
import { durationMs } from '../../src/sandbox/time/durations.ts'
import { createWorld } from '../builders/world.ts'
import { estate } from './estate.ts'
import type { Layout } from './estate.ts'
import { roomyQuota } from './fleet.ts'
import { middle } from './measured-process.ts'
import type { Took } from './measured-process.ts'
import type { Plans } from './noop-plan.ts'
import { environmentOf, LATENCY_MS, writeAll } from './noop-plan.ts'
import { createOrderedProbe, stepsOf } from './ordered-probe.ts'
import type { Order } from './ordered-probe.ts'
import { createProbe } from './probe.ts'
import type { Row } from './rows.ts'
import type { Asked } from './service.ts'
import { routesOf, startService } from './service.ts'

const MULTIPLE_AIM = 1.5
/** The order of more is not sought: every request is held against all before it. */
const MOST_ORDERED = 10_000

/** Each turn begins with a new service and no state; the probes look at no workflow, but one waits as long as the longest chain of them takes, the other for each before what needs it. */
export async function applyRows(plans: Plans, size: number, layout: Layout): Promise<Row[]> {
  const snapshotFile = join(plans.scratch, 'nothing.json')
  await writeFile(snapshotFile, stringifyJson(createWorld({ sandbox: { quota: roomyQuota } }).sandbox.snapshot()))
  const folder = join(plans.scratch, `apply-${layout}-${size}`)
  const files = Object.entries(estate(size, layout))
  const probe = await createProbe(plans.run, plans.scratch)
  const orderedProbe = await createOrderedProbe(plans.run, plans.scratch)
  const [ours, bound, ordered]: [Took[], Took[], Took[]] = [[], [], []]
  let asked: Asked = { requests: [], peak: 0 }
  for (let turn = 0; turn < plans.repeats; turn += 1) {
    await rm(folder, { recursive: true, force: true })
    await writeAll(folder, files)
    const service = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists: 'full', noteIds: true })
    const took = await plans.run([plans.main, 'apply', '--auto-approve'], { folder, environment: environmentOf(plans, service, {}) })
    asked = await service.asked()
    service.close()
    const other = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists: 'full' })
    const durable = { sizeBytes: took.writtenBytes, syncs: took.syncs, file: join(plans.scratch, 'durable') }
    const chainMs = durationMs('instance.create', 'fast') + durationMs('firewall.create', 'fast')
    const paths = files.map(([name]) => join(folder, name))
    bound.push(await probe({ ...other, files: paths, asked: { requests: needed(asked), peak: asked.peak }, durable, chainMs }))
    other.close()
    ours.push(took)
    if (size > MOST_ORDERED) continue
    const third = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists: 'full' })
    ordered.push(await orderedProbe({ ...third, files: paths, steps: stepsOf(needed(asked), order), peak: asked.peak, durable }))
    third.close()
  }
  const title = `apply of ${size.toLocaleString('en-US')} as ${layout}`
  const note = `${Math.round(middle(ours, 'wallMs'))} ms against ${Math.round(middle(bound, 'wallMs'))} ms; ${middle(ours, 'syncs')} fsyncs`
  const routes = routesOf(asked).map(([route, count]) => `${count} ${route.replace('/v1/', '')}`)
  return [
    { name: `${title}: wall / probe`, value: middle(ours, 'wallMs') / middle(bound, 'wallMs'), unit: '', aim: MULTIPLE_AIM, note },
    ...(ordered.length === 0 ? [] : [orderedRow(title, ours, ordered)]),
    { name: `${title}: CPU`, value: middle(ours, 'cpuMs'), unit: 'ms', note: `probe ${Math.round(middle(bound, 'cpuMs'))} ms` },
    { name: `${title}: memory`, value: middle(ours, 'memoryMib'), unit: 'MiB' },
    { name: `${title}: requests`, value: asked.requests.length, unit: '', note: `${needed(asked).length} in the probe; ${routes.slice(0, 4).join(', ')}` },
  ]
}

function orderedRow(title: string, ours: readonly Took[], ordered: readonly Took[]): Row {
  return {
    name: `${title}: wall / probe in order`,
    value: middle(ours, 'wallMs') / middle(ordered, 'wallMs'),
    unit: '',
    aim: MULTIPLE_AIM,
    note: `against ${Math.round(middle(ordered, 'wallMs'))} ms, CPU ${Math.round(middle(ordered, 'cpuMs'))} ms`,
  }
}

/** An instance is made after the keys that it gets, and rules of an instance after the one that lets SSH in. */
const order: Order = {
  readyMs({ method, path }) {
    if (method !== 'POST') return 0
    if (path.endsWith('/instances')) return durationMs('instance.create', 'fast')
    return path.endsWith('/firewall-rules') ? durationMs('firewall.create', 'fast') : 0
  },
  follows(later, earlier) {
    if (later.method !== 'POST' || earlier.method !== 'POST') return false
    if (later.path.endsWith('/instances')) return earlier.path.endsWith('/ssh')
    return later.path.endsWith('/firewall-rules') && later.path === earlier.path && opensSsh(earlier) && !opensSsh(later)
  },
}

function opensSsh({ body = '' }: Asked['requests'][number]): boolean {
  return /"port_start":22\b/.test(body)
}

/** Everything that changes something, and what was read before the first of it. */
function needed({ requests }: Asked): Asked['requests'] {
  const first = requests.findIndex(({ method }) => method !== 'GET')
  return requests.filter(({ method }, at) => method !== 'GET' || at < first)
}
