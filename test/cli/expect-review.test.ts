// What was reviewed is what runs: an apply goes on only with the plan that somebody looked at.
import { readFileSync, writeFileSync } from 'node:fs'
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
