// `iac export`: manifests for what is live, which a plan in a fresh folder takes over without a change, under every reading.
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { stringifyJson } from '../../src/base/json.ts'
import { compatFor } from '../../src/sandbox/readings/reading-compat.ts'
import { campaign, seedFor } from '../builders/long-form.ts'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'
import { serving } from './serve-sandbox.ts'

const exported = z.object({
  files: z.array(z.object({ path: z.string(), text: z.string() })),
  resources: z.array(z.object({ address: z.string(), kind: z.string(), id: z.string() })),
  variables: z.array(z.object({ name: z.string(), type: z.string(), sensitive: z.boolean() })),
  left_out: z.array(z.object({ kind: z.string() })),
})
const values: Readonly<Record<string, string>> = { map: '{}', bool: 'false', string: 'fra-1' }

/** Exports from a sandbox into a folder, and plans there. */
async function takenOver(words: readonly string[]): Promise<{ readonly document: z.output<typeof exported>; readonly plan: Ran }> {
  let result: { document: z.output<typeof exported>; plan: Ran } | undefined
  await serving(newFolder(), words, async ({ address }) => {
    const folder = newFolder()
    const compat = stringifyJson(compatFor(address.readings ?? {}))
    const head = `apiVersion: iac/v1\nkind: Project\nname: taken\nprovider: { compat: ${compat} }\n`
    writeFileSync(join(folder, 'iac.yaml'), head)
    const environment = { IAC_BASE_URL: address.url }
    const run = (...more: string[]) => runCli(more, { folder, environment, token: address.token })
    const ran = await run('export', '--out', 'infra', '--json')
    expect(ran.code, ran.stderr).toBe(0)
    const document = exported.parse(JSON.parse(ran.stdout))
    const variables = document.variables.map(({ name, type }) => `  ${name}: { type: ${type}, default: ${values[type] ?? "''"} }\n`)
    writeFileSync(join(folder, 'iac.yaml'), `${head}${variables.length > 0 ? `variables:\n${variables.join('')}` : ''}`)
    result = { document, plan: await run('plan') }
  })
  if (!result) throw new Error('nothing was exported')
  return result
}

const first = seedFor('export') % 2 ** 30
const seeds = Array.from({ length: campaign(20, 6, 2) }, (_, index) => first + index)

describe.each(['small-team', 'production-like'])('the preset %s', (preset) => {
  test.each(seeds)('is exported and taken over without a change under the readings drawn by %i', { timeout: 120_000, tags: ['longer'] }, async (seed) => {
    const { document, plan } = await takenOver(['--preset', preset, '--readings-seed', String(seed), '--reading', 'rateLimit=0'])
    expect(plan.code, plan.stderr).toBe(0)
    expect(plan.stdout).toContain(`Plan: ${document.resources.length} to import, 0 to add, 0 to change, 0 to destroy.`)
    // Addresses that may have come with an instance are told, and nothing else is left out.
    expect(new Set(document.left_out.map((one) => one.kind))).toEqual(new Set(['FloatingIp']))
  })
})

const specs = {
  vpc: 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main-net, description: "costs $${", range: 10.0.0.0/24 }\n',
  bgp: 'apiVersion: iac/v1\nkind: BgpConfiguration\nmetadata: { name: main }\nspec: { asn: 64512, password: "${vars.password}" }\n',
  cluster: 'apiVersion: iac/v1\nkind: K3sCluster\nmetadata: { name: main }\nspec: {}\n',
  secret: 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: db }\nspec: { name: db, data: { PASSWORD: "${vars.password}" } }\n',
  ip: 'apiVersion: iac/v1\nkind: FloatingIp\nmetadata: { name: spare }\nspec: { type: IPv4, region: fra-1, ddos: false, dns: mail.example.com }\n',
}
const variable = 'variables: { password: { type: string, sensitive: true } }\n'

