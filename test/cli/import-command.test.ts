// `iac import`: what is wrong with an address or an id is said in words of the command line.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operatingBench } from './operating-bench.ts'
import { newFolder, runCli } from './run-cli.ts'

const network = (more = ''): string =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: stray${more} }\nspec: { name: stray, description: d, range: 10.1.0.0/24 }\n`

function projectOf(text: string): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'net.yaml'), text)
  return folder
}

test.each([
  [['Vpc/stray', 'abc'], 'error: "abc" is no id of a Vpc', '`iac get --sandbox Vpc`'],
  [['Vpc/stray', '1/2'], 'error: "1/2" is no id of a Vpc', '`iac get --sandbox Vpc`'],
  [['Vpc/stray', '12'], 'error: Vpc/stray: there is no Vpc with id 12', ''],
  [['Vpc/other', '12'], 'error: Vpc/other has no manifest', 'write its manifest first'],
  [['Vpc/srtay', '12'], 'error: Vpc/srtay has no manifest', 'did you mean Vpc/stray?'],
  [['Foo/stray', '12'], 'error: no kind is called Foo', '`iac explain` lists the kinds'],
  [['Vcp/stray', '12'], 'error: no kind is called Vcp', 'did you mean Vpc?'],
])('%j is refused', async (words, says, hint) => {
  const ran = await runCli(['import', ...words, '--sandbox'], { folder: projectOf(network()) })
  expect(ran).toMatchObject({ code: 3, stdout: '' })
  expect(ran.stderr).toContain(says)
  expect(ran.stderr).toContain(hint)
})

test('a manifest that imports what is no id is refused in the same words', async () => {
  const ran = await runCli(['plan', '--sandbox'], { folder: projectOf(network(', import: { id: abc }')) })
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('"abc" is no id of a Vpc') })
})

test.each([
  ['{ id: "1", name: a }', 'exactly one of id and name'],
  ['{}', 'exactly one of id and name'],
  ['{ name: 12 }', 'the name to import by is a text'],
])('an import of %s is refused', async (written, says) => {
  expect(await runCli(['validate'], { folder: projectOf(network(`, import: ${written}`)) })).toMatchObject({ code: 3, stderr: expect.stringContaining(says) })
})

test('what has no name is imported by its id alone', async () => {
  const text = 'apiVersion: iac/v1\nkind: K3sNode\nmetadata: { name: web, import: { name: web } }\nspec: { instance: { id: "1" } }\n'
  expect(await runCli(['validate'], { folder: projectOf(text) })).toMatchObject({ code: 3, stderr: expect.stringContaining('a K3sNode has no name') })
})

const settings = 'apiVersion: iac/v1\nkind: Project\nname: p\nmanifests: ["infra/**/*.yaml"]\n'
const server = 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: ryzen-4, region: fra-1, vpcs: [stray] }\n'
const secret = 'apiVersion: iac/v1\nkind: BgpConfiguration\nmetadata: { name: main }\nspec: { asn: 64512, password: abcdefgh }\n'

/** A project that manages nothing of what its service holds. */
async function forgetful(
  ...texts: readonly string[]
): Promise<{ readonly folder: string; readonly run: (...words: string[]) => ReturnType<typeof runCli>; readonly ids: ReadonlyMap<string, string> }> {
  const folder = projectOf(texts.join('---\n'))
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
  const made = await run('apply', '--auto-approve')
  expect(made.code, made.stderr).toBe(0)
  const recorded: { readonly address: string; readonly id: string }[] = JSON.parse((await run('state', 'list', '--json')).stdout)
  for (const { address } of recorded) await run('state', 'rm', address)
  writeFileSync(join(folder, 'iac.yaml'), settings)
  return { folder, run, ids: new Map(recorded.map((one) => [one.address, one.id])) }
}

describe('--generate', () => {
  test('writes the manifest where the project looks for it, and imports', async () => {
    const { folder, run, ids } = await forgetful(network(), server)
    const vpc = ids.get('Vpc/stray') ?? ''
    expect(await run('import', '--generate', 'Vpc/net', vpc)).toMatchObject({ code: 0, stdout: `Import successful! Vpc/net is now managed (id ${vpc}).\n` })
    expect(readFileSync(join(folder, 'infra/vpc-net.yaml'), 'utf8')).toContain('  name: stray\n')
    expect((await run('import', '--generate', 'Instance/web', ids.get('Instance/web') ?? '')).code).toBe(0)
    // What is managed already is named, not its id.
    expect(readFileSync(join(folder, 'infra/instance-web.yaml'), 'utf8')).toContain('vpcs: [net]')
    expect((await run('plan')).stdout).toContain('No changes.')
  })
  test('leaves nothing behind where it is refused', async () => {
    const { folder, run, ids } = await forgetful(network(), secret)
    expect(await run('import', '--generate', 'Vpc/net', '12')).toMatchObject({ code: 3, stderr: expect.stringContaining('there is no Vpc with id 12') })
    const refused = await run('import', '--generate', 'BgpConfiguration/main', ids.get('BgpConfiguration/main') ?? '')
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('bgpconfiguration_main_password: { type: string, sensitive: true') })
    expect(existsSync(join(folder, 'infra'))).toBe(false)
    expect((await run('import', '--generate', 'Vpc/net', ids.get('Vpc/stray') ?? '')).code).toBe(0)
    expect(await run('import', '--generate', 'Vpc/net', '12')).toMatchObject({ code: 3, stderr: expect.stringContaining('has a manifest already') })
    expect(await run('import', '--generate', 'Vpc/other', ids.get('Vpc/stray') ?? '')).toMatchObject({ code: 3 })
    expect(readdirSync(join(folder, 'infra'))).toEqual(['vpc-net.yaml'])
  })
})

describe('secrets whose names differ in little', () => {
  const one = 'apiVersion: iac/v1\nkind: K3sCluster\nmetadata: { name: main }\nspec: {}\n'
  const long = 'x'.repeat(60)
  const named = (name: string): string => `apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: ${name} }\nspec: { data: { TOKEN: of-${name} } }\n`
  test.each([
    ['db-app', 'db_app'],
    [`${long}-a`, `${long}-b`],
  ])('have a variable each: %s and %s', async (first, second) => {
    const { folder, run, ids } = await forgetful(one, named(first), named(second))
    const take = (name: string) => run('import', '--generate', `K3sSecret/${name}`, ids.get(`K3sSecret/${name}`) ?? '')
    const asked = async (name: string): Promise<string> => /^ {4}(\w+): \{ type: string/m.exec((await take(name)).stderr)?.[1] ?? ''
    const variable = await asked(first)
    const declared = `variables:\n  ${variable}: { type: string, sensitive: true, default: of-${first} }\n`
    writeFileSync(join(folder, 'iac.yaml'), settings + declared)
    expect((await take(first)).code).toBe(0)
    const other = await asked(second)
    expect([other, existsSync(join(folder, `infra/k3ssecret-${second}.yaml`))]).toEqual([`${variable}_2`, false])
    writeFileSync(join(folder, 'iac.yaml'), `${settings}${declared}  ${other}: { type: string, sensitive: true, default: of-${second} }\n`)
    expect((await take(second)).code).toBe(0)
    expect(readFileSync(join(folder, `infra/k3ssecret-${second}.yaml`), 'utf8')).toContain(`TOKEN: \${vars.${other}}`)
    expect((await run('plan')).stdout).toContain('No changes.')
  })
  test('are taken over with --all beside one that has a manifest, however that refers to its variable', async () => {
    const { folder, run, ids } = await forgetful(one, named('db-app'), named('db_app'))
    mkdirSync(join(folder, 'infra'))
    const reference = '"${vars[\'k3ssecret_db_app_data_token\']}"'
    writeFileSync(join(folder, 'infra/first.yaml'), named('db-app').replace('of-db-app', reference))
    writeFileSync(join(folder, 'iac.yaml'), `${settings}variables: { k3ssecret_db_app_data_token: { type: string, default: of-db-app } }\n`)
    expect((await run('import', 'K3sSecret/db-app', ids.get('K3sSecret/db-app') ?? '')).code).toBe(0)
    const refused = await run('import', '--all', '--kind', 'K3sSecret')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('k3ssecret_db_app_data_token_2: { type: string, sensitive: true')])
  })
})

describe('--all', () => {
  test('takes over everything that is not managed here, and nothing twice', async () => {
    const { folder, run } = await forgetful(network(), server)
    expect(await run('import', '--all', '--kind', 'Vpc')).toMatchObject({ code: 0, stdout: 'Import successful! 1 object now managed.\n' })
    const all = await run('import', '--all', '--json')
    expect(JSON.parse(all.stdout)).toContainEqual({ address: 'Instance/web', id: expect.any(String) })
    expect(all.stderr.match(/^.*FloatingIp.*$/gm)).toEqual([
      expect.stringMatching(/^FloatingIp left out: it is attached to what is exported, and may have come with it: \d+, \d+$/),
      '`iac import --sandbox --all --kind FloatingIp` has them',
    ])
    expect(readFileSync(join(folder, 'infra/instances.yaml'), 'utf8')).toContain('vpcs: [stray]')
    expect((await run('plan')).stdout).toContain('No changes.')
    expect((await run('import', '--all')).stdout).toBe('Nothing to import: everything live is managed here.\n')
  })
  test('says what manifests import that was never recorded, and leaves it to an apply', async () => {
    const { folder, run, ids } = await forgetful(network(), server)
    mkdirSync(join(folder, 'infra'))
    writeFileSync(join(folder, 'infra/net.yaml'), network(`, import: { id: "${ids.get('Vpc/stray')}" }`))
    const left = 'left to `iac apply --sandbox`, since manifests of their own import them: Vpc/stray\n'
    expect(await run('import', '--all', '--kind', 'Vpc')).toMatchObject({
      code: 0,
      stdout: 'Nothing to import: everything live has a manifest here.\n',
      stderr: left,
    })
    expect((await run('state', 'list')).stdout).toBe('')
    expect((await run('import', '--all', '--kind', 'Instance')).stdout).toBe('Import successful! 1 object now managed.\n')
    expect((await run('apply', '--auto-approve')).stdout).toContain('1 imported')
    expect((await run('import', '--all')).stderr).not.toContain('left to')
  })
  test('is not held up by a manifest that imports what is not there', async () => {
    const { folder, run } = await forgetful(network())
    mkdirSync(join(folder, 'infra'))
    writeFileSync(join(folder, 'infra/ghost.yaml'), network(', import: { id: "12" }').replaceAll('name: stray', 'name: ghost').replace('10.1.', '10.9.'))
    expect(await run('import', '--all', '--kind', 'Vpc')).toMatchObject({ code: 0, stdout: 'Import successful! 1 object now managed.\n' })
    expect(readdirSync(join(folder, 'infra'))).toEqual(['ghost.yaml', 'vpcs.yaml'])
  })
  test('leaves out a rule that is managed already in another object, and is not held up by it', async () => {
    const { run } = await operatingBench(`${network()}---\n${server}`)
    const [web]: readonly { readonly id: string }[] = JSON.parse((await run(['get', 'Instance', '--json'])).stdout)
    const rule = ['type=IPv4', 'protocol=TCP', 'action=ACCEPT'].flatMap((field) => ['-f', field])
    for (const port of [22, 22, 22, 80])
      expect(await run(['api', 'POST', `/v1/instances/${web?.id ?? ''}/firewall-rules`, ...rule, '-F', `port_start=${port}`])).toMatchObject({ code: 0 })
    expect((await run(['import', '--all', '--kind', 'FirewallRule'])).stdout).toBe('Import successful! 2 objects now managed.\n')
    expect(await run(['api', 'POST', `/v1/instances/${web?.id ?? ''}/firewall-rules`, ...rule, '-F', 'port_start=443'])).toMatchObject({ code: 0 })
    const again = await run(['import', '--all', '--kind', 'FirewallRule'])
    expect([again.code, again.stdout]).toEqual([0, 'Import successful! 1 object now managed.\n'])
    expect(again.stderr).toMatch(/^FirewallRule left out: the same rule as FirewallRule\/[a-z-]+-22, on the same instance: \d+, \d+$/m)
  })
  test.each([
    [['--all', 'Vpc/x'], '--all takes neither'],
    [['--all', '--kind', 'plans'], 'plans are looked up, not declared'],
    [['--all', '--kind', 'App'], 'the service offers no call that reads apps'],
    [['Vpc/x', '12', '--kind', 'Vpc'], '--kind goes with --all'],
    [['Vpc/x'], 'ID is missing'],
    [[], 'ADDRESS is missing'],
  ])('%j is refused', async (words, says) => {
    expect(await runCli(['import', ...words], { folder: newFolder() })).toMatchObject({ code: 3, stderr: expect.stringContaining(says) })
  })
})
