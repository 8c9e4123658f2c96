// A plan that is saved beside what an earlier run left says what will become of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'

test('its apply settles that and ends with 6, the next plan is carried out, as it was said', async () => {
  const vpc = (name: string, range: string): string => manifest('Vpc', name, `name: ${name}-net\ndescription: of ${name}\nrange: ${range}`)
  const { run, sandbox, folder } = await operatingBench(vpc('first', '10.1.0.0/24'))
  writeFileSync(join(folder, 'more.yaml'), vpc('second', '10.2.0.0/24'))
  sandbox.faults.hook = ({ operation }) => (operation === 'createVpc' ? { reset: 'before' } : undefined)
  expect((await run(['apply', '--auto-approve'])).code).toBe(8)
  sandbox.faults.hook = undefined
  const said = 'a.plan will be stale: carrying it out settles what an earlier run left, and ends with 6; the next plan is carried out\n'
  const ends: unknown[] = []
  for (let turn = 0; turn < 2; turn += 1) {
    const { code, stderr } = await run(['plan', '--out', 'a.plan'])
    ends.push([code, stderr.includes(said), (await run(['apply', 'a.plan'])).code])
  }
  expect(ends).toEqual([
    [0, true, 6],
    [0, false, 0],
  ])
})
