// A token that lies in the project's folder: nothing that a project says has it read, since whoever wrote that would find it in the plan.
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const token = '0123456789abcdef0123456789abcdef01234567'
let folder = ''
const write = (path: string, text: string): void => writeFileSync(join(folder, path), text)
const project = (more = ''): void => write('iac.yaml', `apiVersion: iac/v1\nkind: Project\nname: shop\n${more}`)
const described = (text: string): void =>
  write('vpc.yaml', `apiVersion: iac/v1\nkind: Vpc\nmetadata: {name: main}\nspec: {description: "${text}", range: 10.0.0.0/24}\n`)
const run = (words: readonly string[], environment: Readonly<Record<string, string>> = { IAC_TOKEN_FILE: 'secrets/deploy' }) =>
  runCli(words, { folder, environment })

beforeEach(() => {
  folder = newFolder()
  mkdirSync(join(folder, 'secrets'))
  writeFileSync(join(folder, 'secrets/deploy'), `${token}\n`, { mode: 0o600 })
  project()
  described('one')
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each(['secrets/deploy', 'secrets//deploy', 'link', 'folder/deploy', 'another-name'])('file() of %s is refused', async (path) => {
  symlinkSync('secrets/deploy', join(folder, 'link'))
  linkSync(join(folder, 'secrets/deploy'), join(folder, 'another-name'))
  symlinkSync('secrets', join(folder, 'folder'))
  described(`\${base64(file('${path}'))}`)
  const refused = await run(['plan', '--sandbox'])
  expect([refused.code, refused.stdout, refused.stderr]).toEqual([
    3,
    '',
    expect.stringContaining(`file "${path}" cannot be read: it holds what this run signs in with`),
  ])
})

test.each(['AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_SHARED_CREDENTIALS_FILE'])('the file that %s names is refused, too', async (name) => {
  described("${file('secrets/deploy')}")
  const refused = await run(['validate'], { [name]: join(folder, 'secrets/deploy') })
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('it holds what this run signs in with')])
})

test('it is no file of policies, and no project file, and no message quotes it', async () => {
  project('policies: [{ file: secrets/deploy }]\n')
  const asPolicies = await run(['validate'])
  rmSync(join(folder, 'iac.yaml'))
  symlinkSync('secrets/deploy', join(folder, 'iac.yaml'))
  const asProject = [await run(['validate']), await run(['fmt', '--check']), await run(['state', 'list'])]
  for (const { code, stdout, stderr } of [asPolicies, ...asProject]) expect([code, `${stdout}${stderr}`.includes(token.slice(0, 8))]).toEqual([3, false])
})

test('a console shows neither it nor the file of a sensitive variable', async () => {
  project('variables: { db: { type: string, sensitive: true } }\n')
  write('given.yaml', `db: ${token}\n`)
  const stdin = "file('secrets/deploy')\nfile('given.yaml')\n"
  const { code, stdout, stderr } = await runCli(['console', '--sandbox', '--var-file', 'given.yaml'], {
    folder,
    environment: { IAC_TOKEN_FILE: 'secrets/deploy' },
    stdin,
  })
  expect([code, stdout.trim(), `${stdout}${stderr}`.includes(token.slice(0, 8))]).toEqual([3, '(sensitive value)', false])
  expect(stderr).toContain('it holds what this run signs in with')
})

test('what a plan is held against shows it no more than the plan itself', async () => {
  project('manifests: [vpc.yaml]\n')
  mkdirSync(join(folder, 'former'))
  write('former/vpc.yaml', `apiVersion: iac/v1\nkind: Vpc\nmetadata: {name: main}\nspec: {description: "\${file('secrets/deploy')}", range: 10.0.0.0/24}\n`)
  const { code, stdout, stderr } = await run(['plan', '--sandbox', '--seed', 'former'])
  expect([code, stdout.includes(token.slice(0, 8)), stderr]).toEqual([3, false, expect.stringContaining('it holds what this run signs in with')])
})

test('a workspace that the file of a sensitive variable names is not told by what reads the project file alone', async () => {
  project('provider: { workspace: "${file(\'given.yaml\')}" }\nvariables: { db: { type: string, sensitive: true } }\n')
  write('given.yaml', `db: ${token}\n`)
  const { code, stdout, stderr } = await run(['get', 'Vpc', '--sandbox', '--var-file', 'given.yaml'], {})
  expect([code, stderr, `${stdout}${stderr}`.includes(token.slice(0, 8))]).toEqual([
    3,
    expect.stringContaining('a sensitive value cannot name a workspace'),
    false,
  ])
})

test('a pattern of manifests that takes it along leaves it alone, and what no variable names is read', async () => {
  project('manifests: ["**/*"]\n')
  write('greeting', 'hello')
  described("${file('greeting')}")
  expect((await run(['validate'])).code).toBe(0)
})

test.each([
  ['declared as sensitive', 'variables: { db: { type: string, sensitive: true } }\n', {}],
  ['called sensitive by whoever runs it', 'variables: { db: { type: string } }\n', { IAC_SENSITIVE_VARS: 'db' }],
])('the file of a variable that is %s is sensitive by whatever way it is read', async (_, variables, environment) => {
  project(variables)
  write('given.yaml', `db: ${token}\n`)
  write('copy', `db: ${token}\n`)
  for (const source of ["file('given.yaml')", "file('copy').split(' ')[1]"]) {
    described(`\${${source}}`)
    const planned = await run(['plan', '--sandbox', '--var-file', 'given.yaml'], environment)
    expect([planned.code, planned.stdout.includes('(sensitive'), `${planned.stdout}${planned.stderr}`.includes(token.slice(0, 8))]).toEqual([0, true, false])
  }
  described("${file('given.yaml')}")
  project('variables: { db: { type: string } }\n')
  expect((await run(['plan', '--sandbox', '--var-file', 'given.yaml'], {})).stdout).toContain(token)
})
