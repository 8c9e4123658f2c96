// What starting costs: `iac version` as a whole process against node that does nothing, on node and as the executable of a release.
import { spawnSync } from 'node:child_process'
import type { Plans } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'

const AIM = 1.5
/** What node that does nothing took where the aims in milliseconds were set. */
const AIMED_NODE_MS = 50

/** How fast the machine is at this moment: to be read beside every aim in milliseconds. */
export function machineRow(repeats: number, when: string): Row {
  const bare = Array.from({ length: repeats * 3 }, () => wallMs(process.execPath, ['-e', '0']))
  return { name: `bare node ${when}, wall`, value: median(bare), unit: 'ms', note: `aims in ms are of a machine where it takes ${AIMED_NODE_MS} ms` }
}

/** Both are run in turns, so that a busy machine slows both. */
export async function startRows({ run, main, repeats }: Pick<Plans, 'run' | 'main' | 'repeats'>): Promise<Row[]> {
  const bare: number[] = []
  const version: number[] = []
  const bareCpu: number[] = []
  const versionCpu: number[] = []
  for (let turn = 0; turn < repeats * 3; turn += 1) {
    const nothing = await run(['-e', '0'])
    const ours = await run([main, 'version'])
    bare.push(nothing.wallMs)
    bareCpu.push(nothing.cpuMs)
    version.push(ours.wallMs)
    versionCpu.push(ours.cpuMs)
  }
  const note = `${median(version).toFixed(0)} ms against ${median(bare).toFixed(0)} ms; CPU ${(median(versionCpu) / median(bareCpu)).toFixed(2)} times`
  return [{ name: '`iac version` / bare node, wall', value: median(version) / median(bare), unit: '', aim: AIM, note }]
}

/** What the executable is made of, and the executable itself. */
export interface Executable {
  readonly node: string
  readonly executable: string
}

/** Without measuring from inside, which its node would have to load first. */
export function executableRows({ node, executable }: Executable, repeats: number): readonly Row[] {
  const [bare, version]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < repeats * 5; turn += 1) {
    bare.push(wallMs(node, ['-e', '0']))
    version.push(wallMs(executable, ['version']))
  }
  const note = `${median(version).toFixed(0)} ms against ${median(bare).toFixed(0)} ms`
  return [{ name: '`iac version` of the executable / its bare node, wall', value: median(version) / median(bare), unit: '', aim: AIM, note }]
}

function wallMs(program: string, words: readonly string[]): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return performance.now() - start
}
