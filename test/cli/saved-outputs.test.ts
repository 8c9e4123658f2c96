// A plan file tells the outputs as the plan did that it was made by: against those that were recorded then.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const canary = 'canary-of-an-output'
const project = `apiVersion: iac/v1
kind: Project
name: shop
variables: { password: { type: string, sensitive: true } }
outputs: { network: { value: "\${Vpc['main'].id}" }, password: { value: "\${vars.password}", sensitive: true } }
`
const network = (description: string) =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: ${description}, range: 10.3.0.0/24 }\n`

test('outputs that stay are no change in what is shown of a plan file, and new ones are', async () => {
  const folder = newFolder()
  const run = (...words: string[]) => runCli(words, { folder, environment: { IAC_VAR_password: canary } })
  const told = async (format: string) => (await run('show', 'a.plan', '--format', format)).stdout
  writeFileSync(join(folder, 'iac.yaml'), project)
  writeFileSync(join(folder, 'main.yaml'), network('one'))
  await run('plan', '--sandbox', '--out', 'a.plan')
  expect(await told('markdown')).toContain('network')
  expect((await run('apply', '--sandbox', 'a.plan')).code).toBe(0)

  await run('plan', '--sandbox', '--out', 'a.plan')
  expect(await told('dotenv')).toContain('IAC_CHANGES=false\n')
  expect(await told('markdown')).not.toContain('network')
  expect(JSON.parse(await told('terraform-json')).output_changes.network.actions).toEqual(['no-op'])
  expect(await told('json')).not.toContain(canary)

  writeFileSync(join(folder, 'main.yaml'), network('two'))
  await run('plan', '--sandbox', '--out', 'a.plan')
  expect(await told('markdown')).not.toContain('network = ')
  expect(JSON.parse(await told('terraform-json')).output_changes.network.actions).toEqual(['no-op'])
  expect((await run('apply', '--sandbox', 'a.plan')).code).toBe(0)

  writeFileSync(join(folder, 'iac.yaml'), project.replace('network:', 'net:'))
  await run('plan', '--sandbox', '--out', 'a.plan')
  expect(await told('dotenv')).toContain('IAC_CHANGES=true\n')
  expect(await told('markdown')).toMatch(/- +network = /)
  expect(await told('markdown')).toMatch(/\+ +net +=/)
})
