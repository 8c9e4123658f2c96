// Taking over what nobody declared: export, a plan of what it wrote, and `import --all`, each as a whole process in a folder that holds nothing, 20 ms a call.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringifyJson } from '../../src/base/json.ts'
import { createWorld } from '../builders/world.ts'
import { estate } from './estate.ts'
import { roomyQuota } from './fleet.ts'
import { middle } from './measured-process.ts'
import type { Took } from './measured-process.ts'
import type { Plans } from './noop-plan.ts'
import { environmentOf, LATENCY_MS } from './noop-plan.ts'
import type { Row } from './rows.ts'
import type { Asked } from './service.ts'
import { routesOf, startService } from './service.ts'

const AIM_MS = 10_000

interface Measured {
  readonly took: Took[]
  asked: Asked
}

/** Each command by its title; of a thousand objects and more, made by an apply whose state nobody kept. */
export async function takingOverRows(plans: Plans, size: number): Promise<Row[]> {
  const world = createWorld({ sandbox: { quota: roomyQuota, profile: 'instant' } })
  const { outcome } = await world.apply(estate(size, 'documents'))
  if (outcome?.added !== size) throw new Error(`only ${outcome?.added ?? 0} of ${size} were made`)
  const snapshotFile = join(plans.scratch, 'unmanaged.json')
  await writeFile(snapshotFile, stringifyJson(world.sandbox.snapshot()))
  const service = await startService(plans.bench, { snapshotFile, latencyMs: LATENCY_MS, lists: 'full' })
  const all = new Map<string, Measured>()
  const environment = environmentOf(plans, service, {})
  const once = async (title: string, folder: string, words: readonly string[]): Promise<void> => {
    const took = await plans.run([plans.main, ...words], { folder, environment })
    const row = all.get(title) ?? { took: [], asked: { requests: [], peak: 0 } }
    row.took.push(took)
    row.asked = await service.asked()
    all.set(title, row)
  }
  try {
    for (let turn = 0; turn < plans.repeats; turn += 1) {
      const written = await emptyFolder(join(plans.scratch, 'exported'))
      await once('export', written, ['export', '--out', '.'])
      await once('plan of what was exported', written, ['plan'])
      await once('import --all', await emptyFolder(join(plans.scratch, 'imported')), ['import', '--all'])
    }
  } finally {
    service.close()
  }
  return [...all].flatMap(([title, one]) => rowsOf(`${title}, ${size.toLocaleString('en-US')} objects`, one))
}

function rowsOf(title: string, { took, asked }: Measured): Row[] {
  const routes = routesOf(asked).map(([route, count]) => `${count} ${route.replace('/v1/', '')}`)
  const note = `CPU ${Math.round(middle(took, 'cpuMs'))} ms, ${Math.round(middle(took, 'memoryMib'))} MiB; ${took.at(-1)?.output.trimEnd().split('\n').at(-1) ?? ''}`
  return [
    { name: `${title}: wall`, value: middle(took, 'wallMs'), unit: 'ms', aim: AIM_MS, note },
    { name: `${title}: requests`, value: asked.requests.length, unit: '', note: `${asked.peak} at once; ${routes.slice(0, 4).join(', ')}` },
  ]
}

async function emptyFolder(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}
