// `iac get KIND --json`: the API's own records, also of kinds that are composed of several reads.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

test('shows the records of composed kinds as the service gives them', async () => {
  const folder = newFolder()
  const run = (...words: string[]): ReturnType<typeof runCli> => runCli([...words, '--sandbox'], { folder })
  await runCli(['init'], { folder })
  const rule =
    'apiVersion: iac/v1\nkind: FirewallRule\nmetadata: { name: ssh }\nspec: { instance: web, type: IPv4, protocol: TCP, action: ACCEPT, port_start: 22 }\n'
  writeFileSync(
    join(folder, 'infra/web.yaml'),
    `apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: ryzen-4, region: fra-1 }\n---\n${rule}`,
  )
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  for (const [kind, path] of [
    ['instances', 'instances'],
    ['firewallrules', undefined],
    ['workspaces', undefined],
  ] as const) {
    const [shown] = JSON.parse((await run('get', kind, '--json')).stdout)
    expect(shown).toMatchObject({ id: expect.any(String) })
    expect(Object.keys(shown)).toContain(kind === 'instances' ? 'sync_hostname' : kind === 'workspaces' ? 'access_level' : 'created_at')
    if (path === undefined) continue
    const [workspace] = JSON.parse((await run('api', 'GET', '/v1/workspaces', '--paginate')).stdout)
    const [record] = JSON.parse((await run('api', 'GET', `/v1/workspaces/${workspace.id}/${path}`, '--paginate')).stdout)
    expect(shown).toEqual({ ...record, id: String(record.id) })
  }
})

test('shows null in the place of what is secret', async () => {
  const folder = newFolder()
  const run = (...words: string[]): ReturnType<typeof runCli> =>
    runCli([...words, '--sandbox'], { folder, environment: { IAC_VAR_password: 'battery-staple' } })
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: p\nvariables:\n  password: { type: string, sensitive: true }\n')
  const spec = 'spec: { asn: 64512, password: "${vars.password}" }'
  writeFileSync(join(folder, 'bgp.yaml'), `apiVersion: iac/v1\nkind: BgpConfiguration\nmetadata: { name: main }\n${spec}\n`)
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  const { stdout } = await run('get', 'bgpconfigurations', '--json')
  expect(stdout).not.toContain('battery-staple')
  expect(JSON.parse(stdout)).toMatchObject([{ data: { asn: 64512 }, live: { password: null } }])
})

const ids = 'spec: { name: main-net, description: d, range: 10.0.0.0/24 }'
async function withVpc(lines = ''): Promise<{ readonly folder: string; readonly run: (...words: string[]) => ReturnType<typeof runCli> }> {
  const folder = newFolder()
  writeFileSync(join(folder, 'main.yaml'), `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\n${ids}\n`)
  const run = (...words: string[]): ReturnType<typeof runCli> => runCli([...words, '--sandbox'], { folder })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: p\n${lines}variables: { needed: { type: string } }\n`)
  return { folder, run }
}

test.each(['', 'provider: { workspace: { name: default } }\n'])('needs no variables, and no manifests that are right: %j', async (lines) => {
  const { folder, run } = await withVpc(lines)
  writeFileSync(join(folder, 'main.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { range: "${vars.needed}" }\n')
  expect((await run('plan')).code).toBe(3)
  expect(await run('get', 'vpcs')).toMatchObject({ code: 0, stdout: expect.stringContaining('main-net') })
})

test('needs the variables that name the workspace, and no others', async () => {
  const asked = async (...words: string[]) => {
    const { code, stderr } = await run('get', ...words)
    return [code, ...Array.from(stderr.matchAll(/^error: (.*)$/gm), ([, text]) => text)]
  }
  const { folder, run } = await withVpc('provider: { workspace: { name: "${vars.needed}" } }\n')
  expect(await run('get', 'vpcs')).toMatchObject({ code: 3, stderr: expect.stringContaining('needed') })
  const other = 'variables: { needed: { type: string }, other: { type: int } }\nprovider: { workspace: { name: "${vars.needed}" } }\n'
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: p\nenvironments: { dev: {} }\n${other}`)
  expect(await asked('vpcs')).toEqual([3, 'the variable needed has no value'])
  expect(await asked('vpcs', '--var', 'needed=default', '-e', 'prod')).toEqual([3, 'no environment "prod" is declared'])
  expect(await asked('vpcs', '--var', 'needed=default', '--var', 'ned=x')).toEqual([3, '--var ned gives a value to "ned", which the project does not declare'])
  for (const words of [['plans'], ['workspaces'], ['vpcs', '--all-workspaces']]) expect(await asked(...words)).toEqual([0])
  expect(await run('get', 'vpcs', '--var', 'needed=default')).toMatchObject({ code: 0, stdout: expect.stringContaining('main-net') })
})

test('a workspace of the project that is not made yet needs no variable, one that nothing declares is refused', async () => {
  const { folder, run } = await withVpc()
  const project = (name: string) =>
    writeFileSync(
      join(folder, 'iac.yaml'),
      `apiVersion: iac/v1\nkind: Project\nname: p\nprovider: { workspace: ${name} }\nvariables: { other: { type: int } }\n`,
    )
  writeFileSync(join(folder, 'shop.yaml'), 'apiVersion: iac/v1\nkind: Workspace\nmetadata: { name: shop }\nspec: { name: shop }\n')
  project('shop')
  const { code, stderr } = await run('get', 'vpcs')
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^error: the workspace Workspace\/shop has not been made yet\n {2}hint: apply first, or use --all-workspaces\n/),
  ])
  expect((await run('doctor')).stdout).toContain('owner of Workspace/shop, which the first apply makes')
  project('shpo')
  expect((await run('get', 'vpcs')).stderr).toMatch(/^error: no Workspace named "shpo" is declared\n[^]*did you mean "shop"\?\n/)
})

