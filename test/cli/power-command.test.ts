// `iac power`: an afternoon with instances and dediboxes, and what it does to the state.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'
import type { Ran } from './run-cli.ts'
import { patientClock } from './run-cli.ts'

const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\npower: "ON"')

async function isOnline({ run }: OperatingBench): Promise<boolean> {
  return JSON.parse((await run(['get', 'Instance', 'web', '--json'])).stdout).online
}

describe('an afternoon with an instance', () => {
  test('it is taken down after a question, and the plan shows what its manifest says', async () => {
    const bench = await operatingBench(web)
    const no = await bench.run(['power', 'Instance/web', 'shutdown'], { stdin: 'no\n' })
    expect([no.code, no.stderr, await isOnline(bench)]).toEqual([1, expect.stringContaining('Do you really want to shut down Instance/web?'), true])
    const yes = await bench.run(['power', 'Instance/web', 'shutdown'], { stdin: 'yes\n' })
    expect([yes.code, yes.stdout, await isOnline(bench)]).toEqual([0, 'Instance/web: shut down.\n', false])
    expect(yes.stderr).toMatch(/its manifest may say otherwise[^]*write power: OFF/)
    expect(yes.stderr).toMatch(/^Instance\/web: power shutdown \[workflow=[0-9a-f-]{36}\]$/m)
    const plan = await bench.run(['plan'])
    expect([plan.stdout]).toEqual([expect.stringContaining('~ power = "OFF" -> "ON"')])
    expect(plan.stdout).not.toContain('outside of iac')
    expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
    expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
    expect(await isOnline(bench)).toBe(true)
  })

  test('one that is off is not cycled without a question, since it would be on', async () => {
    const bench = await operatingBench(web.replace('"ON"', '"OFF"'))
    expect(await isOnline(bench)).toBe(false)
    expect(await bench.run(['power', 'Instance/web', 'cycle', '--no-input'])).toMatchObject({ code: 3 })
    expect(await bench.run(['power', 'Instance/web', 'cycle'], { stdin: 'no\n' })).toMatchObject({ code: 1 })
    expect(await isOnline(bench)).toBe(false)
    expect(await bench.run(['power', 'Instance/web', 'cycle'], { stdin: 'yes\n' })).toMatchObject({ code: 0 })
  })

  test('it is switched again after it was switched, though the effect shows later than the end of its workflow', async () => {
    const bench = await operatingBench(web, { readings: { effectLagMs: 3000 } })
    expect((await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])).code).toBe(0)
    expect(await bench.run(['power', 'Instance/web', 'on'])).toMatchObject({ code: 0, stdout: 'Instance/web: powered on.\n' })
    expect(await isOnline(bench)).toBe(true)
  })

  test('switching on asks nothing, and what is on already costs no call', async () => {
    const bench = await operatingBench(web)
    const sent: (string | undefined)[] = []
    bench.sandbox.faults.hook = (request) => void sent.push(request.operation)
    const again = await bench.run(['power', 'instance/web', 'on', '--no-input'])
    expect([again.code, again.stdout, sent]).toEqual([0, 'Instance/web: is on already; nothing was sent.\n', expect.not.arrayContaining(['powerInstance'])])
    await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])
    expect(await bench.run(['power', 'Instance/web', 'on', '--no-input'])).toMatchObject({ code: 0, stdout: 'Instance/web: powered on.\n' })
    expect(await isOnline(bench)).toBe(true)
  })

  test('by its id it is still the resource, and programs are told in JSON', async () => {
    const bench = await operatingBench(web)
    const [{ id }] = JSON.parse((await bench.run(['get', 'instances', '--json'])).stdout)
    const { code, stdout } = await bench.run(['power', `Instance/${id}`, 'cycle', '--auto-approve', '--json'])
    const workflow = expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { address: 'Instance/web', kind: 'Instance', id, operation: 'power cycle', workflow_id: workflow, ended: true },
    ])
  })

  test('waits for a workflow that does not show yet as long as the project says that reads lag, as an apply does', async () => {
    const bench = await operatingBench(web, { readings: { readLagMs: 2000 } })
    const off = async (grace: string) => {
      writeFileSync(join(bench.folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nprovider: { compat: { read_grace: ${grace} } }\n`)
      return bench.run(['power', 'Instance/web', 'cycle', '--auto-approve'])
    }
    expect(await off('10ms')).toMatchObject({ code: 8, stderr: expect.stringContaining('was lost') })
    expect(await off('20s')).toMatchObject({ code: 0 })
  })

  test('works where manifests are wrong and variables missing', async () => {
    const bench = await operatingBench(web)
    writeFileSync(join(bench.folder, 'main.yaml'), 'kind: [')
    expect((await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])).code).toBe(0)
  })
})

describe('an afternoon with dediboxes', () => {
  test('they go by name, and are never shut down by the service', async () => {
    const { run } = await operatingBench(web)
    expect(await run(['power', 'Dedibox/metal-2', 'on'])).toMatchObject({ code: 0, stdout: 'Dedibox/metal-2: powered on.\n' })
    expect(await run(['power', 'dediboxes/metal-2', 'off', '--auto-approve'])).toMatchObject({ code: 0, stdout: 'Dedibox/metal-2: powered off.\n' })
    expect(await run(['power', 'Dedibox/metal-1', 'shutdown'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('the service has no shutdown for it'),
    })
  })
})

describe('nothing fights an apply', () => {
  test('what somebody else changed stays drift, and what a manifest leaves open is not recorded', async () => {
    const bench = await operatingBench(web.replace('\n  power: "ON"', ''))
    const [{ id }] = JSON.parse((await bench.run(['get', 'instances', '--json'])).stdout)
    await bench.run(['api', 'PATCH', `/v1/instances/${id}`, '-f', 'name=other'])
    expect(await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])).toMatchObject({ code: 0, stderr: expect.not.stringContaining('its manifest') })
    const drift = await bench.run(['drift'])
    expect([drift.code, drift.stdout]).toEqual([2, expect.stringContaining('"web" -> "other"')])
    expect(drift.stdout).not.toContain('power')
  })

  test('what is not waited for is unfinished, and the next apply waits for it before it plans', async () => {
    const bench = await operatingBench(web, { profile: 'fast' })
    const { stdout } = await bench.run(['power', 'Instance/web', 'off', '--auto-approve', '--no-wait'])
    expect(stdout).toMatch(/^Instance\/web: power off was accepted as workflow [0-9a-f-]{36}, and is not waited for\.$/m)
    expect((await bench.run(['status'])).stdout).toMatch(/Instance\/web +power off +[0-9a-f-]{36}/)
    const applied = await bench.run(['apply', '--auto-approve'])
    expect([applied.code, applied.stderr]).toEqual([0, expect.stringMatching(/Resuming power off[^]*Instance\/web: power on/)])
    expect((await bench.run(['status'])).stdout).toContain('Nothing is unfinished.')
    expect(await isOnline(bench)).toBe(true)
  })

  test.each([[[]], [['--json']]])('^C waits for what runs and records it, with 130 and %j', async (flags) => {
    const bench = await operatingBench(web, { profile: 'fast' })
    const { code, stderr } = await bench.stopping(['power', 'Instance/web', 'off', '--auto-approve', ...flags], 'powerInstance')
    expect([code, stderr]).toEqual([130, expect.stringMatching(/stopping: what runs is waited for; \^C again ends at once/)])
    expect(await isOnline(bench)).toBe(false)
    expect((await bench.run(['status'])).stdout).toMatch(/Lock: free\nNothing is unfinished/)
    expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
  })

  test.each([[[]], [['--json']]])('^C before anything was sent says so, with %j', async (flags) => {
    const bench = await operatingBench(web)
    const { code, stderr } = await bench.stopping(['power', 'Instance/web', 'off', '--auto-approve', ...flags], 'getInstance')
    expect([code, stderr]).toEqual([130, expect.stringContaining('nothing was sent')])
    expect(stderr).not.toContain('what runs is waited for')
    expect([await isOnline(bench), (await bench.run(['status'])).stdout]).toEqual([true, expect.stringContaining('Nothing is unfinished.')])
  })

  test('^C before anything was sent to what the state does not record says so, too', async () => {
    const { stopping } = await operatingBench(web)
    expect(await stopping(['power', 'Dedibox/metal-1', 'cycle', '--auto-approve'], 'getDedibox')).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('nothing was sent'),
    })
  })

  test('a lost answer is unfinished, too, and a workflow that fails is 8 and nothing to settle', async () => {
    const bench = await operatingBench(web, { courses: [{ operation: 'instance.power', outcome: 'FAILED' }] })
    const failed = await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])
    expect([failed.code, failed.stderr]).toEqual([8, expect.stringMatching(/the workflow [0-9a-f-]{36} ended FAILED/)])
    expect((await bench.run(['status'])).stdout).toContain('Nothing is unfinished.')
    expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
    bench.sandbox.faults.hook = ({ operation }) => (operation === 'powerInstance' ? { reset: 'after' as const } : undefined)
    const lost = await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])
    expect([lost.code, lost.stderr]).toEqual([8, expect.stringContaining('is not known')])
    expect((await bench.run(['status'])).stdout).toMatch(/Instance\/web +power off +answer unknown/)
  })

  test('while a run holds the state nothing is sent', async () => {
    const bench = await operatingBench(web, { profile: 'fast', clock: realClock() })
    // A lock that its file shows to be silent is waited for.
    const cycled = (): Promise<Ran> => bench.run(['power', 'Instance/web', 'cycle', '--auto-approve'], { clock: patientClock })
    let second: Promise<Ran> | undefined
    bench.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'powerInstance') second ??= cycled()
      return undefined
    }
    expect([(await cycled()).code, (await second)?.code]).toEqual([0, 7])
  })
})

test.each([
  [['Instance/wb', 'on'], 'did you mean Instance/web?'],
  [['Instance/123', 'on'], 'neither the state nor the workspace has Instance/123'],
  [['Vpc/main', 'on'], 'this is for Instance and Dedibox, not for Vpc'],
  [['web', 'on'], 'is no address'],
  [['Instance/web', 'up'], 'ACTION must be one of on, off, shutdown, cycle'],
  [['Instance/web', 'off', '--no-input'], 'this needs an approval'],
])('refuses %j', async (words, said) => {
  const { run } = await operatingBench(web)
  expect(await run(['power', ...words])).toMatchObject({ code: 3, stderr: expect.stringContaining(said) })
})
