// What the state holds by its digest alone is hidden where the same object is shown or written down.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const project = 'apiVersion: iac/v1\nkind: Project\nname: p\nvariables: { pw: { type: string, sensitive: true } }\nenvironments: { dev: {} }\n'
const recipe = `apiVersion: iac/v1
kind: Recipe
metadata: { name: recp }
spec:
  name: recp
  category: TOOLS
  description: "\${sensitive('MarkerDesc1')}"
  commands: [{ path: /opt/a.sh, args: [--token, "\${vars.pw}", plain] }]
`
const secrets = /MarkerDesc1|MarkerPw2/

/** A project that was applied, and how commands are run in its folder. */
async function applied(given: Readonly<Record<string, string>> = {}): Promise<{ readonly folder: string; readonly run: (...words: string[]) => Promise<Ran> }> {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), project)
  writeFileSync(join(folder, 'main.yaml'), recipe)
  const run = (...words: string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder, environment: given })
  const made = await run('apply', '--auto-approve', '--var', 'pw=MarkerPw2')
  expect(made.code, made.stderr).toBe(0)
  return { folder, run }
}

describe.each([{}, { CI: '1', GITHUB_ACTIONS: 'true' }])('in an environment %j', (environment) => {
  test.each([
    [['recipes']],
    [['Recipe', 'recp']],
    [['Recipe', '-o', 'wide']],
    [['Recipe', '-o', 'name']],
    [['Recipe', '--json']],
    [['Recipe', 'recp', '--json']],
    [['Recipe', '-o', 'yaml']],
    [['Recipe', 'recp', '-o', 'yaml']],
    [['Recipe', '--all-workspaces', '-o', 'yaml']],
  ])('get %j tells nothing of it', async (words) => {
    const { run } = await applied(environment)
    const { code, stdout, stderr } = await run('get', ...words)
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('recp')
    expect(stdout + stderr).not.toMatch(secrets)
  })
})

test('a mark stands in its place, and what is not sensitive stays', async () => {
  const { run } = await applied()
  const wide = await run('get', 'Recipe', 'recp', '-o', 'wide')
  expect(wide.stdout).toContain('(sensitive value)')
  const one = JSON.parse((await run('get', 'Recipe', 'recp', '--json')).stdout)
  expect(one).toMatchObject({ name: 'recp', category: 'TOOLS', description: { $sensitive: true } })
  expect(JSON.parse((await run('get', 'recipes', '--json')).stdout)).toContainEqual(one)
})

