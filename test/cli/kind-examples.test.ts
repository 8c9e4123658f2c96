// The examples of kinds, as `iac explain KIND` prints them: whoever copies one has a valid project.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { newFolder, runCli } from './run-cli.ts'

const managed = kinds.filter((kind) => kind.managed).map((kind) => kind.name)

test.each(managed)('%s', async (name) => {
  const { examples } = JSON.parse((await runCli(['explain', name, '--json'], { folder: newFolder() })).stdout)
  expect(examples.length).toBeGreaterThan(0)
  for (const { title, manifests } of examples) {
    const folder = newFolder()
    const variables = Array.from(String(manifests).matchAll(/\$\{vars\.(\w+)\}/g), ([, variable = '']) => variable)
    const declared = Object.fromEntries(variables.map((one) => [one, { type: 'string', sensitive: true }]))
    writeFileSync(join(folder, 'iac.yaml'), JSON.stringify({ apiVersion: 'iac/v1', kind: 'Project', name: 'copied', variables: declared }))
    writeFileSync(join(folder, 'main.yaml'), manifests)
    const ran = await runCli(['validate', ...variables.flatMap((one) => ['--var', `${one}=secret`])], { folder })
    expect(ran, title).toMatchObject({ code: 0, stderr: '' })
  }
})

test('a token that is made has somewhere to go', async () => {
  const { examples } = JSON.parse((await runCli(['explain', 'ApiToken', '--json'], { folder: newFolder() })).stdout)
  for (const { title, manifests } of examples) expect(manifests, title).toContain('write_code_to:')
})
