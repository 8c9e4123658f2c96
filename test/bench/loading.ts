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
  const environment = { XDG_CACHE_HOME: cache, IAC_VAR_password: fleetVariables.password, IAC_PLAN_CACHE: 'off' }
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

/** What a `validate` may take: a multiple of the bare parse where nothing of the files is known, milliseconds where nothing of them changed. */
const AIMS = { cold: 1.5, warmMs: 200 }

/** Validates `size` resources beside the bare parse of their files: for the first time, again, and with one file changed. */
export async function validateRows({ run, main, bench, scratch, repeats }: Plans, size: number): Promise<Row[]> {
  const folder = join(scratch, 'validated')
  const other = join(scratch, 'validated-before')
  const files = Object.entries(estate(size, 'documents'))
  const [changed = '', text = ''] = files[0] ?? []
  for (const one of [folder, other]) await mkdir(one, { recursive: true })
  for (const [file, content] of files) await writeFile(join(folder, file), content)
  await writeFile(join(other, changed), text)
  const cache = join(scratch, 'validated-cache')
  const environment = { XDG_CACHE_HOME: cache }
  const took: Record<'bare' | 'cold' | 'warm' | 'edited', Took[]> = { bare: [], cold: [], warm: [], edited: [] }
  for (let turn = 0; turn < repeats; turn += 1) {
    await writeFile(join(folder, changed), text)
    await rm(cache, { recursive: true, force: true })
    // What is kept of the program itself is no matter of the files.
    await run([main, 'validate'], { folder: other, environment })
    took.bare.push(await run([join(dirname(bench), 'parse.mjs'), folder], { folder, environment }))
    took.cold.push(await run([main, 'validate'], { folder, environment }))
    took.warm.push(await run([main, 'validate'], { folder, environment }))
    await writeFile(join(folder, changed), `${text}# changed\n`)
    took.edited.push(await run([main, 'validate'], { folder, environment }))
  }
  const ms = (of: keyof typeof took): number => median(took[of].map((one) => one.wallMs))
  // Of a turn, in which both met the same machine.
  const multiples = took.cold.map(({ wallMs }, turn) => wallMs / (took.bare[turn]?.wallMs ?? 0))
  const name = `validate of ${size.toLocaleString('en-US')}`
  const note = `${Math.round(ms('cold'))} ms against ${Math.round(ms('bare'))} ms`
  return [
    { name: `${name}, cold: wall / bare parse`, value: median(multiples), unit: '', aim: AIMS.cold, note },
    { name: `${name}, warm, told again: wall`, value: ms('warm'), unit: 'ms', aim: AIMS.warmMs },
    { name: `${name}, one document changed: wall`, value: ms('edited'), unit: 'ms' },
  ]
}