/** A sandbox with these objects, looked at from a folder that manages nothing. */
async function beside(texts: readonly string[]): Promise<{ readonly folder: string; readonly run: (...words: string[]) => Promise<Ran> }> {
  const folder = newFolder()
  const environment = { IAC_VAR_password: 'battery-staple' }
  mkdirSync(join(folder, 'made'))
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: p\n${variable}`)
  writeFileSync(join(folder, 'made/all.yaml'), texts.join('---\n'))
  const run = (...words: string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder, environment })
  const made = await run('apply', '--auto-approve')
  expect(made.code, made.stderr).toBe(0)
  return { folder, run }
}

test('no secret stands in what is exported: each is asked for, and the right one is no change', async () => {
  const { folder, run } = await beside([specs.bgp, specs.cluster, specs.secret])
  const ran = await run('export')
  expect(ran.code).toBe(0)
  expect(ran.stdout + ran.stderr).not.toContain('battery-staple')
  expect(ran.stderr).toContain('bgpconfiguration_main_password: { type: string, sensitive: true')
  expect(ran.stderr).toContain('k3ssecret_db_data_password: { type: string, sensitive: true')
  expect(ran.stdout).toContain('PASSWORD: ${vars.k3ssecret_db_data_password}')
  const lines = ran.stderr.slice(ran.stderr.indexOf('variables:\n'))
  const iac = `apiVersion: iac/v1\nkind: Project\nname: p\n${lines}`
  writeFileSync(join(folder, 'iac.yaml'), iac)
  writeFileSync(join(folder, 'made/all.yaml'), ran.stdout)
  const values = ['bgpconfiguration_main_password', 'k3ssecret_db_data_password'].flatMap((name) => ['--var', `${name}=battery-staple`])
  for (const address of ['BgpConfiguration/main', 'K3sSecret/db', 'K3sCluster/main']) await run('state', 'rm', address)
  const plan = await run('plan', ...values)
  expect(plan.stdout, plan.stderr).toContain('Plan: 6 to import, 0 to add, 0 to change, 0 to destroy.')
})

test('what is no expression at the service is none in a manifest', async () => {
  const { run } = await beside([specs.vpc])
  expect((await run('export', '--kind', 'vpcs')).stdout).toContain('description: costs $${')
})

test('what no answer shows is asked for', async () => {
  const { run } = await beside([specs.ip])
  const { stdout, stderr } = await run('export')
  expect(stdout).toContain('region: ${vars.floatingip_mail_example_com_region}')
  expect(stderr).toContain('floatingip_mail_example_com_ddos: { type: bool, description:')
})

test('what the rules or the server beside it tell is not asked for, of one kind alone either', async () => {
  const server = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-2\nregion: ams-1')
  const address = (name: string, type: string): string =>
    manifest('FloatingIp', name, `type: ${type}\nregion: ams-1\nddos: false\ninstance: web\ndns: ${name}.example.com`)
  const { run } = await operatingBench(server + address('six', 'IPv6') + address('four', 'IPv4'))
  const all: readonly { readonly id: string; readonly type: string }[] = JSON.parse((await run(['get', 'floatingips', '--json'])).stdout)
  for (const words of [
    ['get', 'floatingips', '-o', 'yaml'],
    ['export', '--kind', 'floatingips'],
  ]) {
    const { stdout } = await run(words)
    // Two of them came with the server.
    const told = stdout.match(/type: IPv.|region: .*|ddos: false|ddos: \$/g)
    expect(
      told
        ?.join(' ')
        .match(/type.*?ddos: (?:false|\$)/g)
        ?.toSorted(),
    ).toEqual([
      'type: IPv4 region: ams-1 ddos: $',
      'type: IPv4 region: ams-1 ddos: $',
      'type: IPv6 region: ams-1 ddos: false',
      'type: IPv6 region: ams-1 ddos: false',
    ])
  }
  const folder = newFolder()
  const six = all.find((one) => one.type === 'IPv6')?.id ?? ''
  expect(await run(['import', '--generate', 'FloatingIp/taken', six, '--dir', folder])).toMatchObject({ code: 0 })
  const file = readdirSync(folder).find((name) => name.endsWith('.yaml'))
  expect(readFileSync(join(folder, file ?? ''), 'utf8')).toMatch(/^ {2}region: ams-1\n {2}ddos: false$/m)
})

test('files are written where nothing stands, one for each kind or group, and never over another', async () => {
  const { folder, run } = await beside([specs.vpc, specs.cluster])
  const written = await run('export', '--out', 'out')
  expect(written).toMatchObject({ code: 0, stdout: 'Wrote 5 objects into vpcs.yaml, dediboxes.yaml, k3sclusters.yaml.\n' })
  writeFileSync(join(folder, 'out/vpcs.yaml'), 'mine')
  expect(await run('export', '--out', 'out')).toMatchObject({ code: 3, stderr: expect.stringContaining('is there already') })
  expect(readFileSync(join(folder, 'out/vpcs.yaml'), 'utf8')).toBe('mine')
  expect((await run('export', '--out', 'groups', '--by', 'group')).code).toBe(0)
  expect(readdirSync(join(folder, 'groups')).toSorted()).toEqual(['dediboxes.yaml', 'managed-cluster.yaml', 'vpcs.yaml'])
})

test.each(['link', 'link/deeper'])('nothing is written over a link that the project holds: --out %s', async (out) => {
  const [folder, elsewhere] = [newFolder(), newFolder()]
  symlinkSync(elsewhere, join(folder, 'link'))
  const ran = await runCli(['export', '--out', out, '--sandbox'], { folder })
  expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(`${out} cannot be written: ${join(folder, 'link')} is a link`) })
  expect(readdirSync(elsewhere)).toEqual([])
})

test.each([
  [['--kind', 'vcp'], 'did you mean vpcs'],
  [['--kind', 'plans'], 'looked up, not declared'],
])('%j is refused', async (words, says) => {
  expect(await runCli(['export', ...words, '--sandbox'], { folder: newFolder() })).toMatchObject({ code: 3, stderr: expect.stringContaining(says) })
})

/** Requests that a command takes beside so many rules that nobody declared, on one server. */
async function requestsBeside(rules: number, words: readonly string[]): Promise<number> {
  const server = manifest('Instance', 'web', 'name: web\ntype: PLAN\nplan: ryzen-2\nregion: fra-1\nfirewall_enabled: true')
  const ports = Array.from({ length: rules }, (_, at) => 1000 + at)
  const documents = ports.map((port) => manifest('FirewallRule', `p${port}`, `instance: web\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: ${port}`))
  const { run, sandbox, folder } = await operatingBench(server + documents.join(''))
  for (const made of ['.iac', 'main.yaml']) rmSync(join(folder, made), { recursive: true })
  let asked = 0
  sandbox.faults.hook = () => void (asked += 1)
  expect(await run(words)).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`\\b${rules + 4} objects`)) })
  expect(asked).toBeGreaterThan(5)
  return asked
}

test.each([[['export', '--out', 'out']], [['import', '--all']]])(
  '%j asks as often beside twenty rules as beside four: lists tell all of them',
  async (words) => {
    expect(await requestsBeside(20, words)).toBe(await requestsBeside(4, words))
  },
)
