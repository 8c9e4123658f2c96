// `iac sandbox` and its flags, in this process and, where a kill is the subject, as a process of its own.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { JsonValue } from '../../src/base/json.ts'
import { leaveRunning, runningFile } from '../../src/cli/sandbox/running.ts'
import type { Running } from '../crash/program.ts'
import { environmentFor, startIac } from '../crash/program.ts'
import { newFolder, runCli, testsClock } from './run-cli.ts'
import type { Address } from './serve-sandbox.ts'
import { addressSchema, asking, idIn, named, serving, workspaceOf } from './serve-sandbox.ts'

const statusIn = (answer: JsonValue): number => z.object({ status: z.number() }).parse(answer).status

describe('the flags of iac sandbox', () => {
  test('say how time passes', async () => {
    const mode = async (...words: string[]): Promise<JsonValue> => {
      let clock: JsonValue = null
      await serving(newFolder(), words, async ({ control }) => void (clock = await control('GET', '/clock')))
      return clock
    }
    expect(await mode()).toMatchObject({ body: { mode: 'real', scale: 1 } })
    expect(await mode('--clock', 'frozen')).toMatchObject({ body: { mode: 'frozen' } })
    expect(await mode('--time-scale', '50')).toMatchObject({ body: { mode: 'scaled', scale: 50 } })
    expect(await mode('--clock', 'scaled', '--time-scale', '9')).toMatchObject({ body: { mode: 'scaled', scale: 9 } })
    expect(await mode('--clock', 'jumping')).toMatchObject({ body: { mode: 'jumping' } })
  })

  test('take strains by name, which are no readings', () =>
    serving(newFolder(), ['--strain', 'cursors=keyset'], async ({ control }) => {
      expect(await control('GET', '/health')).toMatchObject({ body: { enforced: { readings: { cursors: 'keyset' } } } })
    }))

  test('choose readings by name, and draw the rest by a seed, which prints them and the settings that they ask for', () =>
    serving(newFolder(), ['--readings-seed', '5', '--reading', 'detachPath=detach', '--reading', 'rateLimit=7'], async ({ control, address }) => {
      expect(address.readings).toMatchObject({ detachPath: 'detach', rateLimit: 7, details: expect.any(String) })
      expect(address['compat']).toMatchObject({ detach_ip: { path: '/v1/commands/detach' } })
      expect(await control('GET', '/health')).toMatchObject({ body: { enforced: { readings: address.readings } } })
    }))

  test('switch faults on from the beginning', () =>
    serving(newFolder(), ['--fault', 'outage'], async ({ api, control }) => {
      expect(await api('GET', '/v1/plans')).toMatchObject({ status: 503 })
      await control('DELETE', '/faults/presets/outage')
      expect(await api('GET', '/v1/plans')).toMatchObject({ status: 200 })
    }))

  test('make each answer of the API come later, whatever the clock, and no other', () =>
    serving(newFolder(), ['--latency', '1s', '--clock', 'frozen'], async ({ api, control }) => {
      const startMs = testsClock.now()
      const late = api('GET', '/v1/plans').then(() => 'the API')
      expect(await Promise.race([late, control('GET', '/health').then(() => 'the control routes')])).toBe('the control routes')
      await late
      expect(testsClock.now() - startMs).toBeGreaterThan(990)
    }))

  test.each([
    ['small-team', { vpcs: 1, instances: 2, online: 2 }],
    ['drifted', { vpcs: 2, instances: 7, online: 6 }],
  ])('begin with the manifests of the package: %s', (preset, expected) =>
    serving(newFolder(), ['--preset', preset, '--clock', 'frozen'], async ({ api, control }) => {
      const wid = await workspaceOf(control)
      const count = async (path: string): Promise<number> =>
        z.object({ body: z.object({ items: z.array(z.unknown()) }) }).parse(await api('GET', `/v1/workspaces/${wid}/${path}`)).body.items.length
      expect({ vpcs: await count('vpcs'), instances: await count('instances'), online: await count('instances?online=true') }).toEqual(expected)
      expect(await control('GET', '/clock')).toMatchObject({ body: { mode: 'frozen', open_workflows: 0 } })
    }),
  )

  test('leave the API to two callers, the owner of the workspace and an operator, and name both', async () => {
    const folder = newFolder()
    await serving(folder, [], async ({ api, address }) => {
      const operator = asking({ ...address, token: address.operator_token }).api
      const statuses = async (ask: typeof api) =>
        Promise.all(['/v1/workflows', '/v1/nodes', '/v1/prices'].map(async (path) => statusIn(await ask('GET', path))))
      expect([await statuses(operator), await statuses(api)]).toEqual([
        [200, 200, 200],
        [403, 400, 403],
      ])
      const { stdout } = await runCli(['sandbox', 'env', '--json'], { folder })
      expect(JSON.parse(stdout)).toEqual({ url: address.url, token: address.token, operator_token: address.operator_token })
    })
  })

  test('offer what a catalogue adds, given or beside the seed', async () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'seed'))
    writeFileSync(join(folder, 'seed/catalogue.yaml'), 'plans:\n  - { name: huge, cpu: 64, memory: 512GiB }\nquota: { max_vpcs: 7 }\n')
    writeFileSync(join(folder, 'seed/a.yaml'), 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: big }\nspec: { type: PLAN, plan: huge, region: fra-1 }\n')
    await serving(folder, ['--seed', 'seed'], async ({ api, control }) => {
      const wid = await workspaceOf(control)
      expect(await api('GET', '/v1/plans')).toMatchObject(named('huge'))
      expect(await api('GET', `/v1/workspaces/${wid}/instances`)).toMatchObject(named('big'))
      expect(await api('GET', `/v1/workspaces/${wid}/quota`)).toMatchObject({ body: { max_vpcs: 7 } })
    })
    await serving(folder, ['--catalogue', 'seed/catalogue.yaml'], async ({ api }) => expect(await api('GET', '/v1/plans')).toMatchObject(named('huge')))
    writeFileSync(join(folder, 'seed/catalogue.yaml'), 'plans:\n  - name: huge\n    memory: lots\n')
    const refused = await runCli(['sandbox', '--seed', 'seed'], { folder })
    expect([refused.code, refused.stderr]).toEqual([
      3,
      expect.stringMatching(/memory must be: a size such as 8GiB, got the text "lots"\n +seed\/catalogue\.yaml:3:\d+/),
    ])
    writeFileSync(join(folder, 'seed/catalogue.yaml'), 'apiVersion: iac/v1\nquota: { max_vpcz: 7 }\n')
    const strange = await runCli(['sandbox', '--catalogue', 'seed/catalogue.yaml'], { folder })
    expect([strange.code, strange.stderr]).toEqual([
      3,
      expect.stringMatching(/no field "apiVersion" exists here\n +seed\/catalogue\.yaml:1:1\n[^]*known here: plans, images/),
    ])
    expect(strange.stderr).toMatch(/no field "max_vpcz" exists here\n +seed\/catalogue\.yaml:2:10\n[^]*did you mean "max_vpcs"\?/)
    expect((await runCli(['sandbox', '--catalogue', 'none.yaml'], { folder })).code).toBe(3)
    writeFileSync(join(folder, 'seed/catalogue.yaml'), Buffer.from([0x23, 0xff]))
    expect((await runCli(['sandbox', '--catalogue', 'seed/catalogue.yaml'], { folder })).stderr).toContain('the file is not UTF-8: byte 2')
  })

  test('say at once where their address cannot be left', async () => {
    expect(() => leaveRunning(runningFile('/proc'), {}, undefined)).toThrow('/proc/.iac/sandbox-running.json cannot be written')
  })

  test('begin with a whole project, its variables and expressions included', async () => {
    await serving(newFolder(), ['--seed', resolve('examples/web-tier')], async ({ api, control }) => {
      const wid = await workspaceOf(control)
      expect(await api('GET', `/v1/workspaces/${wid}/instances`)).toMatchObject(named('web-a', 'database'))
    })
  })

  test('leave seeds out where the folder holds data already', async () => {
    const folder = newFolder()
    const words = ['--data', 'data', '--preset', 'small-team']
    const count = async (): Promise<readonly [number, string]> => {
      let seen: readonly [number, string] = [0, '']
      await serving(folder, words, async ({ api, control, printed }) => {
        const vpcs = z.object({ body: z.object({ items: z.array(z.unknown()) }) }).parse(await api('GET', `/v1/workspaces/${await workspaceOf(control)}/vpcs`))
        seen = [vpcs.body.items.length, printed.stderr]
      })
      return seen
    }
    expect(await count()).toEqual([1, ''])
    expect((await count())[0]).toBe(1)
  })

  test.each([
    [['--reading', 'list=slim'], 'did you mean lists?'],
    [['--reading', 'lists=slimm'], 'did you mean slim?'],
    [['--reading', 'lists'], 'NAME=VALUE'],
    [['--reading', 'pagination=slim'], 'hint: known: lists, details, '],
    [['--reading', 'lists=everything'], 'is one of full, slim'],
    [['--fault', 'outag'], 'did you mean outage?'],
    [['--fault', 'storm'], 'throttle'],
    [['--preset', 'large'], 'small-team'],
    [['--clock', 'fast'], 'jumping'],
    [['--clock', 'frozen', '--time-scale', '2'], '--time-scale does not go with --clock frozen'],
    [['--readings-seed', 'x'], 'must be an integer'],
    [['--reading', 'cursors=keyset'], 'it is a strain'],
    [['--strain', 'lists=slim'], 'it is a reading'],
    [['--strain', 'cursors'], 'needs a value'],
    [['--data', ''], '--data "" names no file or folder'],
    [['--time-scale', '100001'], '100000'],
  ])('%j is a mistake', async (words, expected) => {
    const ran = await runCli(['sandbox', ...words], { folder: newFolder() })
    expect([ran.code, ran.stdout]).toEqual([3, ''])
    expect(ran.stderr).toContain(expected)
  })
})

