// What loading many documents costs, with an empty and with a warm parse cache: `iac validate` as a whole process.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fleet, fleetVariables } from './fleet.ts'
import type { Took } from './measured-process.ts'
import type { Plans } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'

/** Loads `size` documents, cold and warm in turns. */
export async function loadingRows({ run, main, scratch, repeats }: Plans, size: number): Promise<Row[]> {
  const folder = join(scratch, `documents-${size}`)
  const cache = join(scratch, `documents-${size}-cache`)
  await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(fleet(size))) await writeFile(join(folder, file), text)
  const environment = { XDG_CACHE_HOME: cache, IAC_VAR_password: fleetVariables.password }
  const cold: Took[] = []
  const warm: Took[] = []
  for (let turn = 0; turn < repeats; turn += 1) {
    await rm(cache, { recursive: true, force: true })
    cold.push(await run([main, 'validate'], { folder, environment }))
    warm.push(await run([main, 'validate'], { folder, environment }))
  }
  const name = `load ${size.toLocaleString('en-US')} documents`
  const both = (state: string, took: typeof cold): Row => ({
    name: `${name}, ${state}`,
    value: median(took.map((one) => one.wallMs)),
    unit: 'ms',
    note: `CPU ${Math.round(median(took.map((one) => one.cpuMs)))} ms, ${Math.round(median(took.map((one) => one.memoryMib)))} MiB`,
  })
  return [both('cold', cold), both('warm', warm)]
}
