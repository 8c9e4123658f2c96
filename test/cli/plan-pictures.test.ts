// A plan as page, picture and graph, as people ask for them: into files, without a secret in any.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canariesIn } from '../builders/canaries.ts'
import { newFolder, runCli } from './run-cli.ts'

const SECRET = 'correct horse battery'
const project = 'apiVersion: iac/v1\nkind: Project\nname: shop\nvariables: { password: { type: string, sensitive: true } }\n'
const manifests = [
  'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: net }\nspec: { name: main, range: 10.0.0.0/24, description: "${vars.password}" }\n',
  'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, name: web, plan: ryzen-4, region: fra-1, vpcs: [net] }\n',
  'apiVersion: iac/v1\nkind: Disk\nmetadata: { name: data }\nspec: { name: data, size: 40GiB, backend: CEPH, region: fra-1, instance: web }\n',
]

test('are written into files, with what changes and without what is secret', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), project)
  writeFileSync(join(folder, 'main.yaml'), manifests.join('---\n'))
  const names = ['html', 'svg', 'mermaid', 'dot']
  const flags = names.flatMap((name) => ['--format', `${name}=plan.${name}`])
  const { code, stderr } = await runCli(['plan', '--sandbox', ...flags], { folder, environment: { IAC_VAR_password: SECRET } })
  expect([code, stderr]).toEqual([0, ''])
  for (const name of names) {
    const text = readFileSync(join(folder, `plan.${name}`), 'utf8')
    expect(text, name).toContain('Disk/data')
    expect(canariesIn(text, [SECRET]), name).toEqual([])
  }
  expect(readFileSync(join(folder, 'plan.html'), 'utf8')).toMatch(/>description<[^\n]*\(sensitive value\)/)
  expect(readFileSync(join(folder, 'plan.svg'), 'utf8')).toContain('class="frame"')
})

test('are of plans alone', async () => {
  const { code, stderr } = await runCli(['validate', '--format', 'html'], { folder: newFolder() })
  expect(code).toBe(3)
  expect(stderr).toContain('--format html shows nothing of what this command finds')
})
