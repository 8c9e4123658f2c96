// A user's afternoon with a workspace: how much room there is in it, what stands there, and how it hangs together.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTopology } from '../../src/cli/operating/read-topology.ts'
import { topologyDot, topologyTree } from '../../src/cli/render/topology.ts'
import type { Ran } from './run-cli.ts'
import { newFolder, runCli } from './run-cli.ts'
import { serving } from './serve-sandbox.ts'

const manifests = `apiVersion: iac/v1
kind: Vpc
metadata: { name: main }
spec: { name: main-net, description: net, range: 10.0.0.0/24 }
---
apiVersion: iac/v1
kind: Instance
metadata: { name: web }
spec: { type: PLAN, plan: ryzen-4, region: fra-1, vpcs: [main] }
---
apiVersion: iac/v1
kind: Instance
metadata: { name: lone }
spec: { type: PLAN, plan: ryzen-2, region: fra-1, power: "OFF" }
---
apiVersion: iac/v1
kind: FloatingIp
metadata: { name: ip }
spec: { type: IPv4, ddos: true, region: fra-1, instance: web }
---
apiVersion: iac/v1
kind: FloatingIp
metadata: { name: spare }
spec: { type: IPv4, ddos: false, region: fra-1 }
`

interface Row {
  readonly name: string
  readonly used: number | null
  readonly limit: number | null
}

test('quota is counted as the plan counts it, and a workspace is drawn as it stands', async () => {
  await serving(newFolder(), ['--profile', 'instant'], async ({ address }) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'main.yaml'), manifests)
    const at = { folder, environment: { IAC_BASE_URL: address.url }, token: address.token }
    const run = (...words: string[]): Promise<Ran> => runCli(words, at)

    const before: Row[] = JSON.parse((await run('quota', '--json')).stdout)
    const plan: { readonly quota: readonly (Row & { readonly after: number })[] } = JSON.parse((await run('plan', '--json')).stdout)
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    const after: Row[] = JSON.parse((await run('quota', '--json')).stdout)
    const usedIn = (rows: readonly Row[], name: string): number | null | undefined => rows.find((one) => one.name === name)?.used
    expect(plan.quota.map((one) => one.name)).toEqual([
      'max_floating_ips',
      'max_floating_ipv4',
      'max_floating_ipv6',
      'max_instances',
      'max_storage_bytes',
      'max_vpcs',
    ])
    for (const { name, used, after: expected, limit } of plan.quota) {
      expect([name, usedIn(before, name), usedIn(after, name)]).toEqual([name, used, expected])
      expect(after.find((one) => one.name === name)?.limit).toBe(limit)
    }
    // Nothing that can be listed tells of installation images.
    expect(usedIn(after, 'iso_count')).toBeNull()

    const text = (await run('quota')).stdout
    expect(text).toMatch(/^workspace default \(\d+\)\n\nLIMIT +USED +OF\n/)
    expect(text).toMatch(/^max_instances +2 +1000 {2}\[#\.{19}\] 0 %$/m)
    expect(text).toMatch(/^iso_count +not counted +10$/m)
    expect((await run('quota', '--all-workspaces')).stdout).toBe(text)

    const tree = (await run('topology')).stdout
    expect(tree).toMatch(/^workspace default \(\d+\)\n├─ vpc main-net {2}10\.0\.0\.0\/24\n│ {2}└─ instance web {2}on {2}10\.0\.0\.2\n/)
    expect(tree).toMatch(/├─ instance lone {2}off\n/)
    expect(tree).toMatch(/ {6}└─ [\d.]+ {2}protected\n|│ {5}└─ [\d.]+ {2}protected\n/)
    expect(tree).toMatch(/└─ addresses of nothing\n {3}└─ [\d.]+\n$/)
    const shown = JSON.parse((await run('topology', '--json')).stdout)
    expect(shown.ips[0]).toMatchObject({ id: expect.stringMatching(/^\d+$/), address: expect.any(String) })
    expect((await run('topology', '-o', 'dot')).stdout).toMatch(/^graph topology \{\n[\s\S]* -- [\s\S]*\}\n$/)
    const svg = (await run('topology', '-o', 'svg')).stdout
    expect(svg).toMatch(/^<svg [\s\S]*>main&#45;net<[\s\S]*<\/svg>\n$/)
    expect(svg).not.toMatch(/<!DOCTYPE|<script|href=/)
  })
})

test('a name from the service is no command, no markup and no end of a quotation', () => {
  const name = 'a"]; x [URL="//evil"] \\N </text><script>\u001b[31m\n&amp;'
  const topology = readTopology('1', {
    vpcs: [{ id: 1n, name, members: ['2'] }],
    instances: [{ id: '2', name }],
    net_balancers: [{ id: 3, members: [{ id: 2 }] }],
  })
  const dot = topologyDot(topology)
  expect(dot.split('\n').filter((line) => line.includes('evil'))).toHaveLength(2)
  expect(dot).toContain(String.raw`a\"]; x [URL=\"//evil\"] \\N </text><script>\\x1b[31m\n&amp;amp;`)
  expect(topologyTree(topology)).not.toContain('\u001b')
})

test.each([
  ['null', null],
  ['a list', []],
  ['texts for lists', { instances: 'many', ips: {}, vpcs: [null, 'x', { id: {} }] }],
  ['members that are none', { vpcs: [{ id: 1, instances: [null, 5.5, {}] }] }],
])('a topology that is %s is drawn as far as it tells', (_, answer) => {
  expect(topologyTree(readTopology('1', answer))).toMatch(/^workspace 1\n/)
})

test.each(['quota', 'topology', 'usage', 'wallet', 'wallet history', 'prices'])('%s ends cleanly where the service answers something else', async (words) => {
  for (const answer of ['null', '[null]', '"text"', '{"items":[7],"workspaces":3,"balance":{}}']) {
    const server = createServer(({ url = '' }, response) => {
      const workspaces = '{"items":[{"id":"1","name":"default"}],"hasNext":false,"after":null}'
      response.writeHead(200, { 'content-type': 'application/json' }).end(url.startsWith('/v1/workspaces?') ? workspaces : answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const environment = { IAC_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
    const { code, stderr } = await runCli(words.split(' '), { folder: newFolder(), environment, token: 'a-token-of-tests' })
    server.close()
    expect([0, 1, 3], `${answer}: ${stderr}`).toContain(code)
    expect(stderr).not.toContain('a defect of iac')
  }
})
