// Which environment a run is for: the one asked for, the project's default, or none, which is said first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const vpc = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main-net, description: d, range: 10.0.0.0/24 }\n'

function project(lines: string): (...words: string[]) => Promise<Ran> {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${lines}`)
  writeFileSync(join(folder, 'main.yaml'), vpc)
  return (...words) => runCli([...words, '--sandbox'], { folder })
}

const two = 'environments: { staging: {}, production: {} }\n'
const said = "No environment is chosen: this is for the project's own state, .iac/sandbox/state.json.\nEnvironments of iac.yaml: staging, production"

test('a plan without an environment begins by naming its state, and what environments there are', async () => {
  const run = project(two)
  expect((await run('plan')).stdout.startsWith(said)).toBe(true)
  expect((await run('apply', '--auto-approve')).stdout.startsWith(said)).toBe(true)
  expect((await run('destroy', '--auto-approve')).stdout.startsWith(said)).toBe(true)
  expect((await run('plan', '-e', 'staging')).stdout).not.toContain('No environment')
  expect((await project('')('plan')).stdout).not.toContain('nvironment')
})

test('default_environment is what -e is when it is not given', async () => {
  const run = project(`default_environment: staging\n${two}`)
  expect((await run('plan')).stdout).not.toContain('No environment')
  expect(JSON.parse((await run('plan', '--json')).stdout)).toMatchObject({ environment: 'staging' })
  await run('apply', '--auto-approve')
  expect((await run('state', 'list')).stdout).toBe('Vpc/main\n')
  expect((await run('state', 'list', '-e', 'staging')).stdout).toBe('Vpc/main\n')
  expect((await run('state', 'list', '-e', 'production')).stderr).toMatch(/no state yet at .*state-production\.json/)
  expect(JSON.parse((await run('plan', '--json', '-e', 'production')).stdout)).toMatchObject({ environment: 'production' })
})

test.each([[[]], [['-e', 'staging']]])('a default that is not declared is a mistake at its place, with %j too', async (flags) => {
  const { code, stderr } = await project(`default_environment: stagng\n${two}`)('plan', ...flags)
  expect([code, stderr]).toEqual([3, expect.stringMatching(/no environment "stagng" is declared\n.*iac\.yaml:4:22[\s\S]*did you mean "staging"\?/)])
  expect(stderr.match(/stagng" is/g)).toHaveLength(1)
})
