// Hints that name a command: it can be typed as it stands, and means the same state.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placedCommands } from '../../src/base/placed-commands.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
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

test('commands in JSON lead to the state of the run, as those in text do', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nenvironments: { staging: {} }\n')
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  const flags = ['--sandbox', '-e', 'staging']
  const run = async (...words: readonly string[]) => await runCli([...words, ...flags], { folder })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  writeFileSync(join(folder, 'main.yaml'), '')
  const hint =
    'use `iac destroy -e staging --sandbox` if they are all to go; `iac state rm -e staging --sandbox ADDRESS` lets go of what another project manages now'
  const [planned, applied] = [await run('plan', '--json'), await run('apply', '--json', '--auto-approve')]
  expect(JSON.parse(planned.stdout).diagnostics).toContainEqual(expect.objectContaining({ hint }))
  expect(applied.stdout).toContain(JSON.stringify(hint))
  writeFileSync(join(folder, 'main.yaml'), manifest('VpcAttachment', 'data', 'instance: web\nvpc: main'))
  expect(JSON.parse((await run('validate', '--json')).stdout).diagnostics[0].hint).toContain('`iac get -e staging --sandbox instances`')
  writeFileSync(join(folder, 'main.yaml'), '')
  const state = join(folder, '.iac/sandbox/state-staging.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('10.20.0.0/24', '10.21.0.0/24'))
  const detail = expect.stringContaining('through `iac state pull -e staging --sandbox` and `iac state push -e staging --sandbox`')
  expect(JSON.parse((await run('drift', '--json')).stdout).diagnostics).toContainEqual(expect.objectContaining({ detail }))
  expect((await run('drift')).stderr).toEqual(detail)
  expect((await run('doctor', '--json')).stdout).toContain('`iac state history -e staging --sandbox`')
})

test.each([
  [['plan', 'Vpc/main'], 'did you mean --target Vpc/main?'],
  [['destroy', 'Vpc/main["a"]'], 'did you mean --target \'Vpc/main["a"]\'?'],
  [['validate', 'main.yaml'], 'did you mean -f main.yaml?'],
  [['apply', 'main.yaml', '--sandbox'], 'manifests are named with -f: `iac plan --sandbox -f main.yaml`'],
  [['state', 'list', 'Vpc/main'], 'see `iac state list --help`'],
  [['api', 'GET', '/v1/x', 'main.yaml'], 'see `iac api --help`'],
])('%j names the flag that was meant', async (words, hint) => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'description: d\nrange: 10.20.0.0/24'))
  expect((await runCli(words, { folder })).stderr).toContain(`hint: ${hint}\n`)
})

test('variables in the language of another tool are told how they are written here', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'prod.tfvars'), 'region = "fra-1"\n')
  const { code, stderr } = await runCli(['validate', '--var-file', 'prod.tfvars'], { folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining('hint: it is YAML: write NAME: VALUE on a line for each\n')])
})

test('a name without its key is told with one', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'name: "net-${each.key}"\ndescription: d\nrange: 10.20.0.0/24', 'for_each: [a]'))
  expect((await runCli(['apply', '--auto-approve', '--sandbox'], { folder })).code).toBe(0)
  for (const words of [
    ['import', 'Vpc/main', '12'],
    ['state', 'show', 'Vpc/main'],
  ])
    expect((await runCli([...words, '--sandbox'], { folder })).stderr).toContain('hint: did you mean Vpc/main["a"]?')
})

test.each([
  [['--target', 'Vpc/main[a]'], '--target Vpc/main[a] is no address', `did you mean 'Vpc/main["a"]'?`],
  [['--exclude', "Vpc/main['a*']"], "--exclude Vpc/main['a*'] is no address", `did you mean 'Vpc/main["a*"]'?`],
  [['--replace', 'Vpc/main["a'], '--replace Vpc/main["a is no address', 'write Kind/name, Kind/name["key"] or Kind/prefix-*'],
  [['--target', ''], '--target "" is no address', 'write Kind/name, Kind/name["key"] or Kind/prefix-*'],
  [['--target', 'vpc/main'], '--target vpc/main is no address', 'a kind is written with its capital letters, as `iac explain` lists it'],
  [['--target', 'Vpc/mian["a"]'], '--target Vpc/mian["a"] fits no resource', `did you mean 'Vpc/main["a"]'?`],
  [['--target', 'Vpc/main["zz*"]'], '--target Vpc/main["zz*"] fits no resource', 'resources: Vpc/main["a"]'],
  [['--replace', 'Vpc/main["*zzz"]'], '--replace Vpc/main["*zzz"] fits no resource', 'resources: Vpc/main["a"]'],
])('%j is told with what a shell takes', async (words, says, hint) => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifest('Vpc', 'main', 'name: "net-${each.key}"\ndescription: d\nrange: 10.20.0.0/24', 'for_each: [a]'))
  const { code, stderr } = await runCli(['plan', '--sandbox', ...words], { folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining(`error: ${says}\n  hint: ${hint}\n`)])
})

