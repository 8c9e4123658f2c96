// What failed is told by address, whatever ended first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f']

test('operations that failed are told in the order of their addresses, not in that of their ends', async () => {
  const bench = await operatingBench('')
  const manifests = names.map((name, at) => manifest('Vpc', name, `name: net-${name}\ndescription: d\nrange: 10.20.${at}.0/24`))
  writeFileSync(join(bench.folder, 'main.yaml'), manifests.join(''))
  bench.sandbox.faults.hook = ({ operation, body }) => {
    const at = names.findIndex((name) => body?.includes(`net-${name}`) === true)
    return operation === 'createVpc' ? { status: 403, delayMs: 200 * (names.length - at) } : undefined
  }
  const { code, stderr } = await bench.run(['apply', '--auto-approve', '--parallelism', '6'])
  expect([code, stderr]).toEqual([4, expect.stringMatching(/error: Vpc\/a: [^]*\n {2}and 5 more like this: Vpc\/b, Vpc\/c, Vpc\/d, Vpc\/e, Vpc\/f\n/)])
})
