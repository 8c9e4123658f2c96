// `iac redeploy` and `iac rollback`: an afternoon with a service of the managed cluster.
import { expect, test } from 'vitest'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { operatingBench } from './operating-bench.ts'
import { around, deployedTwice, isShown, settledByApply, shop } from './service-bench.ts'

test('a redeploy waits until the service runs, and is no difference to the manifests', async () => {
  const bench = await operatingBench(around + shop('nginx:1.27'), { profile: 'fast' })
  const { code, stdout, stderr } = await bench.run(['redeploy', 'K3sService/shop'], { stdin: 'yes\n' })
  expect([code, stdout, await isShown(bench)]).toEqual([0, 'K3sService/shop: redeployed, and running.\n', { image: 'nginx:1.27', status: 'RUNNING' }])
  expect(stderr).toContain('Do you really want to redeploy K3sService/shop?')
  expect(stderr).toMatch(/^K3sService\/shop: redeploy \[workflow=[0-9a-f-]{36}\]$/m)
  expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
})

test('^C waits for what was rolled back to run, with 130', async () => {
  const bench = await deployedTwice()
  const { code, stdout, stderr } = await bench.stopping(['rollback', 'K3sService/shop', '--auto-approve'], 'rollbackK3sService')
  expect([code, stdout]).toEqual([130, 'K3sService/shop: rolled back to its previous revision, and running.\n'])
  expect(stderr).toContain('stopping: what runs is waited for')
  expect(stderr).not.toContain('error')
})

test('a redeploy that is not approved sends nothing', async () => {
  const { run, sandbox } = await operatingBench(around + shop('nginx:1.27'))
  expect(await run(['redeploy', 'K3sService/shop'], { stdin: 'no\n' })).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was sent.') })
  for (const words of [['--no-input'], ['--json']])
    expect(await run(['redeploy', 'K3sService/shop', ...words])).toMatchObject({ code: 3, stderr: expect.stringContaining('--auto-approve') })
  expect(sandbox.usage.ofRoute('redeployK3sService')).toEqual({ accepted: 0, refused: 0 })
})

test('a rollback asks, says what the manifest still says, and the next plan shows it', async () => {
  const bench = await deployedTwice()
  const no = await bench.run(['rollback', 'K3sService/shop'], { stdin: 'no\n' })
  expect([no.code, no.stderr]).toEqual([1, expect.stringContaining('Do you really want to roll back K3sService/shop?')])
  expect(await isShown(bench)).toMatchObject({ image: 'nginx:1.28' })
  const { code, stdout, stderr } = await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])
  expect([code, stdout]).toEqual([0, 'K3sService/shop: rolled back to its previous revision, and running.\n'])
  expect(stderr).toContain('the next apply puts that in place again')
  expect(await isShown(bench)).toEqual({ image: 'nginx:1.27', status: 'RUNNING' })
  expect((await bench.run(['plan'])).stdout).toContain('~ image = "nginx:1.27" -> "nginx:1.28"')
})

test('what somebody else deployed and a rollback took back is no drift any more; what nobody can read of it is sent again', async () => {
  const bench = await deployedTwice()
  const [{ id, target_instances }] = JSON.parse((await bench.run(['get', 'k3sservices', '--json'])).stdout)
  const [{ id: wid }] = JSON.parse((await bench.run(['get', 'workspaces', '--json'])).stdout)
  const call = ['api', 'PUT', `/v1/workspaces/${wid}/k3s/services/${id}`, '-F', 'image=nginx:1.29', '-F', `target_instances[]=${target_instances[0].id}`]
  expect(await bench.run([...call, '--wait'])).toMatchObject({ code: 0 })
  expect(await bench.run(['drift'])).toMatchObject({ code: 2 })
  expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
  const plan = await bench.run(['plan'])
  expect(plan.stderr).toContain('K3sService/shop: what it has of environment cannot be read')
  expect(plan.stdout).toContain('0 to add, 1 to change')
  await settledByApply(bench)
})

test('a field in doubt that turns out as declared is in doubt no more after an apply that changes nothing', async () => {
  const bench = await operatingBench(manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\npower: "ON"'), {
    courses: [{ operation: 'instance.power', outcome: 'FAILED' }],
  })
  expect((await bench.run(['power', 'Instance/web', 'off', '--auto-approve'])).code).toBe(8)
  const shown = async () => (await bench.run(['state', 'show', 'Instance/web'])).stdout
  expect(await shown()).toMatch(/uncertain += \[\n +"power"/)
  expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0, stdout: expect.stringContaining('0 changed') })
  expect(await shown()).not.toContain('uncertain')
})

test('what was deployed once cannot be rolled back, in words', async () => {
  const bench = await operatingBench(around + shop('nginx:1.27'))
  const { code, stderr } = await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('K3sService/shop: "rollback" is refused: the service has no previous revision\n')])
})

test('programs are told in one shape', async () => {
  const bench = await deployedTwice()
  const schema = allSchemas(kinds)['operation.schema.json'] ?? {}
  for (const words of [
    ['redeploy', 'K3sService/shop', '--auto-approve'],
    ['redeploy', 'K3sService/shop', '--auto-approve', '--no-wait'],
    ['rollback', 'K3sService/shop', '--auto-approve'],
  ]) {
    const { stdout } = await bench.run([...words, '--json'])
    expect([JSON.parse(stdout).operation, schemaProblems(schema, JSON.parse(stdout))]).toEqual([words[0], []])
  }
})

test('a workflow that fails is 8', async () => {
  const bench = await operatingBench(around + shop('nginx:1.27'), { courses: [{ operation: 'k3s.service.redeploy', outcome: 'FAILED', leaves: 'failed' }] })
  const failed = await bench.run(['redeploy', 'K3sService/shop', '--auto-approve'])
  expect([failed.code, failed.stderr]).toEqual([8, expect.stringContaining('ended FAILED')])
})

test('a console of a dedibox gets a new token, which is printed nowhere', async () => {
  const { run } = await operatingBench('')
  const [box] = JSON.parse((await run(['api', 'GET', '/v1/workspaces', '--paginate'])).stdout)
  const listed = JSON.parse((await run(['api', 'GET', `/v1/workspaces/${box.id}/dedibox`, '--paginate'])).stdout)
  const { id } = listed.find((one: { readonly name: string }) => one.name === 'metal-1')
  const tokenOf = async (): Promise<string> => JSON.parse((await run(['api', 'GET', `/v1/dedibox/${id}`])).stdout).vnc.token
  const before = await tokenOf()
  const { code, stdout, stderr } = await run(['dedibox', 'reset-vnc', 'metal-1'])
  const after = await tokenOf()
  expect([code, stdout, after === before]).toEqual([0, 'Dedibox/metal-1: its console has a new token.\n', false])
  expect(stdout + stderr).not.toContain(after)
  expect(await run(['dedibox', 'reset-vnc', 'metal-9'])).toMatchObject({ code: 3, stderr: expect.stringContaining('did you mean Dedibox/metal-1') })
})
