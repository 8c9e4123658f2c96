// What a sandbox costs: the process until it answers, and a tenant of one that runs.
import { spawn } from 'node:child_process'
import { virtualClock } from '../../src/base/clock.ts'
import { createHost } from '../../src/sandbox/host.ts'
import type { Plans } from './noop-plan.ts'
import type { Row } from './rows.ts'
import { median } from './rows.ts'

const START_AIM_MS = 150
const TENANT_AIM_MS = 5
const TENANTS = 200

/** From the start of the process to the line that says it is ready, against node that prints one; and tenants one by one. */
export async function sandboxRows({ main, scratch, repeats }: Pick<Plans, 'main' | 'scratch' | 'repeats'>): Promise<Row[]> {
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < repeats * 3; turn += 1) {
    ours.push(await untilLine([main, 'sandbox', '--json'], scratch))
    bare.push(await untilLine(['-e', 'console.log(1); setTimeout(() => undefined, 60000)'], scratch))
  }
  const tenants = tenantMs()
  return [
    { name: '`iac sandbox` until it is ready', value: median(ours), unit: 'ms', aim: START_AIM_MS, note: `bare node ${median(bare).toFixed(0)} ms` },
    { name: 'a tenant', value: median(tenants), unit: 'ms', aim: TENANT_AIM_MS, note: `the slowest of ${TENANTS}: ${Math.max(...tenants).toFixed(1)} ms` },
  ]
}

function untilLine(args: readonly string[], folder: string): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, [...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => {
      resolve(performance.now() - start)
      child.kill('SIGTERM')
    })
    child.on('error', reject)
    child.on('exit', (code) => reject(new Error(`ended with ${code} before it was ready`)))
  })
}

/** The first of them pays for what all share. */
function tenantMs(): number[] {
  const { tenants } = createHost({ base: virtualClock(), mode: 'frozen', controlToken: 'x', version: '0' })
  tenants.create({})
  return Array.from({ length: TENANTS }, () => {
    const start = performance.now()
    tenants.create({})
    return performance.now() - start
  })
}
