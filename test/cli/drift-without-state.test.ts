// Where no state is nothing can have drifted, and nothing is there to destroy: that is said, and never told as a match.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import type { ForgeDouble } from '../builders/forge-double.ts'
import { forgeDouble } from '../builders/forge-double.ts'
import { startHttpStates } from '../builders/http-state-server.ts'
import type { HttpStateServer } from '../builders/http-state-server.ts'
import { testUser } from '../builders/http-states.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const vpc = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main, description: "", range: 10.20.0.0/24 }\n'
const manifest = (lines: string): string => `apiVersion: iac/v1\nkind: Project\nname: shop\n${lines}`

function project(lines: string): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), manifest(lines))
  writeFileSync(join(folder, 'main.yaml'), vpc)
  return folder
}

describe('a shared state that is not there', () => {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  let [folder, vpcId] = ['', '']
  let api: Awaited<ReturnType<typeof serveSandbox>>
  let states: HttpStateServer
  let forge: ForgeDouble
  beforeAll(async () => {
    ;[api, states, forge] = [await serveSandbox({ sandbox }), await startHttpStates('plain'), await forgeDouble()]
    folder = project('')
    leadTo('right')
    await iac('apply', '--auto-approve')
    vpcId = JSON.parse((await iac('state', 'list', '--json')).stdout)[0].id
  })
  afterAll(async () => {
    await api.close()
    await states.close()
    forge.close()
  })
  beforeEach(() => leadTo('wrong'))

  function leadTo(name: string): void {
    const { origin, state } = states.address(name)
    writeFileSync(join(folder, 'iac.yaml'), manifest(`state: { backend: http, address: '${origin}${state}' }\n`))
  }

  async function iac(...words: readonly string[]): Promise<Ran> {
    const { username, password } = testUser
    const { GITHUB_REF: _, ...place } = forge.places.gitea
    const caller = { TF_HTTP_USERNAME: username, TF_HTTP_PASSWORD: password, IAC_STATE_HOST: new URL(states.origin).host }
    return await runCli(words, { folder, environment: { ...place, ...caller, IAC_BASE_URL: api.url }, token: sandbox.token })
  }

  test('is no match, and ends with 3', async () => {
    const { code, stdout, stderr } = await iac('drift')
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^There is no state yet at \S+\/wrong \(http\): nothing was compared\.\n$/)])
    expect(stderr).toMatch(/error: nothing was compared: the state \S+\/wrong is not there yet\n[^]*its state lies elsewhere/)
  })

  test('neither closes nor opens an issue', async () => {
    leadTo('right')
    await iac('api', 'PATCH', `/v1/vpcs/${vpcId}`, '-f', 'description=theirs')
    expect((await iac('drift', '--issue', 'gitea')).stderr).toContain('issue #1 in acme/shop opened')
    leadTo('wrong')
    for (const words of [
      ['drift', '--issue', 'gitea'],
      ['drift', '--issue', 'gitea', '--unmanaged'],
    ]) {
      expect(await iac(...words)).toMatchObject({ code: 3, stderr: expect.not.stringContaining('issue #') })
      expect(forge.issues.map((one) => one.state)).toEqual(['open'])
    }
    forge.clear()
    expect(await iac('drift', '--issue', 'gitea')).toMatchObject({ code: 3 })
    expect(forge.issues).toEqual([])
  })

  test('is told to machines, in no number and no test that passes', async () => {
    const files = ['openmetrics', 'dotenv', 'junit', 'markdown'].flatMap((name) => ['--format', `${name}=${join(folder, name)}`])
    const { code, stdout } = await iac('drift', '--json', ...files)
    expect([code, JSON.parse(stdout)]).toEqual([3, expect.objectContaining({ has_drift: false, no_state_at: expect.stringMatching(/\/wrong \(http\)$/) })])
    const [metrics, variables, tests, comment] = ['openmetrics', 'dotenv', 'junit', 'markdown'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(metrics).not.toContain('iac_drift_resources')
    expect(metrics).toMatch(/iac_diagnostics\{.*severity="error"\} 1\n/)
    expect(variables).not.toContain('IAC_DRIFT')
    expect(tests).toMatch(/tests="3" failures="1" errors="0" skipped="2"[^]*<skipped message="There is no state yet/)
    expect(comment).toMatch(/\*\*There is no state yet at <code>[^<]+\/wrong &#40;http&#41;<\/code>: nothing was compared\.\*\*/)
  })

  test('leaves no variables of an earlier run behind where nothing can be looked at', async () => {
    const file = join(folder, 'drift.env')
    writeFileSync(file, 'IAC_DRIFT=false\n')
    expect(await iac('drift', '--format', `dotenv=${file}`, '--var', 'none=1')).toMatchObject({ code: 3, stdout: '' })
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  test('hinders no look for what nobody manages: there a migration starts', async () => {
    const { code, stdout } = await iac('drift', '--unmanaged')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Vpc +\d+ +main\n[^]*There is no state yet at \S+\/wrong \(http\): nothing was compared\.\n$/)])
  })

  test('is told of by destroy, which has nothing to do', async () => {
    const { code, stdout } = await iac('destroy', '--auto-approve')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^There is no state yet at \S+\/wrong \(http\): nothing here is destroyed\.\nWas this project applied before/),
    ])
    leadTo('right')
    expect((await iac('destroy', '--auto-approve')).stdout).not.toContain('There is no state yet')
    expect((await iac('destroy', '--auto-approve')).stdout).not.toContain('There is no state yet')
    expect(await iac('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift.') })
  })
})

test('a project of this machine that was never applied ends with 0, and claims no match', async () => {
  const folder = project('')
  const run = (...words: readonly string[]): Promise<Ran> => runCli([...words, '--sandbox'], { folder })
  const none = 'There is no state yet at .iac/sandbox/state.json (local): nothing'
  expect(await run('drift')).toMatchObject({ code: 0, stdout: `${none} was compared.\n`, stderr: '' })
  expect(JSON.parse((await run('drift', '--json')).stdout)).toMatchObject({ no_state_at: '.iac/sandbox/state.json (local)' })
  expect(await run('destroy', '--auto-approve')).toMatchObject({ code: 0, stdout: expect.stringContaining(`${none} here is destroyed.\n`) })
  const refreshed = `${none} is refreshed.\n\nNo changes. There is nothing to refresh.\n`
  expect(await run('plan', '--refresh-only', '--detailed-exitcode')).toEqual({ code: 0, stdout: refreshed, stderr: '' })
  expect(await run('apply', '--refresh-only', '--auto-approve')).toMatchObject({ code: 0, stdout: expect.stringContaining(refreshed) })
  expect(await run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(JSON.parse((await run('drift', '--json')).stdout)).toMatchObject({ has_drift: false, no_state_at: null })
})
