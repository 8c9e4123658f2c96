// What starting costs: `iac version` as a whole process against node that does nothing.
import type { Plans } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'

const AIM = 1.5

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