describe('a folder for the data that holds other things', () => {
  const files = {
    'origin.json': '{"shipped_from":"Rotterdam"}\n',
    'clock.json': '{"clock":"2026-01-01T00:00:00Z"}\n',
    'log-1.jsonl': '{"event":"precious"}\n',
    'log-7.jsonl': '',
    'snapshot.json': '{"taken":"by hand"}\n',
    'snapshot.json.new': 'half\n',
    lock: 'mine\n',
    'notes.txt': 'precious\n',
  }

  test.each(Object.entries(files))('is left as it is: %s', async (name, text) => {
    const folder = newFolder()
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data', name), text)
    const { code, stdout, stderr } = await runCli(['sandbox', '--data', 'data', '--preset', 'drifted'], { folder })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`${join(folder, 'data')} cannot hold the data of a sandbox`)])
    expect(stderr).toContain(`It holds ${name}, and no snapshot.json`)
    expect(stderr).toContain('hint: name an empty folder, or a new one')
    expect([readdirSync(join(folder, 'data')), readFileSync(join(folder, 'data', name), 'utf8')]).toEqual([[name], text])
  })

  test('is one of a sandbox where that was begun already, or was to begin when it was killed', async () => {
    const folder = newFolder()
    const at = (name: string): string => join(folder, 'data', name)
    await serving(folder, ['--data', 'data', '--preset', 'small-team'], async () => undefined)
    writeFileSync(at('notes.txt'), 'mine\n')
    await serving(folder, ['--data', 'data'], async () => undefined)
    expect(readFileSync(at('notes.txt'), 'utf8')).toBe('mine\n')

    const [lock, origin] = ['lock', 'origin.json'].map((name) => readFileSync(at(name), 'utf8'))
    const left = newFolder()
    mkdirSync(join(left, 'data/.iac/preset-drifted'), { recursive: true, mode: 0o700 })
    const hex = '0123456789abcdef'
    const begun = {
      lock,
      'origin.json': origin,
      'log-1.jsonl': '',
      [`lock.own-${hex}${hex}`]: lock,
      [`snapshot.json.${hex}.new`]: '{"gen',
      [`origin.json.${hex}.new`]: '',
    }
    for (const [name, text = ''] of Object.entries(begun)) writeFileSync(join(left, 'data', name), text)
    await serving(left, ['--data', 'data'], async ({ control }) => expect(await control('GET', '/health')).toMatchObject({ status: 200 }))
  })
})

