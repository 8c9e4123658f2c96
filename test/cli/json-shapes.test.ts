// Whatever a command prints with --json fits the JSON Schema of its shape.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { commandTable } from '../../src/cli/command-table.ts'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { runCommand } from '../../src/cli/program.ts'
import { machineShapes } from '../../src/cli/render/machine-shapes.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { knownCodes } from '../builders/sandbox-bench.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import type { SigningIn } from '../builders/signing-in.ts'
import { signingIn } from '../builders/signing-in.ts'
import { commandOf, newFolder, runCli, surroundingsFor } from './run-cli.ts'

const schemas = allSchemas(kinds)
const folder = newFolder()

function schemaOf(shape: string): JsonObject {
  const schema = schemas[`${shape}.schema.json`]
  if (!schema) throw new Error(`there is no schema of ${shape}`)
  return schema
}

/** A shape, and the words that print it; in this order, since some need what others left. */
const runs: readonly { readonly shape: string; readonly words: string; readonly code?: number }[] = [
  { shape: 'version', words: 'version' },
  { shape: 'init', words: 'init' },
  { shape: 'init', words: 'init' },
  { shape: 'validate', words: 'validate' },
  { shape: 'graph', words: 'graph' },
  { shape: 'graph', words: 'graph --format json' },
  { shape: 'plan', words: 'plan --sandbox --out saved.plan' },
  { shape: 'state-list', words: 'state list --sandbox' },
  { shape: 'state-history', words: 'state history --sandbox' },
  { shape: 'show', words: 'show --sandbox' },
  { shape: 'output', words: 'output --sandbox' },
  { shape: 'status', words: 'status --sandbox' },
  { shape: 'stream', words: 'apply --sandbox --auto-approve' },
  { shape: 'plan', words: 'show saved.plan' },
  { shape: 'cost', words: 'cost --sandbox' },
  { shape: 'drift', words: 'drift --unmanaged --sandbox' },
  { shape: 'export', words: 'export --sandbox' },
  { shape: 'fmt', words: 'fmt --check' },
  { shape: 'status', words: 'status --sandbox' },
  { shape: 'output', words: 'output --sandbox' },
  { shape: 'show', words: 'show --sandbox' },
  { shape: 'state-list', words: 'state list --sandbox' },
  { shape: 'state-show', words: 'state show Vpc/main --sandbox' },
  { shape: 'state-history', words: 'state history --sandbox' },
  { shape: 'get', words: 'get vpcs --sandbox' },
  { shape: 'get', words: 'get plans --sandbox' },
  { shape: 'usage', words: 'usage --sandbox' },
  { shape: 'wallet', words: 'wallet --sandbox' },
  { shape: 'quota', words: 'quota --sandbox' },
  { shape: 'topology', words: 'topology --sandbox' },
  { shape: 'operation', words: 'power Dedibox/metal-2 on --sandbox' },
  { shape: 'operation', words: 'dedibox reset-vnc metal-1 --sandbox --no-wait' },
  { shape: 'workflows', words: 'workflows --sandbox' },
  { shape: 'explain', words: 'explain' },
  { shape: 'explain', words: 'explain vpc' },
  { shape: 'explain', words: 'explain Instance.storage' },
  { shape: 'explain', words: 'explain Vpc.vlan' },
  { shape: 'explain', words: 'explain plan_stale' },
  { shape: 'explain', words: 'explain lifecycle' },
  { shape: 'explain', words: 'explain functions' },
  { shape: 'explain', words: 'explain cidr_host' },
  { shape: 'explain', words: 'explain IAC_TOKEN' },
  { shape: 'validate', words: 'drift -e nowhere --sandbox', code: 3 },
  { shape: 'validate', words: 'status -e nowhere --sandbox', code: 3 },
  { shape: 'stream', words: 'destroy --sandbox --auto-approve' },
]

/** Shapes of people who sign in, the words that print them, and what stands on standard input. */
const signedIn: readonly (readonly [shape: string, words: string, input: (user: SigningIn) => string])[] = [
  ['login', 'login --email ann@example.test --password-stdin', () => `${knownCodes.password}\n`],
  ['whoami', 'whoami', () => ''],
  ['doctor', 'doctor', () => ''],
  ['tokens-create', 'tokens create monitor --grant INSTANCE=READ', () => ''],
  ['tokens-create', 'tokens create another --grant INSTANCE=READ --write-code-to code', () => ''],
  ['tokens-list', 'tokens list', () => ''],
  ['invites-list', 'invites list', () => ''],
  ['invites-lookup', 'invites lookup', ({ mailed }) => mailed('INVITE')],
  ['invites-accept', 'invites accept', ({ mailed }) => mailed('INVITE')],
  ['logout', 'logout', () => ''],
]

/** What another test holds against its shape: these need somebody of the staff, or a coupon. */
const driven = ['coupons redeem', 'prices', 'prices set', 'subjects', 'wallet adjust', 'wallet coupon', 'wallet refund', 'wallet topup']

