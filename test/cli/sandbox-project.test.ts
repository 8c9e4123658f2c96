// A project against the embedded service, by the command line alone: from init to destroy.
import { existsSync, readFileSync, rmSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { openSandbox } from '../../src/cli/sandbox/folder.ts'
import { newFolder, runCli, surroundingsFor } from './run-cli.ts'

async function applied(): Promise<{ readonly folder: string; readonly run: (...words: string[]) => ReturnType<typeof runCli> }> {
  const folder = newFolder()
  const run = (...words: string[]): ReturnType<typeof runCli> => runCli([...words, '--sandbox'], { folder })
  await runCli(['init'], { folder })
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  return { folder, run }
}

/** As before the first apply, with everything that was made. */
function forget(folder: string): void {
  for (const name of ['', '.history', '.journal', '.lock']) rmSync(join(folder, `.iac/sandbox/state.json${name}`), { recursive: true, force: true })
}

// What every sandbox has, and no manifest here names.
const metal = ['metal-1', 'metal-2', 'metal-3'].map((name) => ({ kind: 'Dedibox', name }))

describe('a sandbox that another process uses', () => {
  test.each(['plan', 'apply --auto-approve', 'drift', 'get vpcs'])('is waited for by %s as long as --lock-timeout says', async (command) => {
    const words = command.split(' ')
    const { folder, run } = await applied()
    const around = surroundingsFor({ folder }, { stdout: '', stderr: '' })
    const other = await openSandbox(around, join(folder, '.iac/sandbox'), folder)
    expect(await run(...words)).toMatchObject({ code: 7, stderr: expect.stringContaining('hint: wait with --lock-timeout, or stop that process') })
    const waiting = run(...words, '--lock-timeout', '20s')
    await new Promise((resolve) => void setTimeout(resolve, 300))
    await other.close()
    expect(await waiting).toMatchObject({ code: 0, stderr: '' })
  })

  test('is waited for no longer than until ^C', async () => {
    const { folder } = await applied()
    const printed = { stdout: '', stderr: '' }
    const around = surroundingsFor({ folder }, printed)
    const other = await openSandbox(around, join(folder, '.iac/sandbox'), folder)
    const leaving = new AbortController()
    const waiting = runCommand(['apply', '--sandbox', '--auto-approve', '--lock-timeout', '20s'], { ...around, stop: leaving.signal })
    await new Promise((resolve) => void setTimeout(resolve, 300))
    leaving.abort()
    expect([await waiting, printed.stderr]).toEqual([130, expect.not.stringContaining('bug')])
    await other.close()
  })
})

describe('a project in the sandbox', () => {
  test('is planned, applied, and then without a difference', async () => {
    const folder = newFolder()
    expect((await runCli(['init'], { folder })).stdout).toContain('iac.yaml')
    const planned = await runCli(['plan', '--sandbox', '--detailed-exitcode'], { folder })
    expect(planned.code).toBe(2)
    expect(planned.stdout).toContain('# Vpc/main will be created')
    expect(planned.stdout).toMatch(/\nWorkspace: default \(\d+\), the only one that the caller sees\.\n/)
    expect(planned.stdout.trimEnd().split('\n').at(-1)).toBe('Plan: 1 to add, 0 to change, 0 to destroy.')
    const run = await runCli(['apply', '--sandbox'], { folder, stdin: 'yes\n' })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.') })
    const again = await runCli(['plan', '--sandbox', '--detailed-exitcode'], { folder })
    expect(again).toMatchObject({ code: 0, stdout: 'No changes. Your infrastructure matches the manifests.\n' })
  })

  test('is left alone by any answer but yes', async () => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    for (const stdin of ['y\n', 'YES\n', '', 'no\n']) {
      const ran = await runCli(['apply', '--sandbox'], { folder, stdin })
      expect(ran.code).toBe(1)
      expect(ran.stderr).toContain("Only 'yes' will be accepted to approve.")
    }
    expect((await runCli(['state', 'list', '--sandbox'], { folder })).stdout).toBe('')
  })

  test('is left alone by ^C at the question, which needs no word about what runs', async () => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    const printed = { stdout: '', stderr: '' }
    const leaving = new AbortController()
    const around = surroundingsFor({ folder }, printed)
    const readLine = async (): Promise<undefined> => {
      leaving.abort()
      return undefined
    }
    expect(await runCommand(['apply', '--sandbox'], { ...around, stop: leaving.signal, stdin: { ...around.stdin, isTerminal: true, readLine } })).toBe(130)
    expect(printed.stderr).toMatch(/Enter a value: \nApply cancelled\.\n$/)
    expect((await runCli(['state', 'list', '--sandbox'], { folder })).stdout).toBe('')
  })

  test.each([
    [{ CI: 'true' }, []],
    [{}, ['--no-input']],
    [{}, ['--json']],
  ])('is not applied where nobody may be asked: %j %j', async (environment, flags) => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    const ran = await runCli(['apply', '--sandbox', ...flags], { folder, environment, stdin: 'yes\n' })
    expect(ran.code).toBe(3)
    expect(ran.stderr).toContain('--auto-approve')
  })

  test('takes no answer from the input that holds the manifests', async () => {
    const folder = newFolder()
    const manifest = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: piped }\nspec: { name: piped, description: d, range: 10.9.0.0/24 }\n'
    const ran = await runCli(['apply', '--sandbox', '-f', '-'], { folder, stdin: `${manifest}yes\n` })
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('--auto-approve') })
    expect((await runCli(['apply', '--sandbox', '-f', '-', '--auto-approve'], { folder, stdin: manifest })).code).toBe(0)
  })

  test('with new outputs alone differs, asks and records them', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'iac.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('outputs:', 'outputs:\n  extra: { value: new }'))
    const planned = await run('plan', '--detailed-exitcode')
    expect(planned.code).toBe(2)
    expect(planned.stdout).toBe(
      'Changes to Outputs:\n  + extra = "new"\n\nYou can apply this plan to save these new output values to the state, without changing any real infrastructure.\n',
    )
    const declined = await runCli(['apply', '--sandbox'], { folder, stdin: 'no\n' })
    expect(declined).toMatchObject({ code: 1, stdout: planned.stdout, stderr: expect.stringContaining('Do you want to perform these actions?') })
    expect((await runCli(['apply', '--sandbox'], { folder, stdin: 'yes\n' })).code).toBe(0)
    expect((await run('output', '--raw', 'extra')).stdout).toBe('new')
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0)
  })

  test('is told by a plan what its guards would refuse, with the code of the apply and without a saved plan', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'iac.yaml')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}guards: { max_destroy: 0 }\n`)
    const destroy = await run('plan', '--destroy', '--detailed-exitcode', '--out', 'refused.plan')
    expect(existsSync(join(folder, 'refused.plan'))).toBe(false)
    const allowed = await run('plan', '--destroy', '--max-destroy', '1', '--out', 'allowed.plan')
    expect(allowed).toMatchObject({ code: 0, stderr: 'Guards and policies are asked again by the apply: iac apply --sandbox allowed.plan --max-destroy 1\n' })
    expect(await run('apply', 'allowed.plan')).toMatchObject({ code: 5, stderr: expect.stringContaining('code: guard_budget') })
    expect(destroy).toMatchObject({ code: 5, stderr: expect.stringContaining('code: guard_budget') })
    const id = (await run('output', '--raw', 'network_id')).stdout
    expect(destroy.stdout).toContain(`id          = "${id}" -> null`)
    writeFileSync(join(folder, 'infra/network.yaml'), '')
    writeFileSync(file, text.replace(/outputs:[^]*/, ''))
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 5, stderr: expect.stringContaining('code: guard_empty') })
  })

  test('says how a protected resource may go', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'infra/network.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('  name: main\nspec', '  name: main\n  lifecycle: { prevent_destroy: true }\nspec'))
    const planned = await run('plan', '--replace', 'Vpc/main')
    expect(planned.code).toBe(5)
    expect(planned.stderr).toMatch(/infra\/network\.yaml:\d+:\d+\n +\d+ \| [^]*hint: set prevent_destroy: false in its manifest and apply that first\n/)
  })

  test('is planned with 3 where the plan is impossible', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'iac.yaml')
    writeFileSync(file, `${readFileSync(file, 'utf8')}moved: [{ from: Vpc/main, to: Vpc/other }]\n`)
    writeFileSync(
      join(folder, 'infra/other.yaml'),
      'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: other }\nspec: { name: other, description: d, range: 10.30.0.0/24 }\n',
    )
    const planned = await run('plan')
    expect([planned.code, (await run('apply', '--auto-approve')).code]).toEqual([3, 3])
  })

  test('costs the same before and after where nothing changes', async () => {
    const { run } = await applied()
    expect(JSON.parse((await run('plan', '--json')).stdout)).toMatchObject({ cost: { hourly_before: '0', hourly_after: '0', unpriced: [] }, quota: [] })
  })

  test('streams one JSON object per line', async () => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    const ran = await runCli(['apply', '--sandbox', '--auto-approve', '--json'], { folder })
    expect(ran.code).toBe(0)
    const lines: { type: string; hook?: { resource: { addr: string } } }[] = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const types = lines.map((line) => line.type)
    expect([types[0], types.at(-1)]).toEqual(['version', 'outputs'])
    expect(types).toEqual(expect.arrayContaining(['planned_change', 'change_summary', 'apply_start', 'apply_complete']))
    expect(lines.find((line) => line.type === 'apply_start')?.hook?.resource.addr).toBe('Vpc/main')
  })

  test('carries out a saved plan, once', async () => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    expect((await runCli(['plan', '--sandbox', '--out', 'saved.plan'], { folder })).code).toBe(0)
    expect(statSync(join(folder, 'saved.plan')).mode & 0o777).toBe(0o600)
    expect((await runCli(['show', 'saved.plan'], { folder })).stdout).toContain('# Vpc/main will be created')
    expect((await runCli(['apply', 'saved.plan', '--auto-approve', '--sandbox'], { folder })).code).toBe(0)
    expect((await runCli(['apply', 'saved.plan', '--auto-approve', '--sandbox'], { folder })).code).toBe(6)
  })

  test('shows outputs, resources and objects', async () => {
    const { run } = await applied()
    const id = (await run('output', '--raw', 'network_id')).stdout
    expect(id).toMatch(/^\d{19}$/)
    expect(JSON.parse((await run('output', '--json')).stdout)).toEqual({ network_id: { value: id, sensitive: false } })
    expect(JSON.parse((await run('state', 'list', '--json')).stdout)).toEqual([{ address: 'Vpc/main', kind: 'Vpc', id }])
    expect((await run('show')).stdout).toContain(`id           = "${id}"`)
    expect(JSON.parse((await run('get', 'vpcs', '--json')).stdout)).toMatchObject([{ name: 'main', range: '10.20.0.0/24' }])
    expect((await run('get', 'Vpc', 'mian')).stderr).toContain('did you mean main?')
    expect((await run('status')).stdout).toMatch(/^State: serial \d+, 1 resource, [^]*\nLock: free\n/)
    expect((await run('get', 'vpcs')).stdout).toMatch(/^NAME +RANGE.* ID\nmain .* \d{19}\n$/)
    expect((await run('api', 'GET', '/v1/nothing')).stderr).toContain('error: the service answered 404 to GET /v1/nothing\n')
  })

  test('whose manifests do not resolve any more is told so, and is no project without drift', async () => {
    const { folder, run } = await applied()
    writeFileSync(
      join(folder, 'infra/web.yaml'),
      'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { type: PLAN, plan: no-such-plan, region: fra-1 }\n',
    )
    const planned = await run('plan')
    const error = /^error: [^]*?\n(?=error:|warning:|$)/m.exec(planned.stderr)?.[0] ?? 'none'
    for (const words of [['drift'], ['drift', '--json'], ['drift', '--quiet']]) expect(await run(...words)).toMatchObject({ code: 3, stderr: error })
    expect(JSON.parse((await run('drift', '--json')).stdout)).toMatchObject({ format: 'iac-drift/v1', has_drift: false })
  })

  test('whose plan a guard forbids, or warns of, has the drift that it has', async () => {
    const { folder, run } = await applied()
    const file = join(folder, 'infra/network.yaml')
    const text = readFileSync(file, 'utf8').replace('  name: main\n', '  name: main\n  lifecycle: { prevent_destroy: true }\n')
    writeFileSync(file, text)
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    writeFileSync(file, text.replace('10.20.0.0/24', '10.21.0.0/24'))
    expect((await run('plan')).code).toBe(5)
    expect(await run('drift')).toMatchObject({ code: 0, stderr: '' })
  })

  test('shows drift', async () => {
    const { run } = await applied()
    expect((await run('drift')).code).toBe(0)
    const id = (await run('output', '--raw', 'network_id')).stdout
    expect((await run('api', 'PATCH', `/v1/vpcs/${id}`, '-f', 'description=by hand')).code).toBe(0)
    const drift = await run('drift', '--json')
    expect(drift.code).toBe(2)
    expect(JSON.parse(drift.stdout)).toMatchObject({
      format: 'iac-drift/v1',
      has_drift: true,
      drift: [{ address: 'Vpc/main', after: { description: 'by hand' } }],
      missing: [],
      unmanaged: null,
    })
    expect((await run('plan')).stdout).toContain('Note: Objects have changed outside of iac')
  })

  test('shows what nobody manages, which is no difference', async () => {
    const { folder, run } = await applied()
    const workspaces = JSON.parse((await run('api', 'GET', '/v1/workspaces', '--paginate')).stdout)
    const made = await run(
      'api',
      'POST',
      `/v1/workspaces/${workspaces[0].id}/vpcs`,
      '-f',
      'name=stray',
      '-f',
      'description=by hand',
      '-f',
      'range=10.99.0.0/24',
    )
    expect(made.code).toBe(0)
    const drift = await run('drift', '--unmanaged', '--json', '--format', 'text=drift.txt')
    expect(drift.code).toBe(0)
    expect(JSON.parse(drift.stdout)).toMatchObject({ has_drift: false, unmanaged: [...metal, { kind: 'Vpc', name: 'stray' }], coverage: 20 })
    expect(readFileSync(join(folder, 'drift.txt'), 'utf8')).toContain('Coverage: 20 % of 5 objects are managed.')
  })

  test('shows what nobody manages where the manifests are, although nothing was applied yet', async () => {
    const { folder, run } = await applied()
    forget(folder)
    const drift = await run('drift', '--unmanaged', '--json', '--format', 'text=drift.txt')
    expect(JSON.parse(drift.stdout)).toMatchObject({ has_drift: false, unmanaged: [...metal, { kind: 'Vpc', name: 'main' }], coverage: 0 })
    expect(readFileSync(join(folder, 'drift.txt'), 'utf8')).toContain('Coverage: 0 % of 4 objects are managed.')
  })

  test('counts a membership and addresses as part of the managed instance that may declare it', async () => {
    const { folder, run } = await applied()
    const spec = 'type: PLAN, name: web, plan: ryzen-4, region: fra-1, vpcs: [main]'
    writeFileSync(join(folder, 'infra/web.yaml'), `apiVersion: iac/v1\nkind: Instance\nmetadata: { name: web }\nspec: { ${spec} }\n`)
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    const found = async (): Promise<readonly string[]> => {
      const { unmanaged } = JSON.parse((await run('drift', '--unmanaged', '--json')).stdout)
      return Array.isArray(unmanaged) ? unmanaged.map((one: { readonly kind: string }) => one.kind).filter((kind) => kind !== 'Dedibox') : []
    }
    expect(await found()).toEqual([])
    expect((await run('state', 'rm', 'Instance/web')).code).toBe(0)
    expect(await found()).toEqual(['FloatingIp', 'FloatingIp', 'Instance', 'VpcAttachment'])
  })

  test.each([
    ['', 0],
    ['provider: { workspace: { name: default } }\n', 0],
    ['provider: { workspace: { name: other } }\n', 3],
    ['provider: { workspace: { id: "7" } }\n', 3],
  ])('shows what nobody manages without a manifest or a state, where a migration starts: %j', async (lines, code) => {
    const { folder, run } = await applied()
    forget(folder)
    rmSync(join(folder, 'infra'), { recursive: true })
    writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: bare\n${lines}`)
    const drift = await run('drift', '--unmanaged')
    expect(drift.code).toBe(code)
    if (code === 0) expect(drift.stdout).toMatch(/Vpc +\d+ +main[\s\S]*Coverage: 0 % of 4 objects are managed\./)
    else for (const { stderr } of [drift, await run('get', 'vpcs')]) expect(stderr).toContain('no workspace fits; visible: default (')
  })

  test('counts what is there without it once it is destroyed', async () => {
    const { folder, run } = await applied()
    expect((await run('destroy', '--auto-approve')).code).toBe(0)
    const drift = await run('drift', '--unmanaged', '--json', '--format', 'text=drift.txt')
    expect(JSON.parse(drift.stdout)).toMatchObject({ has_drift: false, unmanaged: metal, coverage: 0 })
    expect(readFileSync(join(folder, 'drift.txt'), 'utf8')).toContain('Coverage: 0 % of 3 objects are managed.')
  })

  test('is destroyed', async () => {
    const { run } = await applied()
    const ran = await run('destroy', '--auto-approve')
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('Destroy complete! Resources: 1 destroyed.') })
    expect((await run('state', 'list')).stdout).toBe('')
  })

  test('is not destroyed with --no-destroy', async () => {
    const { folder, run } = await applied()
    writeFileSync(join(folder, 'infra/network.yaml'), readFileSync(join(folder, 'infra/network.yaml'), 'utf8').replace('10.20', '10.21'))
    const ran = await run('apply', '--auto-approve', '--no-destroy')
    expect(ran.code).toBe(5)
    expect(ran.stdout).toContain('# Vpc/main must be replaced')
    expect(ran.stdout).toContain('"10.20.0.0/24" -> "10.21.0.0/24" # forces replacement')
  })
})
