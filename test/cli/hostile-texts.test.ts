// A stranger's project run by a pipeline: what it prints commands no runner, and shows nothing that the pipeline calls sensitive.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { starting } from '../../src/cli/bootstrap.ts'
import type { Ran } from './run-cli.ts'
import { newFolder, runCli } from './run-cli.ts'

const commands = /##[a-z]{0,16}\[|^\s*::|::(?:error|add-mask|set-output|warning)|section_(?:start|end):|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/im
const nasty = '::add-mask::x ##vso[task.setvariable variable=y]z ##teamcity[x] ::error::fd00::a section_start:1:x'
const workspace = '1152921504607008513'

const folder = newFolder()
const run = async (...words: string[]): Promise<Ran> => await runCli(words, { folder })

beforeAll(async () => {
  writeFileSync(join(folder, 'carriage.txt'), 'a\r::warning::b\n::error::c\u001b]52;c;aGk=\u0007\u009b2J\u202e')
  writeFileSync(
    join(folder, 'iac.yaml'),
    `apiVersion: iac/v1\nkind: Project\nname: hostile\noutputs:\n  nasty: { value: "${nasty}" }\n  lines: { value: "\${file('carriage.txt')}" }\n  address: { value: "fd00::a" }\n`,
  )
  writeFileSync(
    join(folder, 'network.yaml'),
    `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main, for_each: "\${['::error::a', '##teamcity[b]']}" }\nspec: { name: "net-\${sha256(each.key).substring(0, 6)}", description: "${nasty}", range: 10.0.0.0/24 }\n`,
  )
  const { code, stdout } = await run('apply', '--sandbox', '--auto-approve', '--json')
  if (code !== 0) throw new Error(stdout)
})

describe('no runner finds a command in', () => {
  test.each([
    ['plan', '--sandbox', '--verbose'],
    ['plan', '--sandbox', '--replace', 'Vpc/main'],
    ['plan', '--sandbox', '--destroy', '--json'],
    ['apply', '--sandbox', '--auto-approve', '--replace', 'Vpc/main'],
    ['apply', '--sandbox', '--auto-approve', '--json', '--replace', 'Vpc/main'],
    ['drift', '--sandbox', '--unmanaged'],
    ['status', '--sandbox'],
    ['show', '--sandbox'],
    ['show', '--sandbox', '--json'],
    ['output', '--sandbox'],
    ['output', '--sandbox', '--json'],
    ['output', '--sandbox', 'nasty'],
    ['output', '--sandbox', 'nasty', '--json'],
    ['state', 'list', '--sandbox'],
    ['state', 'pull', '--sandbox'],
    ['get', 'vpcs', '--sandbox'],
    ['get', 'vpcs', '--sandbox', '--json'],
    ['api', 'GET', `/v1/workspaces/${workspace}/vpcs`, '--sandbox'],
    ['graph'],
    ['graph', '--format', 'dot'],
    ['graph', '--format', 'svg'],
    ['graph', '--json'],
    ['::error::x'],
    ['plan', '--##teamcity[x'],
    ['plan', '--dir', 'a\r::error::x'],
    ['plan', '-f', '##vso[x]'],
    ['plan', '--var', '::error::x=1'],
    ['explain', '##TEAMCITY[x]'],
    ['state', 'show', 'Vpc/x["::error::x"]', '--sandbox'],
    ['output', '::error::x', '--sandbox'],
    ['show', '::error::x'],
  ])('%s %s %s %s %s', async (...words) => {
    const { stdout, stderr } = await run(...words.filter((word) => word !== undefined))
    expect(`${stdout}${stderr}`).not.toBe('')
    expect(stdout).not.toMatch(commands)
    expect(stderr).not.toMatch(commands)
  })
})

test('nor in what is printed of a defect, or of a file with such a name', async () => {
  expect(starting.defectText(new Error('a\r::error::x ##[y]\u009b2J'))).not.toMatch(commands)
  const named = newFolder()
  writeFileSync(join(named, '##vso[x]\n::error::a.yaml'), 'apiVersion: iac/v1\nkind: ::error::x\n')
  const { code, stderr } = await runCli(['validate', '--verbose'], { folder: named })
  expect(code).toBe(3)
  expect(stderr).toContain('.yaml:2:')
  expect(stderr).not.toMatch(commands)
})

