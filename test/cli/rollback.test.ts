// `iac rollback`: what the revision that came back means to the applies after it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { rehashed } from '../builders/rehashed.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'
import { around, benchOf, deployedTwice, isShown, settledByApply, shop } from './service-bench.ts'

const rich = [
  'environment: { A: one }',
  'replicas: 3',
  'update_strategy: START_FIRST',
  'volumes: [{ host_path: /srv/a, container_path: /data }]',
  'ports: [{ host_port: 80, container_port: 80, protocol: TCP }]',
]

/** The first revision has all that can be cleared, the second another environment alone. */
async function deployedRich(): Promise<OperatingBench> {
  const bench = await benchOf(around + shop('nginx:1.27', ...rich))
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
    if (how === 'without an answer')
      bench.sandbox.faults.hook = ({ operation }) => (operation === 'rollbackK3sService' ? { reset: 'after' as const } : undefined)
    const left = await bench.run(['rollback', 'K3sService/shop', '--auto-approve', ...(how === 'not waited for' ? ['--no-wait'] : [])])
    expect(left.code).toBe(how === 'not waited for' ? 0 : 8)
    expect((await bench.run(['status'])).stdout).toMatch(/K3sService\/shop +rollback/)
    expect(await settledByApply(bench)).toEqual([expect.objectContaining({ environment: { A: 'two' } })])
  })

  test('what others set in fields that nobody declares stays, as in any apply', async () => {
    const bench = await benchOf(around + shop('nginx:1.27'))
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
    const bench = await benchOf(around)
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

  /** Somebody else scales the service. */
  function scale({ sandbox: { world } }: OperatingBench, replicas: number): void {
    for (const { id, name, revision } of world.tables.clusterServices.all())
      if (name === 'shop') world.tables.clusterServices.update(id, { revision: { ...revision, replicas } })
  }

  /** Writes forged.json: a saved plan in which this service counts with something else. */
  function forge({ folder }: OperatingBench, name: string, doubts: (counted: readonly string[]) => readonly string[]): void {
    const plan = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const changes = plan.changes.map((one: { readonly address: string; readonly in_doubt?: readonly string[] }) =>
      one.address === 'K3sService/shop' ? { ...one, in_doubt: doubts(one.in_doubt ?? []) } : one,
    )
    writeFileSync(join(folder, 'forged.json'), JSON.stringify(rehashed({ ...plan, changes })))
  }

  const secret = (value: string): string => manifest('K3sSecret', 'db', `data: { A: ${value} }`)
  const uncertain = async ({ run }: OperatingBench): Promise<string | undefined> =>
    /uncertain += \[[^\]]*\]/.exec((await run(['state', 'show', 'K3sService/shop'])).stdout)?.[0]

  test.each(['waited for', 'not waited for'])('is looked at once reads cannot lag behind it, %s', async (how) => {
    const bench = await benchOf(around, {}, '2s')
    for (const image of ['nginx:1.27', 'nginx:1.28']) {
      ignoring(bench, '/environment', '', image)
      expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    }
    bench.sandbox.faults.hook = ({ operation = '', method }) => (method === 'GET' && operation.includes('K3sService') ? { staleMs: 1800 } : undefined)
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve', ...(how === 'waited for' ? [] : ['--no-wait'])])).toMatchObject({ code: 0 })
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 3, stderr: expect.stringContaining('declare environment') })
    expect(await bench.run(['drift'])).toMatchObject({ code: 0 })
    expect(await uncertain(bench)).toContain('image')
  })

  test('is under way until the service runs, however soon its workflow has ended', async () => {
    const bench = await deployedTwice({ readings: { effectLagMs: 700 } })
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await isShown(bench)).toEqual({ image: 'nginx:1.27', status: 'RUNNING' })
  })

  test('is unfinished where nobody knows how its workflow ended', async () => {
    const bench = await deployedTwice()
    bench.sandbox.faults.hook = ({ path }) => (path.includes('/workflows/') ? { status: 404 } : undefined)
    const { code, stderr } = await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])
    expect([code, stderr]).toEqual([8, expect.stringContaining('was lost')])
    bench.sandbox.faults.hook = undefined
    expect((await bench.run(['status'])).stdout).toMatch(/K3sService\/shop +rollback/)
  })

  test('is cleared by a saved plan as well, which says what it counts with, and is carried out as long as that holds', async () => {
    const bench = await deployedRich()
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['plan', '--out', 'p.json'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/- replicas/) })
    for (const left of ['replicas', 'environment']) {
      forge(bench, 'p.json', (counted) => counted.filter((field) => field !== left))
      expect(await bench.run(['apply', 'forged.json', '--auto-approve'])).toMatchObject({ code: 6, stderr: expect.stringContaining('K3sService/shop') })
    }
    scale(bench, 7)
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 6, stderr: expect.stringContaining('has changed since') })
    scale(bench, 3)
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await settledByApply(bench)).toEqual([])
  })

  test.each(['nginx:1.27', 'nginx:1.28'])('stays in doubt where a plan leaves it out: declared as %s', async (image) => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.28', 'environment: { A: one }'])
    ignoring(bench, '/environment', '', image)
    expect(await bench.run(['plan', '--exclude', 'K3sService/shop', '--out', 'p.json'])).toMatchObject({ code: 0 })
    scale(bench, 7)
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') })
    expect(await bench.run(['apply', '--target', 'Instance/node', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await uncertain(bench)).toContain('image')
  })

  test('stays where others change it while the question stands', async () => {
    const bench = await deployedRich()
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    let [looks, asked] = [0, Infinity]
    bench.sandbox.faults.hook = ({ operation = '', method }) => {
      if (method === 'GET' && operation.includes('K3sService') && ++looks > asked) scale(bench, 7)
      return undefined
    }
    expect(await bench.run(['plan'])).toMatchObject({ code: 0 })
    ;[asked, looks] = [looks, 0]
    const { stdout, stderr } = await bench.run(['apply'], { stdin: 'yes\n' })
    expect(stdout).toMatch(/- replicas += 3/)
    expect(stderr).toContain('changed since the plan was shown')
    expect((await bench.run(['get', 'k3sservices', '--json'])).stdout).toContain('"replicas": 7')
  })

  test('is left alone where others may change it: what nobody can see is neither sent nor cleared', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.28', 'environment: { A: two }'])
    ignoring(bench, '/environment', '', 'nginx:1.27')
    expect(await bench.run(['apply', '--target', 'K3sSecret/db', '--auto-approve'])).toMatchObject({ code: 0 })
    for (const flags of [[], ['--refresh=false']]) {
      const plan = await bench.run(['plan', ...flags, '--out', 'p.json'])
      expect([flags, plan.code, plan.stderr.includes('environment')]).toEqual([flags, 0, false])
      if (flags.length === 0) {
        forge(bench, 'p.json', (counted) => [...counted, 'environment'].toSorted())
        expect(await bench.run(['apply', 'forged.json', '--auto-approve'])).toMatchObject({ code: 6, stderr: expect.stringContaining('K3sService/shop') })
      }
      expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
    }
    expect(await uncertain(bench)).toMatch(/\[\n +"environment",\n\]/)
  })

  test('that can be read and others may change is taken as it is, by a saved plan too', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.28', 'environment: { A: one }'])
    ignoring(bench, '/image', '', 'nginx:1.29', 'environment: { A: one }')
    expect(await bench.run(['plan', '--out', 'p.json'])).toMatchObject({ code: 0 })
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await uncertain(bench)).toBeUndefined()
    expect(await isShown(bench)).toMatchObject({ image: 'nginx:1.27' })
  })

  test('is left alone as a whole where others may change a part of it', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.27', 'environment: { A: two }'])
    ignoring(bench, '/environment/A', '', 'nginx:1.27', 'environment: { A: three }')
    expect(await bench.run(['apply', '--target', 'K3sSecret/db', '--auto-approve'])).toMatchObject({ code: 0 })
    const { code, stderr } = await bench.run(['plan', '--detailed-exitcode'])
    expect([code, stderr.includes('K3sService/shop')]).toEqual([0, false])
  })

  test('is left alone by a restart as well: a trigger sends what the plan says, and nothing else', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.27', 'environment: { A: two }'])
    ignoring(bench, '/environment', ', redeploy_triggered_by: [K3sSecret/db]', 'nginx:1.27')
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await uncertain(bench)).toMatch(/\[\n +"environment",\n\]/)
    const text = readFileSync(join(bench.folder, 'main.yaml'), 'utf8')
    writeFileSync(join(bench.folder, 'main.yaml'), text.replace('A: one', 'A: new'))
    const sent: (string | undefined)[] = []
    bench.sandbox.faults.hook = ({ operation, method }) => void (method !== 'GET' && sent.push(operation))
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(sent).toEqual(['updateK3sSecret', 'redeployK3sService'])
    expect(await uncertain(bench)).toMatch(/\[\n +"environment",\n\]/)
  })

  test('is not replaced unseen: another update asks for what it would clear, and tells what it sends', async () => {
    const bench = await rolledBack(['nginx:1.27', 'environment: { A: one }'], ['nginx:1.28'])
    ignoring(bench, '/environment', '', 'nginx:1.29')
    const refused = await bench.run(['plan'])
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('declare environment')])
    ignoring(bench, '/environment', '', 'nginx:1.29', 'environment: { A: two }')
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await bench.run(['rollback', 'K3sService/shop', '--auto-approve'])).toMatchObject({ code: 0 })
    const { code, stderr } = await bench.run(['plan', '--out', 'p.json'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('replaces environment by what was applied last')])
    // The manifests leave it to nobody any more.
    ignoring(bench, '/replicas', '', 'nginx:1.29', 'environment: { A: two }')
    expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 6, stderr: expect.stringContaining('in_doubt') })
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
    const project =
      'apiVersion: iac/v1\nkind: Project\nvariables: { image: { type: string, sensitive: true } }\nprovider: { compat: { read_grace: 100ms } }\n---\n'
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
