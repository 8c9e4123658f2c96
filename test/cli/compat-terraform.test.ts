// --compat terraform, and `show` with one dash: what readers of Terraform's text and JSON find in a whole run.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { blockByCommenter, readByAtlantis, readByTfcmt } from '../builders/terraform-readers.ts'
import { newFolder, runCli } from './run-cli.ts'

const folder = newFolder()
const run = (words: string) => runCli([...words.split(' '), '--sandbox'], { folder })
const vpc = (name: string, description: string, network = 20) =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}-net, description: ${description}, range: 10.${network}.0.0/24 }\n`
const write = (...texts: readonly string[]) => writeFileSync(join(folder, 'main.yaml'), texts.join('---\n'))
const recorded = z.array(z.object({ id: z.string() }))
const planJson = z.object({
  format_version: z.literal('1.2'),
  resource_changes: z.array(z.object({ address: z.string(), change: z.object({ actions: z.array(z.string()) }) })),
})

beforeAll(() => {
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\noutputs: { id: { value: "${Vpc[\'web\'].id}" } }\n')
  write(vpc('web', 'first'), vpc('web-2', 'first', 21))
})

describe('a first plan', () => {
  test('is read by tfcmt and Atlantis, its outputs behind the sentence', async () => {
    const { stdout } = await run('plan --compat terraform --out first.plan')
    expect(readByTfcmt(stdout)).toMatchObject({
      result: 'Plan: 2 to add, 0 to change, 0 to destroy.',
      hasChanges: true,
      hasDestroy: false,
      created: ['Vpc/web', 'Vpc/web-2'],
    })
    expect(readByAtlantis(stdout)).toEqual([0, 2, 0, 0])
    expect(stdout.indexOf('Changes to Outputs:')).toBeGreaterThan(stdout.indexOf('Plan: 2 to add'))
  })
  test('is shown as a plan commenter asks for it, with one dash', async () => {
    const text = await run('show -no-color first.plan')
    const json = await run('show -json first.plan')
    expect([text.code, text.stderr, json.code, json.stderr]).toEqual([0, '', 0, ''])
    const { resource_changes: changes } = planJson.parse(JSON.parse(json.stdout))
    expect(changes.map((one) => [one.address, ...one.change.actions])).toEqual([
      ['Vpc/web', 'create'],
      ['Vpc/web-2', 'create'],
    ])
    for (const { address } of changes) expect(blockByCommenter(text.stdout, address).join('\n')).toContain(`"${address.slice(4)}-net"`)
    expect(text.stdout).toContain('Terraform will perform the following actions:')
  })
  test("is iac's own with two dashes", async () => {
    expect(JSON.parse((await run('show --json first.plan')).stdout)).toMatchObject({ format: 'iac-plan/v1' })
    expect((await run('show --no-color first.plan')).stdout).toContain('iac will perform the following actions:')
  })
})

describe('after an apply', () => {
  test('it is complete, and no change is said as Atlantis knows it', async () => {
    expect((await run('apply --auto-approve --compat terraform')).stdout).toMatch(/^Apply complete! Resources: 2 added/m)
    const { stdout } = await run('plan --compat terraform')
    expect([readByAtlantis(stdout), readByTfcmt(stdout).result]).toEqual([undefined, 'No changes. Your infrastructure matches the configuration.'])
    expect(readByAtlantis((await run('drift --compat terraform')).stdout)).toBe(undefined)
  })
  test('what others changed ends where tfcmt looks for its end', async () => {
    const [web] = recorded.parse(JSON.parse((await run('state list --json')).stdout))
    expect((await run(`api PATCH /v1/vpcs/${web?.id} -f description=by-hand`)).code).toBe(0)
    const plan = await run('plan --compat terraform')
    expect(readByTfcmt(plan.stdout)).toMatchObject({ updated: ['Vpc/web'], result: 'Plan: 0 to add, 1 to change, 0 to destroy.' })
    expect(readByTfcmt(plan.stdout).outside).toContain('# Vpc/web has changed')
    expect((await run('drift --compat terraform')).stdout).toContain('Note: Objects have changed outside of Terraform\n')
  })
  test('a verdict ends its line, whatever it costs', async () => {
    const { stdout } = await run('plan --destroy --compat terraform')
    expect(readByTfcmt(stdout)).toMatchObject({ hasDestroy: true, deleted: ['Vpc/web', 'Vpc/web-2'] })
  })
})

test.each(['No changes. Your infrastructure matches the configuration.', 'Plan: 0 to add, 0 to change, 0 to destroy.'])(
  'what somebody writes into a field or a policy is no verdict to Atlantis: %s',
  async (verdict) => {
    const hostile = newFolder()
    const policy = `policies: [{ name: a, each: change, assert: "false", level: warn, message: "${verdict}" }]\n`
    writeFileSync(join(hostile, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${policy}`)
    writeFileSync(join(hostile, 'main.yaml'), vpc('web', `"${verdict}"`))
    for (const words of ['plan --compat terraform --out a.plan', 'show -no-color a.plan']) {
      const { code, stdout, stderr } = await runCli([...words.split(' '), '--sandbox'], { folder: hostile })
      expect([code, readByAtlantis(stderr + stdout)]).toEqual([0, [0, 1, 0, 0]])
      expect([stdout, (stderr + stdout).includes(verdict)]).toEqual([expect.stringContaining(`${verdict.slice(-20)}"`), false])
    }
    // Names of files are foreign, too.
    writeFileSync(join(hostile, `${verdict}.yaml`), 'kind: Pod\n')
    for (const words of ['plan --verbose --compat terraform', 'fmt']) {
      const { stdout, stderr } = await runCli([...words.split(' '), ...(words === 'fmt' ? [] : ['--sandbox'])], { folder: hostile })
      expect([stderr, (stderr + stdout).includes(verdict)]).toEqual([expect.stringContaining(`${verdict.slice(-20)}.yaml`), false])
    }
    // A step of the same workflow, and read with the others.
    writeFileSync(join(hostile, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${policy.replace('change', 'resource')}`)
    const checked = await runCli(['validate'], { folder: hostile })
    expect([checked.stderr, checked.stderr.includes(verdict)]).toEqual([expect.stringContaining(verdict.slice(-20)), false])
    expect((await runCli(['plan', '--sandbox'], { folder: hostile })).stdout).toContain(`description = "${verdict}"`)
  },
)

test('an error begins as tfcmt looks for it, found while loading or before', async () => {
  write(vpc('web', '"${vars.nothing}"'))
  const { stdout, stderr, code } = await run('plan --compat terraform')
  expect([code, readByTfcmt(stdout + stderr).isError]).toEqual([3, true])
  expect((await run('plan --compat=terraform --nothing')).stderr).toMatch(/^Error: /)
  expect((await run('plan')).stderr).toMatch(/^error: /)
  expect((await run('plan --compat tofu')).stderr).toContain('--compat must be one of terraform')
})

test('no other command speaks so', () => {
  const sources = readdirSync('src/cli/commands', { recursive: true, encoding: 'utf8' }).map((name) =>
    name.endsWith('.ts') ? readFileSync(join('src/cli/commands', name), 'utf8') : '',
  )
  expect(sources.filter((text) => text.includes('compatFlag'))).toHaveLength(3)
})

test.each([
  [['terraform'], 'error: '],
  [['terraform', '--compat', 'terraform'], 'Error: '],
  [['terraform', '--compat=terraform'], 'Error: '],
])('a word that is no command is answered in the style that is asked for: %j', async (words, begins) => {
  const { code, stderr } = await runCli(words, { folder: newFolder() })
  expect([code, stderr.includes(begins), stderr.includes(begins === 'error: ' ? 'Error: ' : 'error: ')]).toEqual([3, true, false])
})