test('one object by name or id is one object, and ids are texts', async () => {
  const { run } = await withVpc()
  const [one] = JSON.parse((await run('get', 'Vpc', '--json')).stdout)
  expect(one).toMatchObject({ id: expect.stringMatching(/^\d{19}$/), name: 'main-net' })
  const [made] = JSON.parse((await run('get', 'workspaces', '--json')).stdout)
  // Digits alone are an id, whatever else is called so.
  await run('api', 'POST', `/v1/workspaces/${made.id}/vpcs`, '-f', `name=${one.id}`, '-f', 'description=d', '-f', 'range=10.8.0.0/24')
  for (const word of ['main-net', one.id]) expect(JSON.parse((await run('get', 'Vpc', word, '--json')).stdout)).toEqual(one)
  const workspace = JSON.parse((await run('get', 'workspaces', 'default', '--json')).stdout)
  await run('api', 'POST', `/v1/workspaces/${workspace.id}/vpcs`, '-f', 'name=main-net', '-f', 'description=d', '-f', 'range=10.9.0.0/24')
  const two = await run('get', 'Vpc', 'main-net', '--json')
  expect([two.code, two.stderr]).toEqual([3, expect.stringMatching(/2 vpcs are called main-net[\s\S]*name one by its id: \d+, \d+/)])
})

describe('get -o yaml', () => {
  const two = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: other }\nspec: { name: other-net, description: o, range: 10.1.0.0/24 }\n'
  const web = 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: ryzen-4, region: fra-1, vpcs: [main] }\n'
  const main = `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\n${ids}\n`
  async function made(folder = newFolder()): Promise<(...words: string[]) => ReturnType<typeof runCli>> {
    writeFileSync(join(folder, 'main.yaml'), [main, two, web].join('---\n'))
    const run = (...words: string[]): ReturnType<typeof runCli> => runCli([...words, '--sandbox'], { folder })
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    return run
  }

  test('prints the manifests of what is asked for, and of nothing else', async () => {
    const run = await made()
    const both = await run('get', 'vpcs', '-o', 'yaml')
    expect([both.code, both.stdout.split('---\n').length]).toEqual([0, 2])
    const one = await run('get', 'vpc', 'main-net', '-o', 'yaml')
    expect(one.stdout).toMatch(/kind: Vpc\nmetadata:\n {2}name: main-net\n {2}import: \{ id: "\d+" \}\nspec:[^]*range: 10\.0\.0\.0\/24\n/)
    expect(one.stdout).not.toContain('other')
    const server = await run('get', 'instance', 'web', '-o', 'yaml')
    expect(server.stdout).toMatch(/plan: ryzen-4\n[^]*vpcs:\n {4}- \{ id: "\d+" \}\n/)
  })
  test('gives what a plan takes over without a change', async () => {
    const folder = newFolder()
    const run = await made(folder)
    const { stdout } = await run('get', 'vpcs', '-o', 'yaml')
    for (const address of ['Instance/web', 'Vpc/main', 'Vpc/other']) expect((await run('state', 'rm', address)).code).toBe(0)
    writeFileSync(join(folder, 'main.yaml'), stdout)
    const { summary } = JSON.parse((await run('plan', '--json')).stdout)
    expect(summary).toMatchObject({ import: 2, create: 0, update: 0, replace: 0, delete: 0 })
  })
  test('names the workspace where several are looked through, so that none is taken over into another', async () => {
    const run = await made()
    const [workspace] = JSON.parse((await run('get', 'workspaces', '--json')).stdout)
    const { stdout } = await run('get', 'vpcs', '--all-workspaces', '-o', 'yaml')
    expect(stdout.match(/^ {2}workspace: .*$/gm)).toEqual([`  workspace: { id: "${workspace.id}" }`, `  workspace: { id: "${workspace.id}" }`])
    const account = await run('get', 'coupons', '--all-workspaces', '-o', 'yaml')
    expect(account.stdout).not.toContain('workspace:')
  })
  test('leaves out what is only a part of something else, and says so', async () => {
    const run = await made()
    const { code, stdout, stderr } = await run('get', 'disks', '-o', 'yaml')
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toMatch(
      /^Disk left out: being deleted, or belonging to the platform or to something else: \d+\nnothing of it can be declared in a manifest\n$/,
    )
    expect((await run('get', 'recipes', '-o', 'yaml')).stderr).toMatch(
      /^Recipe left out: being deleted, or belonging to the platform[^]*\nnothing of it can be/,
    )
  })
  test.each([
    [['plans', '-o', 'yaml'], 'plans are looked up, not declared'],
    [['apps', '-o', 'yaml'], 'the service offers no call that reads apps'],
    [['vpcs', '-o', 'yaml', '--watch'], '--watch shows a table, and excludes --output yaml'],
    [['vpcs', '-o', 'yaml', '--json'], '--json excludes --output yaml'],
  ])('%j: %s', async (words, said) => {
    const { code, stderr, stdout } = await runCli(['get', ...words, '--sandbox'], { folder: newFolder() })
    expect(code).toBe(3)
    expect(`${stderr}${stdout}`).toContain(said)
  })
})
