// `iac redeploy` and `iac rollback`: an afternoon with a service of the managed cluster.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'

const around = `${manifest('Instance', 'node', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')}${manifest('K3sCluster', 'main', '')}${manifest('K3sNode', 'one', 'instance: node')}`
const shop = (image: string, ...more: readonly string[]): string =>
  manifest('K3sService', 'shop', [`image: ${image}`, 'mode: SPREAD', 'target_instances: [node]', ...more].join('\n'))

async function isShown({ run }: OperatingBench): Promise<{ readonly image: string; readonly status: string }> {
  const [{ service }] = JSON.parse((await run(['get', 'k3sservices', '--json'])).stdout).map((one: object) => ('service' in one ? one : { service: one }))
  return { image: service.image, status: service.status }
}

async function deployedTwice(given: Parameters<typeof operatingBench>[1] = {}): Promise<OperatingBench> {
  const bench = await operatingBench(around + shop('nginx:1.27'), given)
  writeFileSync(join(bench.folder, 'main.yaml'), around + shop('nginx:1.28'))
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
  return bench
}

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

/** The bodies of the updates that an apply sends; after it nothing is open, in doubt or different. */
async function settledByApply(bench: OperatingBench): Promise<readonly unknown[]> {
  const bodies: unknown[] = []
  bench.sandbox.faults.hook = ({ operation, body }) => void (operation === 'updateK3sService' && bodies.push(JSON.parse(body ?? '')))
  expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
  bench.sandbox.faults.hook = undefined
  expect((await bench.run(['status'])).stdout).toContain('Nothing is unfinished.')
  expect((await bench.run(['state', 'show', 'K3sService/shop'])).stdout).not.toContain('uncertain')
  expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
  expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
  return bodies
}

const rich = [
  'environment: { A: one }',
  'replicas: 3',
  'update_strategy: START_FIRST',
  'volumes: [{ host_path: /srv/a, container_path: /data }]',
  'ports: [{ host_port: 80, container_port: 80, protocol: TCP }]',
]

/** The first revision has all that can be cleared, the second another environment alone. */
async function deployedRich(): Promise<OperatingBench> {
  const bench = await operatingBench(around + shop('nginx:1.27', ...rich))
  writeFileSync(join(bench.folder, 'main.yaml'), around + shop('nginx:1.27', 'environment: { A: two }'))
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
  return bench
}

