// What loading many documents costs, with an empty and with a warm parse cache: `iac validate` as a whole process.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { estate } from './estate.ts'
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

/** What a `validate` may take: a multiple of the bare parse with an empty cache, milliseconds with a warm one. */
const AIMS = { cold: 1.5, warmMs: 200 }

/** Validates `size` resources, cold and warm, beside the bare parse of their files. */
export async function validateRows({ run, main, bench, scratch, repeats }: Plans, size: number): Promise<Row[]> {
  const folder = join(scratch, 'validated')
  const cache = join(scratch, 'validated-cache')
  await mkdir(folder, { recursive: true })
  for (const [file, text] of Object.entries(estate(size, 'documents'))) await writeFile(join(folder, file), text)
  const environment = { XDG_CACHE_HOME: cache }
  const parse = join(dirname(bench), 'parse.mjs')
  const [bare, cold, warm]: [Took[], Took[], Took[]] = [[], [], []]
  for (let turn = 0; turn < repeats; turn += 1) {
    await rm(cache, { recursive: true, force: true })
    bare.push(await run([parse, folder], { folder, environment }))
    // What is kept of the program itself is no matter of the files.
    await run([main, 'version'], { folder, environment })
    cold.push(await run([main, 'validate'], { folder, environment }))
    warm.push(await run([main, 'validate'], { folder, environment }))
  }
  const [bareMs, coldMs, warmMs] = [bare, cold, warm].map((took) => median(took.map((one) => one.wallMs)))
  const name = `validate of ${size.toLocaleString('en-US')}`
  const note = `${Math.round(coldMs ?? 0)} ms against ${Math.round(bareMs ?? 0)} ms`
  return [
    { name: `${name}, cold: wall / bare parse`, value: (coldMs ?? 0) / (bareMs ?? 1), unit: '', aim: AIMS.cold, note },
    { name: `${name}, warm: wall`, value: warmMs ?? 0, unit: 'ms', aim: AIMS.warmMs },
  ]
}
