// `plan --needs` by the command line: a manifest that is one, and the calls behind it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signingIn } from '../builders/signing-in.ts'
import type { SigningIn } from '../builders/signing-in.ts'
import { newFolder, runCli } from './run-cli.ts'

test('it prints a manifest that is valid as it stands, and the calls for programs', async () => {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const shown = await runCli(['plan', '--needs', '--sandbox'], { folder })
  expect(shown.code, shown.stderr).toBe(0)
  expect(shown.stdout).toMatch(/^# \d+ calls, 1 of them change something\.$/m)
  expect(shown.stdout).toContain('grants: { WORKSPACE: WRITE }')
  writeFileSync(join(folder, 'infra', 'token.yaml'), shown.stdout)
  expect(await runCli(['validate'], { folder })).toMatchObject({ code: 0, stderr: '' })
  const calls = JSON.parse((await runCli(['plan', '--needs', '--json', '--sandbox', '-f', join(folder, 'infra', 'network.yaml')], { folder })).stdout)
  expect(calls).toContainEqual({
    method: 'POST',
    path: '/v1/workspaces/{wid}/vpcs',
    section: expect.any(String),
    role: 'EDITOR',
    grant: { resource: 'WORKSPACE', level: 'WRITE' },
    session: false,
    effect: true,
  })
})

describe('a token that does not allow the plan', () => {
  const project = {
    'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: shop\n',
    'main.yaml': 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: the shop, range: 10.20.0.0/24 }\n',
  }
  let user: SigningIn
  beforeEach(async () => {
    user = await signingIn()
    for (const [name, text] of Object.entries(project)) writeFileSync(join(user.folder, name), text)
    await user.login()
  })
  afterEach(() => user.close())

  const planWith = async (name: string, words = '') => {
    const grants = name === 'deploy' ? '--grant WORKSPACE=READ --grant DISK=WRITE' : '--grant WORKSPACE=READ'
    const made = await user.run(`tokens create ${name} --workspace default ${grants}`)
    expect(made.code, made.stderr).toBe(0)
    return await user.run(`plan${words}`, { token: made.stdout.trim(), environment: { IAC_BASE_URL: user.url } })
  }

  test('is told of before anything is sent: of one that only reads in the words of the page', async () => {
    const { code, stderr } = await planWith('ci-read')
    expect(code).toBe(0)
    const [note = '', hint = ''] = stderr.split('\n')
    expect(readFileSync(join(import.meta.dirname, '../../schemas/reference/pipeline.md'), 'utf8')).toContain(`\`${note.replace('note: ', '')}\``)
    expect([note.slice(0, 6), hint]).toEqual(['note: ', '  hint: `iac plan --needs` prints the smallest token that carries this out'])
  })

  test('is told of at its resource where it may change other things', async () => {
    const { code, stderr } = await planWith('deploy')
    expect(code).toBe(0)
    expect(stderr).toContain('warning: Vpc/main needs WORKSPACE: WRITE, which the token "deploy" of this run does not grant\n  main.yaml:3:19\n')
  })

  test('and does not show its record is told of with --verbose alone', async () => {
    user.sandbox.faults.hook = ({ method, path }) => (method === 'GET' && path.includes('/tokens') ? { status: 403 } : undefined)
    const unknown = 'which grants the token of this run has is not known'
    expect((await planWith('ci-read')).stderr).toBe('')
    expect((await planWith('ci-look', ' --verbose')).stderr).toContain(unknown)
  })
})
