// A signed plan is carried out by the variables that it was made with, and asks for none that it holds; one that nobody signed brings none.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const planKey = Buffer.alloc(32, 7).toString('base64')
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
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder, environment, planKey })
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

test('floats stay floats, whole ones too', async () => {
  const folder = newFolder()
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder, planKey })
  const values = `rates: { type: map, default: { a: 1.5, "b/c": [1.5] } }\n  any: { default: 1.5 }\n  large: { default: 1.5 }`
  const told = '"${vars.rates.a * 2.5} ${vars.rates[\'b/c\'][0] * 2.5} ${vars.any * 2.5} ${vars.large * 1.0}"'
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nvariables:\n  ${values}\noutputs: { told: { value: ${told} } }\n`)
  writeFileSync(join(folder, 'net.yaml'), manifest.replace('"${vars.nets}"', '[n1]').replace('"${vars.word}"', 'one'))
  writeFileSync(join(folder, 'vars.yaml'), 'rates: { a: 2.0, b/c: [3.0] }\nany: 2.0\nlarge: 1.0e+20\n')
  const made = await run('plan', '--var-file', 'vars.yaml', '--out', 'a.plan')
  expect([0, 2], made.stderr).toContain(made.code)
  const done = await run('apply', 'a.plan')
  expect(done.code, done.stderr).toBe(0)
  expect(JSON.parse((await run('output', '--json')).stdout)).toMatchObject({ told: { value: expect.stringMatching(/^5(?:\.0)? 7\.5 5(?:\.0)? 1/) } })
})

test('policies judge it by the variables of the apply', async () => {
  const folder = newFolder()
  const run = (environment: Record<string, string>, ...words: string[]) => runCli([...words, '--sandbox'], { folder, environment, planKey })
  const policy = `policies: [{ name: freeze, assert: "!vars.frozen", message: it is frozen }]`
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nvariables: { frozen: { type: bool, default: false } }\n${policy}\n`)
  writeFileSync(join(folder, 'net.yaml'), manifest.replace('"${vars.nets}"', '[n1]').replace('"${vars.word}"', 'one'))
  const made = await run({}, 'plan', '--out', 'a.plan')
  expect([0, 2], made.stderr).toContain(made.code)
  const frozen = await run({ IAC_VAR_frozen: 'true' }, 'apply', 'a.plan')
  expect([frozen.code, frozen.stderr]).toEqual([5, expect.stringContaining('it is frozen')])
  expect((await run({}, 'apply', 'a.plan')).code).toBe(0)
})

test('what is given wrongly and not used is no mistake, and an integer is no float of the same value', async () => {
  const folder = newFolder()
  const run = (environment: Record<string, string>, ...words: string[]) => runCli([...words, '--sandbox'], { folder, environment, planKey })
  const variables = 'variables: { any: { default: 2 }, count: { type: int, default: 1 } }'
  const outputs = 'outputs: { told: { value: "${string(vars.any * 2.5)} ${vars.count}" } }'
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${variables}\n${outputs}\n`)
  writeFileSync(join(folder, 'net.yaml'), manifest.replace('"${vars.nets}"', '[n1]').replace('"${vars.word}"', 'one'))
  writeFileSync(join(folder, 'vars.yaml'), 'any: 2.0\n')
  const made = await run({}, 'plan', '--var-file', 'vars.yaml', '--out', 'a.plan')
  expect([0, 2], made.stderr).toContain(made.code)
  const done = await run({ IAC_VAR_count: 'many' }, 'apply', 'a.plan')
  expect(done.code, done.stderr).toBe(0)
  expect(JSON.parse((await run({}, 'output', '--json')).stdout)).toMatchObject({ told: { value: '5 1' } })
})

test('a plan that nobody signed brings no variable: altered, it could have secrets written elsewhere', async () => {
  const folder = newFolder()
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nvariables: { word: { type: string } }\n')
  writeFileSync(join(folder, 'net.yaml'), manifest.replace('"${vars.nets}"', '[n1]'))
  const made = await run('plan', '--var', 'word=ours', '--out', 'a.plan')
  expect([0, 2], made.stderr).toContain(made.code)
  const bare = await run('apply', 'a.plan')
  expect([bare.code, bare.stderr]).toEqual([3, expect.stringContaining('the variable word has no value')])
  const done = await run('apply', 'a.plan', '--var', 'word=ours')
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('another value')])
  const again = await run('plan', '--var', 'word=theirs', '--out', 'a.plan')
  expect([0, 2], again.stderr).toContain(again.code)
  const other = await run('apply', 'a.plan', '--var', 'word=ours')
  expect([other.code, other.stderr]).toEqual([0, expect.stringContaining('the plan was made with another value of word than this run has')])
})