describe('--json', () => {
  test.each(runs)('fits the schema $shape: $words', async ({ shape, words, code = 0 }) => {
    const ran = await runCli([...words.split(' '), '--json'], { folder })
    expect(ran.code, ran.stderr).toBe(code)
    const documents: unknown[] =
      shape === 'stream'
        ? ran.stdout
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [JSON.parse(ran.stdout)]
    for (const document of documents) expect(schemaProblems(schemaOf(shape), document)).toEqual([])
  })

  test('of an import fits, too', async () => {
    const here = newFolder()
    await runCli(['init'], { folder: here })
    await runCli(['apply', '--sandbox', '--auto-approve'], { folder: here })
    const listed: readonly { readonly id: string }[] = JSON.parse((await runCli(['state', 'list', '--sandbox', '--json'], { folder: here })).stdout)
    const id = listed[0]?.id ?? ''
    await runCli(['state', 'rm', 'Vpc/main', '--sandbox'], { folder: here })
    const ran = await runCli(['import', 'Vpc/main', id, '--sandbox', '--json'], { folder: here })
    expect(JSON.parse(ran.stdout)).toEqual({ address: 'Vpc/main', id })
    expect(schemaProblems(schemaOf('import'), JSON.parse(ran.stdout))).toEqual([])
  })

  test('of a sandbox that runs fits, and of its variables', async () => {
    const here = newFolder()
    const printed = { stdout: '', stderr: '' }
    const stop = new AbortController()
    const ended = runCommand(['sandbox', '--json', '--readings-seed', '5'], { ...surroundingsFor({ folder: here }, printed), stop: stop.signal })
    while (!printed.stdout.includes('\n')) await new Promise((resolve) => setTimeout(resolve, 5))
    const variables = await runCli(['sandbox', 'env', '--json'], { folder: here })
    stop.abort()
    expect(await ended).toBe(0)
    expect(schemaProblems(schemaOf('sandbox'), JSON.parse(printed.stdout))).toEqual([])
    expect(schemaProblems(schemaOf('sandbox-env'), JSON.parse(variables.stdout))).toEqual([])
  })

  test('of who signs in fits', async () => {
    const user = await signingIn()
    await user.run(`account register --url ${user.url} --name ann --email ann@example.test --password-stdin`, { stdin: knownCodes.password })
    const invite = `api POST /v1/workspaces/${user.sandbox.workspaceId}/invites -f email=ann@example.test -f access_level=VIEWER`
    await user.run(invite, { environment: { IAC_BASE_URL: user.url }, token: user.sandbox.token })
    for (const [shape, line, input] of signedIn) {
      const environment = { IAC_BASE_URL: user.url, IAC_PROFILE: 'ann' }
      const ran = await user.run(`${line} --json`, { stdin: input(user), environment })
      expect([line, ran.code, ran.stderr]).toEqual([line, 0, ''])
      expect(schemaProblems(schemaOf(shape), JSON.parse(ran.stdout))).toEqual([])
    }
    const on = await user.run('account totp on --json', { stdin: '000000\n', environment: { IAC_BASE_URL: user.url }, token: user.sandbox.token })
    expect(schemaProblems(schemaOf('account-totp'), JSON.parse(on.stdout))).toEqual([])
    await user.close()
  })

  test('has a schema that can fail', () => {
    for (const shape of Object.keys(machineShapes)) expect(schemaProblems(schemaOf(shape), 'something else')).not.toEqual([])
  })

  test('is shown for the commands alone that have such a shape', async () => {
    const shown = await Promise.all(
      Object.entries(commandTable).map(async ([name, entry]) => ((await entry.load()).idle?.includes('json') === true ? [] : [name])),
    )
    const covered = new Set([
      ...driven,
      // A value of an expression has any shape.
      'console',
      'import',
      // Of services: in logs-command.test.ts and service-operations.test.ts.
      'logs',
      'redeploy',
      'rollback',
      // With a forge: in comment-command.test.ts.
      'comment',
      // Of an instance: in metrics-command.test.ts.
      'metrics',
      'sandbox',
      'sandbox env',
      ...[...runs.map(({ words }) => words), ...signedIn.map(([, words]) => words), 'account totp'].map((line) => commandOf(line.split(' '))),
    ])
    expect(shown.flat().toSorted()).toEqual([...covered].toSorted())
  })
})

describe('before the first apply', () => {
  test.each(['show', 'output', 'state list', 'state history'])('%s says that there is no state yet', async (words) => {
    const here = newFolder()
    const at = (...more: string[]) => runCli([...words.split(' '), ...more], { folder: here })
    expect(await at()).toEqual({ code: 0, stdout: '', stderr: `no state yet at ${here}/.iac/state.json (with --sandbox it is another one)\n` })
    expect((await at('--sandbox')).stderr).toBe(`no state yet at ${here}/.iac/sandbox/state.json (without --sandbox it is another one)\n`)
    expect(await at('--json')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('flags that mean nothing here', () => {
  test('show --format is of a plan', async () => {
    expect(await runCli(['show', '--format', 'json'], { folder })).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('--format is of a plan'),
    })
  })
  test.each(['completion', 'schema', 'state mv', 'state rm', 'state push', 'state pull', 'api'])('--json is taken by %s, and not shown', async (name) => {
    expect((await runCli([...name.split(' '), '--help'], { folder })).stdout).not.toContain('--json')
    expect((await runCli([...name.split(' '), '--json', '--help'], { folder })).code).toBe(0)
  })
})

describe('a saved plan of -f', () => {
  const here = newFolder()
  beforeAll(async () => {
    mkdirSync(join(here, 'in'))
    writeFileSync(join(here, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nmanifests: ["in/*.yaml"]\n')
    writeFileSync(join(here, 'in/c.yaml'), 'apiVersion: iac/v1\nkind: K3sCluster\nmetadata: { name: c }\nspec: {}\n')
    writeFileSync(join(here, 'out.yaml'), 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec: { name: s, data: { A: hush } }\n')
    await runCli(['apply', '--sandbox', '--auto-approve'], { folder: here })
  })
  test('is carried out with -f, which gives its sensitive values again', async () => {
    expect((await runCli(['plan', '-f', 'out.yaml', '--sandbox', '--out', 'p'], { folder: here })).code).toBe(0)
    expect(await runCli(['apply', 'p', '--sandbox'], { folder: here })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('sensitive value of /data/A'),
    })
    expect(await runCli(['apply', 'p', '-f', 'out.yaml', '--sandbox'], { folder: here })).toMatchObject({ code: 0 })
  })
})
