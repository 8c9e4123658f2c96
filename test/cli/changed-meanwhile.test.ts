// A project that changes while an apply waits or asks: what has a manifest by then is not destroyed for having had none.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'

const vpc = (name: string, octet: number): string => manifest('Vpc', name, `name: ${name}\ndescription: d\nrange: 10.${octet}.0.0/24`)

test.each([['its manifest came back'], ['it was imported under another file']])('nothing is destroyed where %s after the project was read', async (why) => {
  const bench = await operatingBench(vpc('main', 1) + vpc('other', 2))
  const main = join(bench.folder, 'main.yaml')
  writeFileSync(main, vpc('main', 1))
  const [name, text] = why.includes('import') ? ['vpcs.yaml', vpc('other', 2)] : ['main.yaml', vpc('main', 1) + vpc('other', 2)]
  bench.sandbox.faults.hook = ({ method }) => {
    if (method === 'GET') writeFileSync(join(bench.folder, name), text)
    return undefined
  }
  const { code, stderr } = await bench.run(['apply', '--auto-approve'])
  expect([code, stderr]).toEqual([6, expect.stringMatching(/Vpc\/\w+ has a manifest by now, and the plan is made without one[^]*run again/)])
  expect(bench.sandbox.world.tables.vpcs.all()).toHaveLength(2)
  expect((await bench.run(['apply', '--auto-approve'])).stdout).toContain('0 added, 0 changed, 0 destroyed')
})

test('what has none then either is destroyed', async () => {
  const bench = await operatingBench(vpc('main', 1) + vpc('other', 2))
  writeFileSync(join(bench.folder, 'main.yaml'), vpc('main', 1))
  expect((await bench.run(['apply', '--auto-approve'])).stdout).toContain('1 destroyed')
})

test.each([
  ['moved', 'moved: [{ from: Vpc/other, to: Vpc/newer }]\n', vpc('newer', 2)],
  ['removed', 'removed: [{ address: Vpc/other, destroy: false }]\n', ''],
])('nothing is destroyed where a %s block came after the project was read', async (_, block, more) => {
  const bench = await operatingBench(vpc('main', 1) + vpc('other', 2))
  writeFileSync(join(bench.folder, 'main.yaml'), vpc('main', 1))
  bench.sandbox.faults.hook = ({ method }) => {
    if (method !== 'GET') return undefined
    writeFileSync(join(bench.folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\n${block}`)
    writeFileSync(join(bench.folder, 'main.yaml'), vpc('main', 1) + more)
    return undefined
  }
  expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 6, stderr: expect.stringContaining('moved or removed blocks have changed') })
  expect(bench.sandbox.world.tables.vpcs.all()).toHaveLength(2)
})

test('nothing is forgotten that has a manifest by then', async () => {
  const kept = vpc('other', 2).replace('name: other\n', 'name: other\n  lifecycle: { on_remove: retain }\n')
  expect(kept).toContain('retain')
  const bench = await operatingBench(vpc('main', 1) + kept)
  writeFileSync(join(bench.folder, 'main.yaml'), vpc('main', 1))
  bench.sandbox.faults.hook = ({ method }) => {
    if (method === 'GET') writeFileSync(join(bench.folder, 'main.yaml'), vpc('main', 1) + kept)
    return undefined
  }
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(6)
  expect((await bench.run(['apply', '--auto-approve'])).stdout).toContain('0 added, 0 changed, 0 destroyed')
})
