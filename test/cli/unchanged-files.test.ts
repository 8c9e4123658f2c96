// A validate that found nothing wrong is told again as long as all that it was made from is the same; where anything of it differs, it is computed.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isObject, parseJson } from '../../src/base/json.ts'
import { keptRuns, markKept, TOLD } from '../builders/kept-runs.ts'
import { manifest } from '../builders/project.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const projectFile = `apiVersion: iac/v1
kind: Project
manifests: ["*.yaml", "net/*.yaml"]
policies: [{ file: policies/p.yaml }]
variables:
  words: { type: string, default: a }
environments: { staging: {} }
`
const vpc = (name: string, octet: number, description = 'net'): string =>
  manifest('Vpc', name, `name: ${name}\ndescription: ${description}\nrange: 10.0.${octet}.0/24`)
const manifests = [vpc('main', 0, `'\${vars.words} \${file("words.txt").trim()}'`), vpc('second', 1)].join('')
const policy = `policies:\n  - { name: p, each: resource, assert: "it.kind != 'Disk'", message: no }\n`

const token = 'tok-of-a-caller-who-is-alone'

type More = Partial<Parameters<typeof runCli>[1]>

interface Bench {
  readonly folder: string
  readonly run: (words?: readonly string[], more?: More) => Promise<Ran>
  readonly kept: () => readonly string[]
}

function project(text = projectFile): Bench {
  const folder = newFolder()
  const files = { 'iac.yaml': text, 'words.txt': 'of words\n', 'main.yaml': manifests, 'policies/p.yaml': policy }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return {
    folder,
    run: (words = ['validate'], more = {}) => runCli(words, { folder, build: 'one', token, ...more }),
    kept: () => keptRuns(join(folder, 'home')),
  }
}

/** A project that was validated; what is told again from here on is a text that no validate has. */
async function validated(words: readonly string[] = ['validate'], more: More = {}, text = projectFile): Promise<Bench> {
  const bench = project(text)
  expect(await bench.run(words, more)).toMatchObject({ code: 0, stdout: expect.stringContaining('Success!') })
  expect(bench.kept()).toHaveLength(1)
  markKept(join(bench.folder, 'home'), more.token ?? token)
  return bench
}

const write =
  (name: string, text: string) =>
  ({ folder }: Bench): void =>
    writeFileSync(join(folder, name), text)

interface Same {
  readonly words?: readonly string[]
  readonly more?: More
  readonly change?: (bench: Bench) => unknown
}

test.each<[string, Same]>([
  ['nothing', {}],
  ['a variable that nobody reads', { more: { environment: { EDITOR: 'ed' } } }],
  ['the time of a file', { change: ({ folder }) => utimesSync(join(folder, 'main.yaml'), 1, 1) }],
  ['a runner', { more: { environment: { GITHUB_ACTIONS: 'true' } } }],
  ['a state', { change: ({ folder }) => mkdirSync(join(folder, '.iac')) }],
])('told again where nothing that counts differs: %s', async (_, { more, change }) => {
  const bench = await validated()
  await change?.(bench)
  expect(await bench.run(undefined, more)).toEqual({ code: 0, stdout: TOLD, stderr: '' })
  expect(await bench.run(undefined, more)).toEqual({ code: 0, stdout: TOLD, stderr: '' })
})

test.each<[string, Same]>([
  ['a comment in a manifest', { change: ({ folder }) => appendFileSync(join(folder, 'main.yaml'), '# seen\n') }],
  ['a mistake in a manifest', { change: write('main.yaml', manifests.replace('description: net', 'descriptions: net')) }],
  ['a manifest that is new', { change: write('more.yaml', vpc('third', 2)) }],
  ['a folder that is new', { change: ({ folder }) => mkdirSync(join(folder, 'net')) }],
  ['a manifest that is gone', { change: ({ folder }) => rmSync(join(folder, 'main.yaml')) }],
  ['the project file', { change: write('iac.yaml', projectFile.replace('default: a', 'default: c')) }],
  ['a policy that breaks now', { change: write('policies/p.yaml', policy.replace("'Disk'", "'Vpc'")) }],
  [
    'a policy of the environment',
    { change: write('policies/q.yaml', policy.replace('name: p', 'name: q')), more: { environment: { IAC_POLICIES: 'policies/q.yaml' } } },
  ],
  ['what file() reads', { change: write('words.txt', 'of other words\n') }],
  ['a variable of the environment', { more: { environment: { IAC_VAR_words: 'c' } } }],
  ['a variable that is not declared', { more: { environment: { IAC_VAR_other: 'c' } } }],
  ['another variable that is read', { more: { environment: { IAC_SENSITIVE_VARS: 'words' } } }],
  ['the words of the command', { words: ['validate', '--var', 'words=c'] }],
  ['another environment', { words: ['validate', '-e', 'staging'] }],
  ['the width of a terminal', { more: { terminal: { columns: 40, rows: 20 } } }],
  ['another build of the program', { more: { build: 'two' } }],
  ['nothing tells the build', { more: { build: undefined } }],
  ['the day', { more: { clock: { ...testsClock, wall: () => testsClock.wall() + 86_500_000 } } }],
  ['another caller', { more: { token: `${token}-else` } }],
  ['no caller', { more: { token: '' } }],
  ['the folder for states', { more: { environment: { IAC_STATE_DIR: '/var/states' } } }],
  ['it is switched off', { more: { environment: { IAC_PLAN_CACHE: 'off' } } }],
  ['another form', { words: ['validate', '--json'] }],
  ['what was kept is damaged', { change: ({ kept }) => appendFileSync(kept()[0] ?? '', ' ') }],
  ['others may write to what was kept', { change: ({ kept }) => chmodSync(kept()[0] ?? '', 0o666) }],
])('computed where anything differs: %s', async (_, { words = ['validate'], more, change }) => {
  const bench = await validated()
  await change?.(bench)
  const now = await bench.run(words, more)
  expect(now.stdout + now.stderr).not.toContain(TOLD)
  expect(now).toEqual(await bench.run(words, { ...more, environment: { ...more?.environment, IAC_PLAN_CACHE: 'off' } }))
})

test('variables that are not declared are told of in the order of the environment', async () => {
  const bench = project()
  const first = await bench.run(undefined, { environment: { IAC_VAR_one: 'c', IAC_VAR_two: 'c' } })
  const other = await bench.run(undefined, { environment: { IAC_VAR_two: 'c', IAC_VAR_one: 'c' } })
  expect(first.stderr).toMatch(/IAC_VAR_one[^]*IAC_VAR_two/)
  expect(other.stderr).toMatch(/IAC_VAR_two[^]*IAC_VAR_one/)
})

test('warnings are told again where they were told', async () => {
  const bench = project()
  write('iac.yaml', projectFile.replace('"net/*.yaml"', '"nets/*.yaml"'))(bench)
  const first = await bench.run()
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('nets/*.yaml') })
  expect(bench.kept()).toHaveLength(1)
  expect(await bench.run()).toEqual(first)
})

test.each<[string, (bench: Bench) => unknown, readonly string[]]>([
  ['what is wrong', write('main.yaml', manifests.replace('description: net', 'descriptions: net')), ['validate']],
  ['what tells machines', () => undefined, ['validate', '--json']],
  ['what tells more', () => undefined, ['validate', '--verbose']],
  ['a file of standard input', () => undefined, ['validate', '-f', '-']],
])('nothing is kept of %s', async (_, change, words) => {
  const bench = project()
  change(bench)
  await bench.run(words, { stdin: manifests })
  expect(bench.kept()).toEqual([])
})

test('nothing is kept where links lead to the state', async () => {
  const bench = project(`${projectFile}state: { path: states/own.json }\n`)
  mkdirSync(join(bench.folder, 'other'))
  symlinkSync(join(bench.folder, 'other'), join(bench.folder, 'states'))
  expect(await bench.run()).toMatchObject({ code: 0 })
  expect(bench.kept()).toEqual([])
  rmSync(join(bench.folder, 'states'))
  symlinkSync('/var', join(bench.folder, 'states'))
  expect(await bench.run()).toMatchObject({ code: 3, stderr: expect.stringContaining('lies outside of the project folder') })
})

test.each<[string, readonly string[], (bench: Bench) => unknown]>([
  ['--var-file', ['--var-file', 'words.yaml'], write('words.yaml', 'words: c\n')],
  ['-f', ['-f', 'main.yaml'], write('main.yaml', vpc('main', 0))],
  ['--policy', ['--policy', 'more.policy'], write('more.policy', policy.replace('name: p', 'name: q'))],
])('what %s names is read again', async (_, flags, change) => {
  const bench = project()
  const words = ['validate', ...flags]
  change(bench)
  expect(await bench.run(words)).toMatchObject({ code: 0 })
  markKept(join(bench.folder, 'home'), token)
  expect((await bench.run(words)).stdout).toBe(TOLD)
  appendFileSync(join(bench.folder, flags[1] ?? ''), '# seen\n')
  expect((await bench.run(words)).stdout).not.toContain(TOLD)
})

test('a link that leads to another file of the project is followed again', async () => {
  const bench = project()
  write('one.txt', vpc('third', 3))(bench)
  write('other.txt', vpc('third', 4))(bench)
  const link = join(bench.folder, 'link.yaml')
  symlinkSync('one.txt', link)
  expect(await bench.run()).toMatchObject({ code: 0 })
  markKept(join(bench.folder, 'home'), token)
  expect((await bench.run()).stdout).toBe(TOLD)
  rmSync(link)
  symlinkSync('other.txt', link)
  expect((await bench.run()).stdout).toContain('Success!')
})

const withPassword = projectFile.replace('environments:', '  password: { type: string, sensitive: true, default: "" }\nenvironments:')
const secret = (text: string): ((bench: Bench) => void) => write('main.yaml', manifest('K3sSecret', 'codes', `data: { PIN: ${text} }`))
const plain = write('main.yaml', vpc('main', 0))

test('nothing of a project without secrets could be found out by a digest without key', async () => {
  const bench = project()
  plain(bench)
  expect(await bench.run(undefined, { token: '', environment: { IAC_VAR_words: 'c' } })).toMatchObject({ code: 0 })
  expect(bench.kept()).toHaveLength(1)
})

test.each<[string, (bench: Bench) => unknown, More]>([
  ['a sensitive variable', (bench) => [plain(bench), write('iac.yaml', withPassword)(bench)], {}],
  ['a variable that is called sensitive', plain, { environment: { IAC_SENSITIVE_VARS: 'words' } }],
  ['a variable of another project', plain, { environment: { IAC_VAR_password: 's3cret' } }],
  ['a file that is included', () => undefined, {}],
  ['a file in a secret field', secret('\'${file("words.txt")}\''), {}],
  ['a variable in a secret field', secret("'${vars.words}'"), { environment: { IAC_VAR_words: '9876' } }],
  ['a literal in a secret field', secret('hunter2'), {}],
  ['an output', (bench) => [plain(bench), write('iac.yaml', `${projectFile}outputs:\n  pin: { value: hunter2, sensitive: true }\n`)(bench)], {}],
  ['what is made sensitive', write('main.yaml', vpc('main', 0, '"${sensitive(\'hunter2\')}"')), {}],
  ['a text that looks like a secret', write('main.yaml', vpc('main', 0, '"glpat-0123456789abcdefghij"')), {}],
  ['a document of another tool', write('main.yaml', `${vpc('main', 0)}---\napiVersion: v1\nkind: Secret\ndata: { PIN: hunter2 }\n`), {}],
])('without a key nothing is kept of %s', async (_, change, more) => {
  const bench = project()
  change(bench)
  for (const none of ['', 'tok-too-short']) {
    expect(await bench.run(undefined, { ...more, token: none })).toMatchObject({ code: 0 })
    expect(bench.kept()).toEqual([])
  }
  expect(await bench.run(undefined, more)).toMatchObject({ code: 0 })
  expect(bench.kept()).toHaveLength(1)
})

test('what a variable file says is kept by a key alone', async () => {
  const bench = project()
  plain(bench)
  write('words.yaml', 'words: c\n')(bench)
  expect(await bench.run(['validate', '--var-file', 'words.yaml'], { token: '' })).toMatchObject({ code: 0 })
  expect(bench.kept()).toEqual([])
})

test('by a key a secret is neither kept nor told of', async () => {
  const environment = { IAC_VAR_password: 's3cret' }
  const bench = await validated(undefined, { environment }, withPassword)
  const [path = ''] = bench.kept()
  expect(readFileSync(path, 'utf8')).not.toMatch(/s3cret|tok-of/)
  expect((await bench.run(undefined, { environment })).stdout).toBe(TOLD)
  expect((await bench.run(undefined, { environment: { IAC_VAR_password: 'other' } })).stdout).not.toBe(TOLD)
})

test('no variable that holds a secret of the program itself is read', async () => {
  const [path = ''] = (await validated()).kept()
  const run = parseJson(readFileSync(path, 'utf8').split('\n')[1] ?? '')
  const names = isObject(run) && isObject(run['variables']) ? JSON.stringify(run['variables']['names']) : ''
  expect(names).toContain('IAC_SENSITIVE_VARS')
  // Where a file with a token lies is no secret.
  expect(names).not.toMatch(/(?:TOKEN|KEY|PASSWORD)(?!_FILE")|IAC_STATE_URL/)
})
