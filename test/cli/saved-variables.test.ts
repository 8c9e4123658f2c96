// A saved plan is carried out by the variables that it was made with, and asks for none that it holds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const file = `apiVersion: iac/v1
kind: Project
name: shop
variables:
  word: { type: string }
  count: { type: int, default: 3 }
  sizes: { type: map, default: { a: 1 } }
  nets: { type: list, default: [n1, n2, n3] }
  key: { type: string, sensitive: true }
outputs:
  told: { value: "\${vars.word}-\${vars.count + 1}-\${vars.sizes.a + 1}" }
  known: { value: "\${vars.word} \${Vpc['main']['n1'].id}" }
`
const manifest = `apiVersion: iac/v1
kind: Vpc
metadata: { name: main, for_each: "\${vars.nets}" }
spec: { name: "net-\${each.key}", description: "\${vars.word}", range: 10.0.0.0/24 }
`

async function project() {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), file)
  writeFileSync(join(folder, 'net.yaml'), manifest)
  const environment = { IAC_VAR_key: 'a-secret-of-the-shop' }
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder, environment })
  const applied = async (...words: string[]) => {
    const made = await run('plan', ...words, '--out', 'a.plan')
    expect([0, 2], made.stderr).toContain(made.code)
    return run('apply', 'a.plan')
  }
  const outputs = async () => JSON.parse((await run('output', '--json')).stdout)
  return { folder, run, applied, outputs }
}

test('whatever the apply would give itself, outputs and manifests are those of the plan', async () => {
  const { run, applied, outputs } = await project()
  const given = ['--var', 'word=ours', '--var', 'count=2', '--var', 'sizes={a: 4}', '--var', 'nets=[n1, n2]'] as const
  const first = await applied(...given)
  expect(first.code, first.stderr).toBe(0)
  expect(await outputs()).toMatchObject({ told: { value: 'ours-3-5' }, known: { value: expect.stringMatching(/^ours \d+$/) } })
  expect(JSON.parse((await run('state', 'list', '--json')).stdout)).toHaveLength(2)
  // One goes: by the default its manifest would still be there.
  const less = await applied('--var', 'word=ours', '--var', 'nets=[n1]')
  expect(less.code, less.stderr).toBe(0)
  expect(JSON.parse((await run('state', 'list', '--json')).stdout)).toHaveLength(1)
  expect(await outputs()).toMatchObject({ told: { value: 'ours-4-2' } })
})

test('a flag that says otherwise is a mistake, and one that says the same is none', async () => {
  const { run } = await project()
  await run('plan', '--var', 'word=ours', '--out', 'a.plan')
  const other = await run('apply', 'a.plan', '--var', 'word=theirs')
  expect([other.code, other.stderr]).toEqual([3, expect.stringContaining('--var word gives another value than the plan was made with')])
  expect((await run('apply', 'a.plan', '--var', 'word=ours', '--var', 'count=3')).code).toBe(0)
})

test('a variable that has another type since is not taken from the plan, and one that is gone is not missed', async () => {
  const { folder, run } = await project()
  await run('plan', '--var', 'word=ours', '--out', 'a.plan')
  writeFileSync(join(folder, 'iac.yaml'), file.replace('count: { type: int, default: 3 }', 'count: { type: string, default: many }'))
  const other = await run('apply', 'a.plan')
  expect(other.code).toBe(3)
  writeFileSync(join(folder, 'iac.yaml'), file.replace(/ {2}sizes:.*\n/, '').replace('-${vars.sizes.a + 1}', ''))
  const less = await run('apply', 'a.plan')
  expect(less.code, less.stderr).toBe(0)
})
