// What was reviewed is what runs: an apply goes on only with the plan that somebody looked at.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

async function project() {
  const folder = newFolder()
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
  await runCli(['init'], { folder })
  return { folder, run }
}

async function reviewIn(run: (...words: string[]) => ReturnType<typeof runCli>): Promise<string> {
  const { stdout } = await run('plan', '--json')
  const { review } = JSON.parse(stdout)
  expect(review).toMatch(/^[0-9a-f]{64}$/)
  return review
}

test('the same plan, made anew, is carried out without a question, and another one ends with 6', async () => {
  const { folder, run } = await project()
  const review = await reviewIn(run)
  expect(await reviewIn(run)).toBe(review)
  writeFileSync(join(folder, 'infra/more.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: more }\nspec: { description: more, range: 10.77.0.0/24 }\n')
  const refused = await run('apply', '--expect-review', review)
  expect(refused.code, refused.stderr).toBe(6)
  expect(refused.stderr).toContain('the plan is not the one that was reviewed')
  expect(JSON.parse((await run('state', 'list', '--json')).stdout)).toEqual([])
  const next = await reviewIn(run)
  const done = await run('apply', '--expect-review', next)
  expect(done.code, done.stderr).toBe(0)
  expect(done.stdout).toContain('Apply complete!')
  expect((await run('apply', '--expect-review', next)).code).toBe(6)
})

test('before the first apply a reference to another new object ends with 6', async () => {
  const { folder, run } = await project()
  const vpc = (name: string, range: string) => `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { description: ${name}, range: ${range} }\n`
  const joining = (name: string) =>
    writeFileSync(
      join(folder, 'infra/web.yaml'),
      `apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: lightning-2, region: fra-1, vpcs: ["\${Vpc['${name}'].id}"] }\n`,
    )
  writeFileSync(join(folder, 'infra/more.yaml'), `${vpc('internal', '10.77.0.0/24')}---\n${vpc('dmz-public', '10.78.0.0/24')}`)
  joining('internal')
  const review = await reviewIn(run)
  joining('dmz-public')
  expect((await run('apply', '--expect-review', review)).code).toBe(6)
  // What was under way beside the question is not noted after its answer.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(readdirSync(join(folder, '.iac/sandbox')).filter((name) => name.startsWith('state.json') && !name.endsWith('.lock'))).toEqual([])
  expect(await reviewIn(run)).not.toBe(review)
  joining('internal')
  expect(await reviewIn(run)).toBe(review)
})

test('a saved plan is held against it, and what is no review is a mistake', async () => {
  const { folder, run } = await project()
  await run('plan', '--out', 'a.plan')
  expect((await run('apply', 'a.plan', '--expect-review', 'a'.repeat(64))).code).toBe(6)
  const path = join(folder, 'a.plan')
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, whole.replace(/"review": "[0-9a-f]{64}"/, `"review": "${'a'.repeat(64)}"`))
  expect((await run('apply', 'a.plan', '--expect-review', 'a'.repeat(64))).code).toBe(9)
  writeFileSync(path, whole)
  for (const text of ['', 'abc']) expect((await run('apply', '--expect-review', text)).code).toBe(3)
  expect((await run('apply', 'a.plan', '--expect-review', await reviewIn(run))).code).toBe(0)
})

test('it is of the values that variables had where these change what is done, and tells none that is secret', async () => {
  const folder = newFolder()
  const declared = '  word: { type: string }\n  unused: { type: string, default: x }\n  key: { type: string, sensitive: true }\n'
  const outputs = '  known: { value: "${vars.word} ${Vpc[\'main\'].id}" }\n'
  const spec = 'name: main, range: 10.0.0.0/24'
  const writes = (description: string) => {
    writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nvariables:\n${declared}outputs:\n${outputs}`)
    writeFileSync(join(folder, 'main.yaml'), `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { ${spec}, description: "${description}" }\n`)
  }
  const run = (word: string, key: string, ...words: string[]) =>
    runCli([...words, '--sandbox', '--var', `word=${word}`], { folder, environment: { IAC_VAR_key: key } })
  const reviewFor = (word: string, key: string, ...words: string[]) => reviewIn((...more) => run(word, key, ...more, ...words))
  // Of what is not known yet an output alone changes with the variable.
  writes('plain')
  const review = await reviewFor('ours', 'MarkerKey1')
  expect(await reviewFor('theirs', 'MarkerKey1')).not.toBe(review)
  expect((await run('theirs', 'MarkerKey1', 'apply', '--expect-review', review)).code).toBe(6)
  expect(await reviewFor('ours', 'MarkerKey1', '--var', 'unused=y')).toBe(review)
  expect((await run('ours', 'MarkerKey1', 'apply', '--expect-review', review)).code).toBe(0)
  for (const description of ['${vars.word} of us', '${vars.key} of us']) {
    writes(description)
    const changed = await reviewFor('next', 'MarkerKey2')
    expect(await reviewFor('other', 'MarkerKey2')).not.toBe(changed)
    const otherKey = await reviewFor('next', 'MarkerKey3')
    expect(otherKey === changed).toBe(!description.includes('key'))
    const { stdout } = await run('next', 'MarkerKey2', 'plan', '--json')
    expect(stdout).not.toContain('MarkerKey')
  }
})