describe('a process that is killed', () => {
  const folder = newFolder()

  async function started(...words: string[]): Promise<ReturnType<typeof asking> & { readonly running: Running; readonly address: Address }> {
    const environment = environmentFor(join(folder, 'home'), {})
    const running = startIac(['sandbox', '--json', '--data', 'data', ...words], { cwd: folder, env: environment })
    while (!running.printed().stdout.includes('\n')) {
      const ended = await Promise.race([running.ended, new Promise<undefined>((resolve) => setTimeout(resolve, 10, undefined))])
      if (ended) throw new Error(ended.stderr)
    }
    const address = addressSchema.parse(JSON.parse(running.printed().stdout))
    return { ...asking(address), running, address }
  }

  test('has lost nothing that it answered, and a restart goes on with the workflows that were running', async () => {
    const first = await started('--clock', 'frozen', '--profile', 'realistic')
    const wid = await workspaceOf(first.control)
    const workflow = idIn(await first.api('POST', `/v1/workspaces/${wid}/k3s`))
    const vpc = idIn(await first.api('POST', `/v1/workspaces/${wid}/vpcs`, { name: 'main', description: '', range: '10.0.0.0/24' }))
    await first.control('POST', '/clock/advance', { ms: 100_000 })
    first.running.child.kill('SIGKILL')
    expect((await first.running.ended).signal).toBe('SIGKILL')

    const second = await started('--clock', 'frozen', '--profile', 'realistic')
    expect(await second.api('GET', `/v1/vpcs/${vpc}`)).toMatchObject({ status: 200, body: { id: vpc, name: 'main' } })
    expect(await second.api('GET', `/v1/workflows/${workflow}`)).toMatchObject({ body: { state: 'RUNNING' } })
    expect(await second.api('GET', `/v1/workspaces/${wid}/k3s`)).toMatchObject({ body: { status: 'PROVISIONING' } })
    await second.control('POST', '/clock/advance', { until: 'idle' })
    expect(await second.api('GET', `/v1/workflows/${workflow}`)).toMatchObject({ body: { state: 'COMPLETED' } })
    expect(await second.api('GET', `/v1/workspaces/${wid}/k3s`)).toMatchObject({ body: { status: 'ACTIVE' } })
    second.running.child.kill('SIGTERM')
    expect((await second.running.ended).code).toBe(143)
  })

  test('has left the instant to which its clock was moved, though nothing happened there', async () => {
    const words = ['--data', 'moved', '--clock', 'frozen']
    const now = async (control: ReturnType<typeof asking>['control']) =>
      z.object({ body: z.object({ now: z.string() }) }).parse(await control('GET', '/clock')).body.now
    const first = await started(...words)
    await first.control('POST', '/clock/advance', { ms: 86_400_000 })
    const moved = await now(first.control)
    first.running.child.kill('SIGKILL')
    await first.running.ended
    const second = await started(...words)
    expect(await now(second.control)).toBe(moved)
    second.running.child.kill('SIGKILL')
    await second.running.ended
    const third = await started('--data', 'moved')
    expect(Date.parse(await now(third.control))).toBeGreaterThanOrEqual(Date.parse(moved))
    third.running.child.kill('SIGKILL')
    await third.running.ended
  })

  test('is not shown as running, not even where another sandbox has its port, and the next one over what it left is', async () => {
    const shown = async (): Promise<readonly [number, string]> => {
      const { code, stdout, stderr } = await runCli(['sandbox', 'env'], { folder })
      return [code, code === 0 ? stdout : stderr]
    }
    const first = await started()
    expect(await shown()).toEqual([0, `export IAC_BASE_URL=${first.address.url}\nexport IAC_TOKEN=${first.address.token}\n`])
    first.running.child.kill('SIGKILL')
    await first.running.ended
    const gone = [3, expect.stringMatching(/no sandbox runs for this project[^]*does not answer there any more/)]
    expect(await shown()).toEqual(gone)
    await serving(newFolder(), ['--port', new URL(first.address.url).port], async () => expect(await shown()).toEqual(gone))

    const second = await started()
    expect(await shown()).toEqual([0, expect.stringContaining(second.address.url)])
    second.running.child.kill('SIGINT')
    expect((await second.running.ended).code).toBe(0)
    expect(await shown()).toEqual([3, expect.stringContaining('no sandbox runs')])
  })
})

test('sandbox env tells what of the disk keeps it from its file', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, '.iac'), { mode: 0o700 })
  const file = runningFile(folder)
  const server = createServer()
  await new Promise<void>((listening) => server.listen(file, () => listening()))
  const { code, stderr } = await runCli(['sandbox', 'env'], { folder })
  await new Promise((closed) => server.close(closed))
  expect([code, stderr]).toEqual([1, expect.stringContaining(`error: ${file}: something else than a regular file is in its place\n`)])
})
