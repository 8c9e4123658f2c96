// A plan file tells outputs and names as the plan did that it was made by: those that were recorded and found then.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
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

test('a plan file is shown as the plan was: names beside ids, the workspace, what changes in the outputs, and those of what goes', async () => {
  const folder = newFolder()
  const run = (...words: string[]) => runCli(words, { folder, environment: { IAC_VAR_password: canary } })
  const planned = async (...flags: string[]) => {
    const forms = ['--format', 'markdown=fresh.md', '--format', 'html=fresh.html', '--format', 'text=fresh.txt']
    expect((await run('plan', '--sandbox', '--verbose', '--out', 'a.plan', ...forms, ...flags)).code).toBe(0)
    const fresh = (name: string) => readFileSync(join(folder, name), 'utf8')
    const shown = async (format: string) => (await run('show', 'a.plan', '--verbose', '--format', format)).stdout
    expect(await shown('markdown')).toBe(fresh('fresh.md'))
    // Where things are declared is not in the plan, and that the service is embedded is said of a saved one alone.
    expect(await shown('html')).toBe(fresh('fresh.html').replaceAll(/<p class="where">declared in [^<]*<\/p>\n| · declared in [^ <]*/g, ''))
    expect(await shown('text')).toBe(`Planned against the embedded service (--sandbox): nothing of what is live is in it.\n\n${fresh('fresh.txt')}`)
    expect(readFileSync(join(folder, 'a.plan'), 'utf8')).not.toContain(canary)
    return { text: fresh('fresh.txt'), markdown: fresh('fresh.md'), html: fresh('fresh.html') }
  }
  writeFileSync(join(folder, 'iac.yaml'), project)
  writeFileSync(join(folder, 'main.yaml'), network('one') + manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1'))
  const made = await planned()
  expect(made.text).toMatch(/plan +?= "ryzen-4" \(\d+\)\n/)
  expect(made.text).toMatch(/\nWorkspace: default \(\d+\), the only one that the caller sees\.\n/)
  expect(made.text).toMatch(/\nQuota: \w+ 0 -> 1 of \d+ in workspace default \(\d+\)\n/)
  expect(made.text).toContain('Changes to Outputs:\n')
  expect(made.markdown).toMatch(/plan +?= "ryzen-4" \(\d+\)\n/)
  expect(made.html).toMatch(/ryzen-4&#34; \(\d+\)/)
  expect((await run('apply', '--sandbox', 'a.plan')).code).toBe(0)

  expect((await planned('--replace', 'Instance/web')).text).toMatch(/ip4 +?= "198\.18\.\d+\.\d+" -> \(known after apply\)/)
  expect((await planned('--destroy')).text).toMatch(/- vlan +?= \d+ -> null/)
})
