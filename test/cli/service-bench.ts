// A service of the managed cluster, deployed once or twice, for commands that operate it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'

export const around = `${manifest('Instance', 'node', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')}${manifest('K3sCluster', 'main', '')}${manifest('K3sNode', 'one', 'instance: node')}`
export const shop = (image: string, ...more: readonly string[]): string =>
  manifest('K3sService', 'shop', [`image: ${image}`, 'mode: SPREAD', 'target_instances: [node]', ...more].join('\n'))

export async function isShown({ run }: OperatingBench): Promise<{ readonly image: string; readonly status: string }> {
  const [{ service }] = JSON.parse((await run(['get', 'k3sservices', '--json'])).stdout).map((one: object) => ('service' in one ? one : { service: one }))
  return { image: service.image, status: service.status }
}

/** A bench whose reads lag by so much, as its project says. */
export async function benchOf(manifests: string, given: Parameters<typeof operatingBench>[1] = {}, grace = '100ms'): Promise<OperatingBench> {
  const bench = await operatingBench(manifests, given)
  writeFileSync(join(bench.folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nprovider: { compat: { settle_window: ${grace}, read_grace: ${grace} } }\n`)
  return bench
}

export async function deployedTwice(given: Parameters<typeof operatingBench>[1] = {}): Promise<OperatingBench> {
  const bench = await benchOf(around + shop('nginx:1.27'), given)
  writeFileSync(join(bench.folder, 'main.yaml'), around + shop('nginx:1.28'))
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
  return bench
}

/** The bodies of the updates that an apply sends; after it nothing is open, in doubt or different. */
export async function settledByApply(bench: OperatingBench): Promise<readonly unknown[]> {
  const bodies: unknown[] = []
  bench.sandbox.faults.hook = ({ operation, body }) => void (operation === 'updateK3sService' && bodies.push(JSON.parse(body ?? '')))
  expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  bench.sandbox.faults.hook = undefined
  expect((await bench.run(['status'])).stdout).toContain('Nothing is unfinished.')
  expect((await bench.run(['state', 'show', 'K3sService/shop'])).stdout).not.toContain('uncertain')
  expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
  expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
  return bodies
}