test.each([
  ['show', `did you mean 'Vpc/main["a"]'?`, 'Vpc/main[a]'],
  ['ready', `did you mean 'Vpc/main["a"]'?`, "Vpc/main['a']"],
  ['show', 'a kind is written with its capital letters, as `iac explain` lists it', 'vpc/main'],
  ['ready', 'see `iac state ready --help`', 'main'],
])('state %s: %s', async (command, hint, word) => {
  const { code, stderr } = await runCli(['state', command, word, '--sandbox'], { folder: newFolder() })
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^error: "(?:Vpc|vpc|main).*" is no address; write Kind/)])
  expect(stderr).toContain(`\n  hint: ${hint}\n`)
})

test('what a field takes is said by an example, not by a pattern', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), manifest('Disk', 'data', 'size: 10 GB\nregion: fra-1\nbackend: LOCAL', 'lifecycle: { ignore_changes: [size] }'))
  const { stderr } = await runCli(['validate'], { folder })
  expect(stderr).toContain('entry 1 of ignore_changes must be: a JSON pointer such as /os_name, got the text "size"')
  expect(stderr).toContain('hint: write a number of bytes, or a size such as 100GiB or 10GB')
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

test('an address with a key is named as a shell takes it', async () => {
  const each = `for_each: ["it's"]`
  const web = manifest('Instance', 'web', 'name: web\ntype: PLAN\nplan: ryzen-4\nregion: fra-1', each)
  const invite = manifest('WorkspaceInvite', 'ada', 'email: ada@example.com\naccess_level: EDITOR', each)
  const secret = (more = ''): string =>
    manifest('K3sCluster', 'main', '') + manifest('K3sSecret', 'bot', `name: bot\ndata:\n  TOKEN: \${WorkspaceInvite['ada']["it's"].code}${more}`)
  const bench = await operatingBench(web + invite + secret())
  const { instances } = bench.sandbox.world.tables
  instances.update(instances.all().find((one) => one.name === 'web')?.id ?? '', { state: 'SUSPENDED' })
  writeFileSync(join(bench.folder, 'main.yaml'), web + invite + secret('\n  MODE: quick'))
  const { stderr } = await bench.run(['plan'])
  expect(stderr).toContain(`hint: \`--replace 'Instance/web["it'\\''s"]'\` makes it anew`)
  expect(stderr).toContain(`hint: --replace 'WorkspaceInvite/ada["it'\\''s"]' makes it anew`)
})

test('what is suspended is not advised to be made anew without a word of what that takes away', async () => {
  const bench = await operatingBench(manifest('Instance', 'web', 'name: web\ntype: PLAN\nplan: ryzen-4\nregion: fra-1'))
  const { instances } = bench.sandbox.world.tables
  const id = instances.all().find((one) => one.name === 'web')?.id ?? ''
  instances.update(id, { state: 'SUSPENDED' })
  const stopped = (await bench.run(['plan'])).stderr
  expect(stopped).toContain('hint: `--replace Instance/web` makes it anew: look at what that takes away first, and who may let it go on as it is\n')
  instances.update(id, { state: 'FAILED' })
  expect((await bench.run(['plan'])).stderr).toContain('hint: `--replace Instance/web` makes it anew: look at what that takes away first\n')
})

test('a token with a key that is taken over is named as a shell takes it', async () => {
  const token = (head = ''): string =>
    manifest('ApiToken', 'ci', 'name: ci-token\ngrants: { DISK: READ }\nlifetime: 90d\nwrite_code_to: { file: ci.token }', `for_each: [a]${head}`)
  const bench = await operatingBench(token())
  const [{ id }] = JSON.parse((await bench.run(['state', 'list', '--json'])).stdout)
  await bench.run(['state', 'rm', 'ApiToken/ci*'])
  writeFileSync(join(bench.folder, 'main.yaml'), token(`\nimport: { id: "${id}" }`))
  expect((await bench.run(['plan'])).stderr).toContain(`or --replace 'ApiToken/ci["a"]' in a later run`)
})

test('what begins with a dash is no file to write into, and a folder of such a name is named as a shell takes it', async () => {
  const folder = newFolder()
  expect((await runCli(['init', '--', '-x'], { folder })).stdout).toContain('Next: cd ./-x && iac plan')
  const refused = await runCli(['plan', '--sandbox', '--out', '-', '--dir', './-x'], { folder })
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('error: - is no file to write into: ./- is a file of that name')])
})
