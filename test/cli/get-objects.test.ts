// `iac get KIND --json`: the API's own records, also of kinds that are composed of several reads.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
    expect(shown).toEqual(record)
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