test('manifests ask for it as they do for secrets', async () => {
  const { folder, run } = await applied()
  const { stdout, stderr } = await run('get', 'Recipe', 'recp', '-o', 'yaml')
  expect(stdout).toContain('description: ${vars.recipe_recp_description}')
  expect(stdout).toMatch(/- --token\n\s+- \$\{vars\.recipe_recp_commands_0_args_1\}\n\s+- plain\n/)
  expect(stderr).toContain('recipe_recp_description: { type: string, sensitive: true, description: "description of Recipe recp" }')
  expect(stderr).toContain('recipe_recp_commands_0_args_1: { type: string, sensitive: true, description: "0/args/1 in commands of Recipe recp" }')
  const lines = stderr.slice(stderr.indexOf('variables:\n'))
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: p\n${lines}`)
  writeFileSync(join(folder, 'main.yaml'), stdout)
  expect((await run('state', 'rm', 'Recipe/recp')).code).toBe(0)
  const plan = await run('plan', '--var', 'recipe_recp_description=MarkerDesc1', '--var', 'recipe_recp_commands_0_args_1=MarkerPw2')
  expect(plan.stdout, plan.stderr).toContain('Plan: 1 to import, 0 to add, 0 to change, 0 to destroy.')
})

test('no file of an export holds it', async () => {
  const { folder, run } = await applied()
  const written = await run('export', '--kind', 'Recipe', '--out', 'd')
  const texts = readdirSync(join(folder, 'd')).map((name) => readFileSync(join(folder, 'd', name), 'utf8'))
  expect(texts.join('')).toContain('description: ${vars.recipe_recp_description}')
  expect(written.stdout).toContain('recipe_recp_commands_0_args_1: { type: string, sensitive: true')
  const printed = await run('export', '--kind', 'Recipe')
  const json = await run('export', '--kind', 'Recipe', '--json')
  expect([...texts, ...[written, printed, json].flatMap((one) => [one.stdout, one.stderr])].join('')).not.toMatch(secrets)
})

test('no manifest that is generated of an object that the state holds has it, though it asks for nothing else', async () => {
  const { folder, run } = await applied()
  const { id } = JSON.parse((await run('get', 'Recipe', 'recp', '--json')).stdout)
  // An old half is nobody's current object: what is generated may be of it.
  const document = JSON.parse((await run('state', 'pull')).stdout)
  const [{ spec, ...record }] = document.resources
  const old = { id, spec, depends_on: [] }
  const next = { ...document, serial: document.serial + 1, resources: [{ ...record, id: '9', spec, deposed: [old] }] }
  writeFileSync(join(folder, 'next.json'), JSON.stringify(next))
  const pushed = await run('state', 'push', 'next.json', '--auto-approve')
  expect(pushed.code, pushed.stderr).toBe(0)
  const refused = await run('import', '--all', '--kind', 'Recipe', '--var', 'pw=MarkerPw2')
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('recipe_recp_2_description: { type: string, sensitive: true') })
  expect(refused.stdout + refused.stderr).not.toMatch(secrets)
  expect(readdirSync(folder).filter((name) => name.endsWith('.yaml'))).toEqual(['iac.yaml', 'main.yaml'])
})

test('another value in its place is hidden too: somebody may have changed it to another secret', async () => {
  const { run } = await applied()
  const { id } = JSON.parse((await run('get', 'Recipe', 'recp', '--json')).stdout)
  expect((await run('api', 'PATCH', `/v1/recipes/${id}`, '-f', 'description=MarkerDesc1 of others')).code).toBe(0)
  for (const words of [['--json'], ['-o', 'wide'], ['-o', 'yaml']]) expect((await run('get', 'Recipe', 'recp', ...words)).stdout).not.toMatch(secrets)
})

test('the state is that of the environment that is named', async () => {
  const { run } = await applied()
  const other = await run('get', 'Recipe', 'recp', '--json', '-e', 'dev')
  expect([other.code, other.stderr]).toEqual([0, ''])
  expect(JSON.parse(other.stdout)).toMatchObject({ description: 'MarkerDesc1' })
})

test('where nothing is recorded nothing is hidden, and nothing is said', async () => {
  const { folder, run } = await applied()
  expect((await run('state', 'rm', 'Recipe/recp')).code).toBe(0)
  const { code, stdout, stderr } = await run('get', 'Recipe', 'recp', '--json')
  expect([code, stderr, JSON.parse(stdout)]).toMatchObject([0, '', { description: 'MarkerDesc1' }])
  expect(await run('export', '--kind', 'Recipe')).toMatchObject({ code: 0, stdout: expect.stringContaining('MarkerDesc1') })
  expect(readdirSync(folder)).toContain('.iac')
})

test.each([[['get', 'Recipe', 'recp']], [['get', 'Recipe', 'recp', '--json']], [['export', '--kind', 'Recipe']]])(
  '%j says that it could not tell where the state cannot be read, and goes on',
  async (words) => {
    const { folder, run } = await applied()
    writeFileSync(join(folder, '.iac/sandbox/state.json'), '{')
    const { code, stderr } = await run(...words)
    expect(code).toBe(0)
    expect(stderr).toMatch(/^what is sensitive cannot be told by the state, and is shown: /m)
  },
)

test('no file is written where the state cannot be read: it would hold what the project calls sensitive', async () => {
  const { folder, run } = await applied()
  writeFileSync(join(folder, '.iac/sandbox/state.json'), '{')
  const { code, stdout, stderr } = await run('export', '--kind', 'Recipe', '--out', 'd')
  expect([code, readdirSync(folder).includes('d')]).toEqual([9, false])
  expect(stderr).toContain('no file is written where the state cannot tell what is sensitive')
  expect(stdout + stderr).not.toMatch(secrets)
})

test('what is watched tells nothing of it, nor does a state whose key is missing keep anything from being shown', async () => {
  const bench = await operatingBench('')
  writeFileSync(join(bench.folder, 'iac.yaml'), `${project}state: { encryption: { keys: [env:KEY] } }\n`)
  writeFileSync(join(bench.folder, 'main.yaml'), recipe)
  const environment = { KEY: 'a passphrase of enough letters' }
  const made = await bench.run(['apply', '--auto-approve', '--var', 'pw=MarkerPw2'], { environment })
  expect(made.code, made.stderr).toBe(0)
  const { stdout } = await bench.until(['get', 'Recipe', 'recp', '-o', 'wide', '--watch'], '(sensitive value)', { environment })
  expect(stdout).not.toMatch(secrets)
  const without = await bench.run(['get', 'Recipe', 'recp', '-o', 'wide'])
  expect(without).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('MarkerDesc1'),
    stderr: expect.stringMatching(/^what is sensitive cannot be told/m),
  })
})

test('what no state can record needs none', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, '.iac/sandbox'), { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, '.iac/sandbox/state.json'), '{', { mode: 0o600 })
  expect(await runCli(['get', 'plans', '--sandbox'], { folder })).toMatchObject({ code: 0, stderr: '' })
})

describe('a lookup', () => {
  const looked = "outputs: { found: { value: \"${lookup('Recipe', 'recp').description}\" } }\n"

  test('in a console shows a mark in its place, and the rest', async () => {
    const { folder } = await applied()
    const stdin = "lookup('Recipe', 'recp').description\nlookup('Recipe', 'recp').category\nlookup('Recipe', 'recp')\n"
    const { stdout, stderr } = await runCli(['console', '--sandbox', '--var', 'pw=MarkerPw2'], { folder, stdin })
    expect(stdout, stderr).toMatch(/^\(sensitive value\)\n"TOOLS"\n\{ name = "recp", .*description = \(sensitive value\)/)
    expect(stdout).not.toMatch(secrets)
  })

  test.each([[['apply', '--auto-approve']], [['apply', 'p.json', '--auto-approve']]])('in an output is sensitive: %j', async (words) => {
    const { folder, run } = await applied()
    writeFileSync(join(folder, 'iac.yaml'), `${project}${looked}`)
    const plan = await run('plan', '--out', 'p.json', '--var', 'pw=MarkerPw2')
    const ran = await run(...words, '--var', 'pw=MarkerPw2')
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout).toContain('found = (sensitive value)')
    const told = await run('output', '--json')
    expect(JSON.parse(told.stdout)).toMatchObject({ found: { value: null, sensitive: true } })
    const kept = ['p.json', '.iac/sandbox/state.json'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect([plan.stdout, ran.stdout, told.stdout, ...kept].join('')).not.toMatch(secrets)
  })
})
