// What a secret chooses shows in no plan: known or not known yet, sensitive by itself or not, it looks the same.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const project = 'apiVersion: iac/v1\nkind: Project\nname: p\nvariables: { db: { type: string, sensitive: true } }\nenvironments: { dev: {} }\n'
const manifests = `apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { description: a, range: 10.1.0.0/24 }
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: recp }
spec:
  name: recp
  category: TOOLS
  description: "\${vars.db.startsWith('h') ? Vpc['main'].id : 'x'}"
  commands: [{ path: /opt/a.sh, args: ["\${vars.db.startsWith('h') ? Vpc['main'].id : 'x'}", "\${Recipe['other'].description == 'h' ? Vpc['main'].id : 'x'}", plain] }]
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: other }
spec:
  name: other
  category: TOOLS
  description: "\${vars.db}"
  commands: [{ path: "\${([1].map(x, [0][vars.db.substring(0, 1) == 'h' ? 0 : 5]).exists(x, true) || true) ? '/opt/a.sh' : '/opt/b.sh'}", args: [] }]
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: further }
spec:
  name: further
  category: TOOLS
  description: "\${Recipe['recp'].description}"
  commands: [{ path: /opt/a.sh, args: ["a-\${Recipe['recp'].description}", "\${Recipe['recp'].commands[0].args[0]}", "\${Recipe['further-still'].description}"] }]
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: further-still }
spec:
  name: further-still
  category: TOOLS
  description: "\${Recipe['recp'].commands[0].args[0]}"
  commands: "\${vars.db.startsWith('h') ? [{'path': '/opt/a.sh', 'args': [Vpc['main'].id]}] : [{'path': '/opt/a.sh', 'args': ['x']}]}"
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: plain }
spec:
  name: plain
  category: TOOLS
  description: "\${Vpc['main'].id}"
  commands: [{ path: /opt/a.sh, args: ["\${Recipe['plain-too'].description}", "a-\${Recipe['further-still'].commands[0].args[0]}"] }]
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: plain-too }
spec: { name: plain-too, category: TOOLS, description: "\${Vpc['main'].id}", commands: [{ path: /opt/a.sh, args: [] }] }
`

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

async function planned(db: string, format: string): Promise<string> {
  const folder = folderWith({ 'iac.yaml': project, 'main.yaml': manifests })
  const { code, stdout, stderr } = await runCli(['plan', '--var', `db=${db}`, '--format', format, '--sandbox'], { folder })
  expect(code, stderr).toBe(0)
  return stdout.replace(/"timestamp": "[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[0-9a-f]{64}\b/g, '')
}

describe.each(['text', 'markdown', 'html', 'terraform-json'])('as %s', (format) => {
  test('a plan of one secret looks like that of another', async () => {
    const [one, other] = [await planned('h', format), await planned('MarkerX1', format)]
    expect(one).toContain('(sensitive value)')
    expect(one).toBe(other)
  })
})

test('what no secret chooses is not known yet, one reference further on as well', async () => {
  const text = await planned('h', 'text')
  const [, block = ''] = text.split('+ resource "Recipe" "plain" {')
  expect(block.split('+ resource ')[0]).toMatch(
    /args = \[\n\s*\+ \(known after apply\),\n\s*\+ \(sensitive value\),\n[^]*\+ description = \(known after apply\)\n/,
  )
})

test('a name that something sensitive gives further on is refused by the first plan already', async () => {
  const named = `${manifests}---
apiVersion: iac/v1
kind: Recipe
metadata: { name: named }
spec: { name: "\${Recipe['mixed'].description}", category: TOOLS, description: b, commands: [{ path: /opt/a.sh, args: [] }] }
---
apiVersion: iac/v1
kind: Recipe
metadata: { name: mixed }
spec: { name: mixed, category: TOOLS, description: "\${vars.db}-\${Vpc['main'].id}", commands: [{ path: /opt/a.sh, args: [] }] }
`
  const folder = folderWith({ 'iac.yaml': project, 'main.yaml': named })
  const { code, stderr } = await runCli(['plan', '--var', 'db=h', '--sandbox'], { folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining('a sensitive value cannot stand in name, by which the object is found again')])
})

test('a saved plan shows it so, too, and is carried out without planning anew', async () => {
  const folder = folderWith({ 'iac.yaml': project, 'main.yaml': manifests })
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli([...words, '--sandbox'], { folder })
    expect(code, stderr).toBe(0)
    return { stdout, stderr }
  }
  await run('plan', '--var', 'db=h', '--out', 'a.plan')
  const [, block = ''] = (await run('show', 'a.plan')).stdout.split('+ resource "Recipe" "further" {')
  expect(block.split('+ resource ')[0]).toMatch(/\+ description = \(sensitive value\)\n/)
  const { stderr } = await run('apply', 'a.plan', '--verbose', '--var', 'db=h')
  expect(stderr.match(/GET \S+\/recipes\?/g)).toHaveLength(1)
  await run('plan', '--detailed-exitcode', '--var', 'db=h')
})

test('policies find the same in the plan of one secret as in that of another', async () => {
  const asked = [
    'it.after_unknown',
    'it.unresolved',
    'it.digests',
    'plan.changes.filter(one, size(one.after_unknown) == 0)',
    'plan.changes.filter(one, size(one.digests) == 0)',
  ]
  const policies = asked.map((one, at) => `{ name: asks-${at}, each: change, level: warn, assert: "it.kind == ''", message: "finds \${string(size(${one}))}" }`)
  const found = ['h', 'MarkerX1'].map(async (db) => {
    const folder = folderWith({ 'iac.yaml': `${project}policies: [${policies.join(', ')}]\n`, 'main.yaml': manifests })
    const { code, stderr } = await runCli(['plan', '--var', `db=${db}`, '--sandbox'], { folder })
    expect(code, stderr).toBe(0)
    return stderr
  })
  const [one, other] = await Promise.all(found)
  expect(one).toMatch(/Recipe\/plain: breaks the policy asks-0: finds 2\b/)
  expect(one).toBe(other)
})