test('what programs read says the same', async () => {
  const outputs: unknown = JSON.parse((await run('output', '--json', '--sandbox')).stdout)
  expect(outputs).toMatchObject({
    nasty: { value: nasty },
    address: { value: 'fd00::a' },
    lines: { value: readFileSync(join(folder, 'carriage.txt'), 'utf8') },
  })
  expect((await run('output', '--raw', 'nasty', '--sandbox')).stdout).toBe(nasty)
  expect((await run('output', '--sandbox')).stdout).toContain('"fd00::a"')
  const pulled = (await run('state', 'pull', '--sandbox')).stdout
  writeFileSync(join(folder, 'pulled.json'), pulled)
  expect(await run('state', 'push', 'pulled.json', '--sandbox')).toMatchObject({ code: 0 })
  expect((await run('plan', '--sandbox')).stdout).toContain('No changes.')
})

test('an address is taken as it is printed', async () => {
  const addresses = (await run('state', 'list', '--sandbox')).stdout.trim().split('\n')
  expect(addresses).toHaveLength(2)
  for (const address of addresses) expect(await run('state', 'show', address, '--sandbox')).toMatchObject({ code: 0 })
})

test('a value for a program that a runner would carry out is refused in a pipeline, unless a file takes it', async () => {
  const words = ['output', '--raw', 'nasty', '--sandbox']
  const environment = { CI: 'true' }
  expect(await runCli(words, { folder, environment })).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('take --json') })
  expect(await runCli(words, { folder, environment, isFile: true })).toMatchObject({ code: 0, stdout: nasty })
  expect(await runCli(['output', '--raw', 'address', '--sandbox'], { folder, environment })).toMatchObject({ code: 0, stdout: 'fd00::a' })
})

test('a file of variables that has become a link shows nothing of where it leads', async () => {
  const linked = newFolder()
  writeFileSync(
    join(linked, 'iac.yaml'),
    'apiVersion: iac/v1\nkind: Project\nname: linked\nmanifests: []\nvariables: { auths: { type: any } }\noutputs: { leak: { value: "${vars.auths}" } }\n',
  )
  writeFileSync(join(linked, '.docker.yaml'), 'auths: canary\n')
  writeFileSync(`${linked}-elsewhere.yaml`, 'auths: canary\n')
  for (const [name, to] of Object.entries({ 'in.yaml': '.docker.yaml', 'out.yaml': `${linked}-elsewhere.yaml` })) {
    symlinkSync(to, join(linked, name))
    const { code, stdout, stderr } = await runCli(['plan', '--sandbox', '--var-file', name], { folder: linked })
    expect([code, stderr]).toEqual([3, expect.stringContaining('name the file itself in place of a link')])
    expect(`${stdout}${stderr}`).not.toContain('canary')
  }
  for (const name of ['.docker.yaml', `${linked}-elsewhere.yaml`])
    expect((await runCli(['plan', '--sandbox', '--var-file', name], { folder: linked })).code).toBe(0)
})

test('what the pipeline calls sensitive is, whatever a pull request makes of its declaration', async () => {
  const stolen = newFolder()
  writeFileSync(
    join(stolen, 'iac.yaml'),
    'apiVersion: iac/v1\nkind: Project\nname: stolen\nvariables: { password: { type: string, sensitive: false } }\noutputs:\n  leak: { value: "${vars.password}", sensitive: false }\n  part: { value: "${base64(vars.password)}" }\n',
  )
  writeFileSync(
    join(stolen, 'm.yaml'),
    'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: "${vars.password}", range: 10.0.0.0/24 }\n',
  )
  const environment = { IAC_VAR_password: 'canary', IAC_SENSITIVE_VARS: 'other,password' }
  const pipeline = async (...words: string[]): Promise<Ran> => await runCli([...words, '--sandbox'], { folder: stolen, environment })
  const ran = [
    await pipeline('plan', '--out', 'today.plan'),
    await pipeline('plan', '--json'),
    await pipeline('apply', 'today.plan', '--json'),
    await pipeline('output', '--json'),
    await pipeline('show'),
    await pipeline('state', 'pull'),
  ]
  expect(ran.map((one) => one.code)).toEqual([0, 0, 0, 0, 0, 0])
  const all = [...ran.map((one) => one.stdout + one.stderr), readFileSync(join(stolen, 'today.plan'), 'utf8')].join('')
  for (const text of ['canary', 'Y2FuYXJ5']) expect(all).not.toContain(text)
  expect(all).toContain('(sensitive value)')
})