describe('what a rollback brings back', () => {
  test('is no change from outside, and the next apply puts all of it right, what cannot be read as well', async () => {
    const bench = await deployedRich()
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
    const { stdout } = await bench.run(['plan'])
    expect(stdout).toMatch(/\+ environment += \{\n +\+ A = "two"[^]*- ports[^]*- replicas[^]*- update_strategy[^]*- volumes/)
    expect(stdout).not.toContain('outside of iac')
    const [body, ...others] = await settledByApply(bench)
    expect([body, others]).toEqual([expect.objectContaining({ environment: { A: 'two' } }), []])
    for (const cleared of ['ports', 'replicas', 'update_strategy', 'volumes']) expect(body).not.toHaveProperty(cleared)
    expect((await bench.run(['get', 'k3sservices', '--json'])).stdout).toMatch(/"replicas": 1,[^]*"ROLLING"/)
  })

  test.each(['not waited for', 'without an answer'])('is settled by the next apply where it was %s', async (how) => {
    const bench = await deployedRich()
    writeFileSync(join(bench.folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nprovider: { compat: { settle_window: 100ms, read_grace: 100ms } }\n')
    if (how === 'without an answer')
      bench.sandbox.faults.hook = ({ operation }) => (operation === 'rollbackK3sService' ? { reset: 'after' as const } : undefined)
    const left = await bench.run(['rollback', 'K3sService/shop', '--auto-approve', ...(how === 'not waited for' ? ['--no-wait'] : [])])
    expect(left.code).toBe(how === 'not waited for' ? 0 : 8)
    expect((await bench.run(['status'])).stdout).toMatch(/K3sService\/shop +rollback/)
    expect(await settledByApply(bench)).toEqual([expect.objectContaining({ environment: { A: 'two' } })])
  })

  test('what others set in fields that nobody declares stays, as in any apply', async () => {
    const bench = await operatingBench(around + shop('nginx:1.27'))
    const [{ id, target_instances }] = JSON.parse((await bench.run(['get', 'k3sservices', '--json'])).stdout)
    const [{ id: wid }] = JSON.parse((await bench.run(['get', 'workspaces', '--json'])).stdout)
    const scaled = ['-F', 'image=nginx:1.27', '-F', `target_instances[]=${target_instances[0].id}`, '-F', 'replicas=4']
    await bench.run(['api', 'PUT', `/v1/workspaces/${wid}/k3s/services/${id}`, ...scaled, '--wait'])
    writeFileSync(join(bench.folder, 'main.yaml'), around + shop('nginx:1.28'))
    expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await settledByApply(bench)).toEqual([expect.objectContaining({ image: 'nginx:1.28', replicas: 4 })])
  })

  /** Deploys each, then rolls back, and leaves the last manifest. */
  async function rolledBack(...specs: readonly (readonly string[])[]): Promise<OperatingBench> {
    const bench = await operatingBench(around)
    for (const spec of specs) {
      writeFileSync(join(bench.folder, 'main.yaml'), around + shop(spec[0] ?? '', ...spec.slice(1)))
      expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    }
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    return bench
  }

  /** From here on the manifest says this, and others may change these fields. */
  function ignoring(bench: OperatingBench, ignored: string, lifecycle: string, image: string, ...more: readonly string[]): void {
    const spec = [`image: ${image}`, 'mode: SPREAD', 'target_instances: [node]', ...more].join('\n')
    const given = `lifecycle: { ignore_changes: [${ignored}]${lifecycle} }`
    writeFileSync(join(bench.folder, 'main.yaml'), around + secret('one') + manifest('K3sService', 'shop', spec, given))
  }

  const secret = (value: string): string => manifest('K3sSecret', 'db', `data: { A: ${value} }`)
  const uncertain = async ({ run }: OperatingBench): Promise<string | undefined> =>
    /uncertain += \[[^\]]*\]/.exec((await run(['state', 'show', 'K3sService/shop'])).stdout)?.[0]

  test('is looked at once reads cannot lag behind it, where the next apply settles it', async () => {
    const bench = await operatingBench(around, { readings: { readLagMs: 1500 } })
    const settings = 'provider: { compat: { settle_window: 2s, read_grace: 2s } }'
    writeFileSync(join(bench.folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\n${settings}\n`)
    for (const image of ['nginx:1.27', 'nginx:1.28']) {
      ignoring(bench, '/environment', '', image)
      expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    }
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve', '--no-wait'])).toMatchObject({ code: 0 })
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 3, stderr: expect.stringContaining('declare environment') })
    expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
    expect(await uncertain(bench)).toContain('image')
  })

  test('is left alone where others may change it: what nobody can see is neither sent nor cleared', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.28', 'environment: { A: two }'])
    ignoring(bench, '/environment', '', 'nginx:1.27')
    expect(await bench.run(['apply', '--target', 'K3sSecret/db', '--auto-approve'])).toMatchObject({ code: 0 })
    for (const flags of [[], ['--refresh=false']]) {
      const plan = await bench.run(['plan', ...flags, '--out', 'p.json'])
      expect([flags, plan.code, plan.stderr.includes('environment')]).toEqual([flags, 0, false])
      expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
    }
    expect(await uncertain(bench)).toMatch(/\[\n +"environment",\n\]/)
  })

  test('is left alone by a restart as well: a trigger sends what the plan says, and nothing else', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.27', 'environment: { A: two }'])
    ignoring(bench, '/environment', ', redeploy_triggered_by: [K3sSecret/db]', 'nginx:1.27')
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    const text = readFileSync(join(bench.folder, 'main.yaml'), 'utf8')
    writeFileSync(join(bench.folder, 'main.yaml'), text.replace('A: one', 'A: new'))
    const sent: (string | undefined)[] = []
    bench.sandbox.faults.hook = ({ operation, method }) => void (method !== 'GET' && sent.push(operation))
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(sent).toEqual(['updateK3sSecret', 'redeployK3sService'])
  })

  test('is not replaced unseen: another update asks for what it would clear, and tells what it sends', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.28'])
    ignoring(bench, '/environment', '', 'nginx:1.29')
    const refused = await bench.run(['plan'])
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('declare environment')])
    ignoring(bench, '/environment', '', 'nginx:1.29', 'environment: { A: two }')
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    const { code, stderr } = await bench.run(['plan'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('replaces environment by what was applied last')])
  })

  test('stays under ignore_changes where a plan reads nothing and what is there is read later', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }', 'replicas: 3'], ['nginx:1.27', 'environment: { A: two }'])
    ignoring(bench, '/replicas', '', 'nginx:1.27', 'environment: { A: two }')
    expect(await bench.run(['apply', '--target', 'K3sSecret/db', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['plan', '--refresh=false', '--out', 'p.json'])).toMatchObject({ code: 0 })
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
    expect((await bench.run(['get', 'k3sservices', '--json'])).stdout).toContain('"replicas": 3')
  })

  test('of what was taken over without its environment is kept: an update in full would clear that', async () => {
    const bench = await rolledBack(['nginx:1.27', 'replicas: 3'], ['nginx:1.27', 'update_strategy: START_FIRST'], ['nginx:1.27'])
    await bench.run(['apply', '--auto-approve'])
    const [{ id }] = JSON.parse((await bench.run(['get', 'k3sservices', '--json'])).stdout)
    expect((await bench.run(['state', 'rm', 'K3sService/shop'])).code).toBe(0)
    expect((await bench.run(['import', 'K3sService/shop', id])).code).toBe(0)
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 })
  })

  test('is not read where a plan reads nothing, which says so; saved, it is carried out', async () => {
    const bench = await deployedRich()
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['apply', '--refresh-only', '--auto-approve'])).toMatchObject({ code: 0 })
    const { code, stdout, stderr } = await bench.run(['plan', '--refresh=false', '--out', 'p.json'])
    expect([code, stderr]).toEqual([0, expect.stringMatching(/what it has of image, .*environment was not read, [^]*sent again, as declared/)])
    expect(stdout).not.toContain('+ image')
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await settledByApply(bench)).toEqual([])
  })

  test('never comes into the state: it may have been sensitive when it was declared', async () => {
    const secret = 'registry.example.com/canary-4711:1'
    const project = 'apiVersion: iac/v1\nkind: Project\nvariables: { image: { type: string, sensitive: true } }\n---\n'
    const bench = await operatingBench('')
    writeFileSync(join(bench.folder, 'iac.yaml'), project)
    writeFileSync(join(bench.folder, 'main.yaml'), around + shop('"${vars.image}"'))
    expect((await bench.run(['apply', '--auto-approve', '--var', `image=${secret}`])).code).toBe(0)
    writeFileSync(join(bench.folder, 'main.yaml'), around + shop('nginx:1.28'))
    for (const words of [
      ['apply', '--auto-approve'],
      ['rollback', 'K3sService/shop', '--auto-approve'],
      ['apply', '--refresh-only', '--auto-approve'],
      ['apply', '--auto-approve'],
    ])
      expect([words, (await bench.run([...words, '--var', 'image=none:1'])).code]).toEqual([words, 0])
    const files = readdirSync(bench.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((one) => readFileSync(join(one.parentPath, one.name)).includes('canary-4711'))).toEqual([])
  })
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
