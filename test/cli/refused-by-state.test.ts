// What the service says where it refuses a read, to commands that need nothing of the manifests: it may quote any secret of theirs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'
import { around, shop } from './service-bench.ts'

const [variable, literal] = ['Canary-of-a-variable', 'Canary-of-a-manifest']
const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\npower: "ON"')
const secret = manifest('K3sSecret', 'db', `name: db\ndata: { KEY: "\${vars.key}", PASSWORD: ${literal} }`)
const project = 'apiVersion: iac/v1\nkind: Project\nname: shop\nvariables: { key: { type: string, sensitive: true } }\n'
const given = { environment: { IAC_VAR_key: variable } }

/** A project that was applied, at a service that from now on refuses every read and quotes both secrets and the token. */
async function refused() {
  const bench = await operatingBench(around + shop('nginx:1.27') + web)
  writeFileSync(join(bench.folder, 'iac.yaml'), project)
  writeFileSync(join(bench.folder, 'secret.yaml'), secret)
  const message = `no ${variable} and ${literal} by ${bench.sandbox.token}`
  bench.sandbox.faults.hook = ({ method }) => (method === 'GET' ? { status: 403, message } : undefined)
  return bench
}

const commands = [
  'get Instance',
  'redeploy K3sService/shop --auto-approve',
  'rollback K3sService/shop --auto-approve',
  'power Instance/web off --auto-approve',
  'logs K3sService/shop',
  'metrics Instance/web',
  'workflows',
  'api GET /v1/workspaces',
]

describe('what refuses a read', () => {
  test.each(commands)('shows no secret of the project to `iac %s`', async (words) => {
    const { run, sandbox } = await refused()
    const { code, stdout, stderr } = await run(words.split(' '), given)
    expect(code).not.toBe(0)
    expect(stderr).toContain('no (sensitive value) and (sensitive value) by (sensitive value)')
    for (const one of [variable, literal, sandbox.token]) expect(stdout + stderr).not.toContain(one)
  })

  test.each([
    ['a manifest is wrong', 'wrong.yaml', 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: a }\nspec: { nope: 1 }\n'],
    ['a file is no YAML', 'wrong.yaml', 'apiVersion: iac/v1\nkind: [\n'],
  ])('shows none where %s', async (_, file, text) => {
    const { folder, run } = await refused()
    writeFileSync(join(folder, file), text)
    expect((await run(['get', 'Instance'], given)).stderr).toContain('no (sensitive value) and (sensitive value) by (sensitive value)')
  })

  test('shows what manifests hold where a variable is missing, and waits for no standard input', async () => {
    const { run } = await refused()
    expect((await run(['power', 'Instance/web', 'off', '-f', '-'])).stderr).toContain(`no ${variable} and (sensitive value) by (sensitive value)`)
  })
})
