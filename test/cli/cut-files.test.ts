// A disk that is full in the middle of a new file: nothing of it stays, nor of those that were written before it.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'

/** What a file is called that is cut off, and how many of them were not closed. */
const disk = vi.hoisted(() => ({ full: '', open: 0 }))

vi.mock('node:fs', async (load) => {
  const real = await load<typeof fs>()
  const cut = new Set<number>()
  const openSync: typeof real.openSync = (path, ...rest) => {
    const file = real.openSync(path, ...rest)
    if (disk.full === '' || !String(path).includes(disk.full)) return file
    disk.open += 1
    cut.add(file)
    return file
  }
  const writeFileSync: typeof real.writeFileSync = (path, ...rest) => {
    if (typeof path !== 'number' || !cut.has(path)) return real.writeFileSync(path, ...rest)
    real.writeSync(path, 'cut o')
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  }
  const closeSync: typeof real.closeSync = (file) => {
    if (cut.delete(file)) disk.open -= 1
    real.closeSync(file)
  }
  const own = { openSync, writeFileSync, closeSync }
  return { ...real, ...own, default: { ...real, ...own } }
})

afterEach(() => void Object.assign(disk, { full: '', open: 0 }))

/** A project that manages nothing of what its service holds. */
async function stray(): Promise<OperatingBench> {
  const vpc = manifest('Vpc', 'stray', 'name: stray\ndescription: d\nrange: 10.20.0.0/24')
  const bench = await operatingBench(vpc + manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\nvpcs: [stray]'))
  for (const made of ['.iac', 'main.yaml']) rmSync(join(bench.folder, made), { recursive: true })
  return bench
}

test.each([
  ['instances.yaml', ['import', '--all']],
  ['vpcs.yaml', ['import', '--all']],
  ['instances.yaml', ['export', '--out', '.']],
  ['vpcs.yaml', ['export', '--out', '.']],
])('%s is not left behind by %j', async (name, words) => {
  const { folder, run } = await stray()
  disk.full = name
  expect(await run(words)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(new RegExp(`${name} cannot be written[^]*no space left`)) })
  expect([disk.open, readdirSync(folder).filter((one) => one.includes('.yaml'))]).toEqual([0, []])
})

test('a first manifest is not left behind by an init that cannot write it', async () => {
  const folder = newFolder()
  disk.full = 'network.yaml'
  expect(await runCli(['init'], { folder })).toMatchObject({ code: 1, stderr: expect.stringContaining('network.yaml cannot be written') })
  expect([disk.open, readdirSync(join(folder, 'infra'))]).toEqual([0, []])
})

test('what stands there already stays', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'infra'))
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\n')
  expect(await runCli(['init'], { folder })).toMatchObject({ code: 0, stdout: expect.not.stringContaining('iac.yaml') })
})
