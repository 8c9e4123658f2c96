// Hints that name a command: it can be typed as it stands, and means the same state.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placedCommands } from '../../src/cli/arguments/place-flags.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { manifest } from '../builders/project.ts'
import { newFolder, runCli } from './run-cli.ts'

test.each([
  { words: [], flags: ' --sandbox' },
  { words: ['-e', 'staging'], flags: ' -e staging --sandbox' },
])('an import is named with the flags of the run: $words', async ({ words, flags }) => {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nenvironments: { staging: {} }\n')
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  const asked = await runCli(['get', 'workspaces', '--sandbox', '--json'], { folder })
  const id = /"id": "?(\d+)/.exec(asked.stdout)?.[1] ?? ''
  const made = await runCli(['api', 'POST', `/v1/workspaces/${id}/vpcs`, '-f', 'name=main', '-f', 'description=d', '-f', 'range=10.20.0.0/24', '--sandbox'], {
    folder,
  })
  expect(made.stderr).toBe('')
  const planned = await runCli(['plan', '--sandbox', ...words], { folder })
  const command = /take it over with: iac (import[^\n]*)/.exec(planned.stderr)?.[1] ?? ''
  expect(command).toMatch(new RegExp(`^import${flags} 'Vpc/main' \\d+$`))
  const taken = await runCli(command.replaceAll("'", '').split(' '), { folder })
  expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('Import successful!') })
})

test.each(placedCommands)('%s takes the flags that hints give it', async (name) => {
  const { idle = [] } = (await commandTable[name]?.load()) ?? { idle: ['env'] }
  expect(['dir', 'env', 'sandbox'].filter((flag) => idle.includes(flag))).toEqual([])
})

test('a hint to a command on the state leads to the state of the run', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nenvironments: { staging: {} }\n')
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  const flags = ['--sandbox', '-e', 'staging']
  expect((await runCli(['apply', '--auto-approve', ...flags], { folder })).code).toBe(0)
  writeFileSync(join(folder, 'main.yaml'), '')
  expect((await runCli(['plan', ...flags], { folder })).stderr).toContain('hint: use `iac destroy -e staging --sandbox` if they are all to go')
  expect((await runCli(['state', 'rm', 'Vpc/other', ...flags, '--json'], { folder })).stderr).toContain('see `iac state list -e staging --sandbox`')
})

test('an exported variable that the project does not declare is a warning', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  const ran = await runCli(['validate'], { folder, environment: { IAC_VAR_region: 'fra-1' } })
  expect(ran).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('warning: IAC_VAR_region gives a value to "region", which the project does not declare'),
  })
  expect((await runCli(['validate', '--var', 'region=x'], { folder, environment: { IAC_VAR_region: 'fra-1' } })).code).toBe(3)
})

test('on a terminal a hint breaks between words, into a pipe it goes in one line', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  const told = async (columns?: number) => (await runCli(['plan'], { folder, ...(columns === undefined ? {} : { screen: { columns, rows: 24 } }) })).stderr
  const hint = /^ {2}hint: .*$/m.exec(await told())?.[0] ?? ''
  expect(hint.length).toBeGreaterThan(95)
  for (const columns of [60, 95]) {
    const shown = await told(columns)
    expect(shown.replaceAll('\n    ', ' ')).toContain(hint)
    expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([])
  }
})

test('of many mistyped names of one sort the first is told in full, whichever names they are', async () => {
  const folder = newFolder()
  const fields = ['descriptoin', 'rnage', 'nmae', 'Range', 'Description']
  const values = ['regoin', 'zoen', 'sise', 'plna', 'usre'].map((name) => `"\${vars.${name}}"`)
  const variables = ['region', 'zone', 'size', 'plan', 'user'].map((name) => `${name}: { type: string, default: x }`)
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nvariables: { ${variables.join(', ')} }\n`)
  const network = (name: string, more: string) => manifest('Vpc', name, `description: d\nrange: 10.20.0.0/24\n${more}`)
  const all = [...fields.map((field, at) => network(`field-${at}`, `${field}: x`)), ...values.map((value, at) => network(`value-${at}`, `name: ${value}`))]
  writeFileSync(join(folder, 'main.yaml'), all.join(''))
  const { stderr } = await runCli(['validate'], { folder })
  expect(stderr.match(/^error: .*$/gm)).toEqual([
    'error: Vpc/field-0: no field "descriptoin" exists here',
    "error: Vpc/value-0: no variable 'regoin' is declared",
  ])
  expect(stderr).toContain('  hint: did you mean "description"?\n')
  expect(stderr).toContain("  hint: did you mean 'region'?\n")
  expect(stderr.match(/and 4 more like this: /g)).toHaveLength(2)
  const told = await runCli(['validate', '--verbose'], { folder })
  expect(told.stderr.match(/^error: /gm)).toHaveLength(10)
})
