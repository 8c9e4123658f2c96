// A disk that keeps the journal's lines and not the state: what was recorded is done, so that no command says that nothing was changed, or takes back what it rests on.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import { operatingBench } from './operating-bench.ts'
import { testsClock } from './run-cli.ts'

const vpc = (name: string): string => manifest('Vpc', name, `name: ${name}-net\ndescription: of ${name}\nrange: 10.20.0.0/24`)
const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1\npower: "ON"')

const inTheWay = ({ folder }: OperatingBench): readonly string[] => Array.from({ length: 40 }, (_, at) => join(folder, '.iac', `state.json.journal.${at}`))

type Asked = { readonly operation?: string | undefined; readonly method: string }

/** From a request of this sort on no state can be written, until the disk is free again; it is answered so, if that is given. */
function fill(bench: OperatingBench, when: (request: Asked) => boolean, answer?: { readonly status: number }): void {
  bench.sandbox.faults.hook = (request) => {
    if (!when(request)) return undefined
    for (const path of inTheWay(bench)) mkdirSync(join(path, 'full'), { recursive: true })
    return answer
  }
}

const locks = ({ folder }: OperatingBench): readonly string[] =>
  readdirSync(join(folder, '.iac')).flatMap((name) => (name.includes('.lock') ? [join(folder, '.iac', name)] : []))

function free(bench: OperatingBench): void {
  bench.sandbox.faults.hook = undefined
  for (const path of inTheWay(bench)) rmSync(path, { recursive: true, force: true })
}

/** A project that manages no network, at a service that holds one. */
async function stray(): Promise<OperatingBench & { readonly id: string }> {
  const bench = await operatingBench(vpc('stray'))
  const [{ id }] = JSON.parse((await bench.run(['get', 'vpcs', '--json'])).stdout)
  expect((await bench.run(['state', 'rm', 'Vpc/stray'])).code).toBe(0)
  rmSync(join(bench.folder, 'main.yaml'))
  return { ...bench, id }
}

const manifests = ({ folder }: OperatingBench): readonly string[] => readdirSync(folder).filter((one) => one.endsWith('.yaml'))

describe('an import that writes manifests', () => {
  test.each([
    ['--all', () => ['--all', '--kind', 'Vpc']],
    ['--generate', (id: string) => ['--generate', 'Vpc/stray', id]],
  ])('%s keeps them where the journal holds what they declare, and ends with 8', async (_, words) => {
    const bench = await stray()
    const twin = await stray()
    let looks = 0
    twin.sandbox.faults.hook = ({ method }) => void (looks += method === 'GET' ? 1 : 0)
    expect((await twin.run(['import', ...words(twin.id)])).code).toBe(0)
    fill(bench, ({ method }) => method === 'GET' && (looks -= 1) === 0)
    const { code, stdout, stderr } = await bench.run(['import', ...words(bench.id)])
    expect([code, stdout]).toEqual([8, ''])
    expect(stderr).toMatch(/the state could not be written[^]*the journal holds it/)
    expect(manifests(bench)).toHaveLength(1)
    free(bench)
    expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 0, stdout: expect.stringContaining('0 destroyed') })
    expect(bench.sandbox.world.tables.vpcs.get(bench.id)).toBeDefined()
  })

  test('writes none where it is refused, whatever it was asking for, and no other run sees any before it has the lock', async () => {
    const bench = await stray()
    const seen: number[] = []
    let refuses = 0
    for (let code: number | undefined = 4; code !== 0; refuses += 1) {
      let asked = 0
      bench.sandbox.faults.hook = ({ method }) => {
        seen.push(manifests(bench).length)
        return method === 'GET' && (asked += 1) > refuses ? { status: 403 } : undefined
      }
      ;({ code } = await bench.run(['import', '--all', '--kind', 'Vpc']))
      expect([refuses, code, manifests(bench)]).toEqual([refuses, code === 0 ? 0 : 4, code === 0 ? ['vpcs.yaml'] : []])
    }
    expect([refuses > 3, new Set(seen)]).toEqual([true, new Set([0])])
  })
})

test('an import under a manifest that is there ends with 8, and is recorded', async () => {
  const bench = await stray()
  writeFileSync(join(bench.folder, 'main.yaml'), vpc('stray'))
  fill(bench, ({ operation }) => operation === 'getVpc' || operation === 'listVpcs')
  expect(await bench.run(['import', 'Vpc/stray', bench.id])).toMatchObject({ code: 8, stderr: expect.stringContaining('the state could not be written') })
  free(bench)
  expect((await bench.run(['plan'])).stdout).toContain('No changes.')
})

test('a refresh that recorded what it saw ends with 8', async () => {
  const bench = await operatingBench(vpc('main'))
  const { vpcs } = bench.sandbox.world.tables
  vpcs.update(vpcs.all()[0]?.id ?? '', { description: 'by hand' })
  fill(bench, ({ operation }) => operation === 'getVpc' || operation === 'listVpcs')
  expect(await bench.run(['apply', '--refresh-only', '--auto-approve'])).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('the state could not be written'),
  })
  free(bench)
  expect((await bench.run(['state', 'show', 'Vpc/main'])).stdout).toContain('by hand')
})

test.each([[[]], [['--refresh-only']]])('a plan that is refused tells what is still open beside it: %j', async (flags) => {
  const bench = await operatingBench(vpc('main'))
  const slow = (name: string): string => manifest('Instance', name, 'type: PLAN\nplan: ryzen-4\nregion: fra-1', 'timeouts: { create: 1s }')
  writeFileSync(join(bench.folder, 'more.yaml'), slow('one') + slow('two'))
  const create = { operation: 'instance.create' }
  bench.sandbox.world.courses.push({ ...create, outcome: 'RUNNING' }, { ...create, outcome: 'COMPLETED', durationMs: 3000 })
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(8)
  await testsClock.sleep(4000)
  fill(bench, () => true)
  const { code, stderr } = await bench.run(['apply', ...flags, '--auto-approve', '--target', 'Vpc/nosuch'])
  expect([code, stderr]).toEqual([8, expect.stringContaining('the state could not be written')])
  expect(stderr).toContain('code: operation_timeout')
})

describe('what is done by hand', () => {
  const off = ['power', 'Instance/web', 'off', '--auto-approve']

  test('ends with 8 where it was done', async () => {
    const bench = await operatingBench(web)
    fill(bench, ({ operation }) => operation === 'powerInstance')
    const { code, stderr } = await bench.run(off)
    expect([code, stderr]).toEqual([8, expect.stringContaining('the state could not be written')])
    free(bench)
    expect(JSON.parse((await bench.run(['get', 'Instance', 'web', '--json'])).stdout).online).toBe(false)
    expect((await bench.run(['state', 'show', 'Instance/web'])).stdout).toContain('"OFF"')
  })

  test.each([401, 403])('ends with 4 where it was refused with %i, and tells of both', async (status) => {
    const bench = await operatingBench(web)
    fill(bench, ({ operation }) => operation === 'powerInstance', { status })
    const { code, stderr } = await bench.run(off)
    expect([code, stderr]).toEqual([4, expect.stringContaining('the state could not be written')])
    expect(stderr).toContain('code: unauthorized')
  })

  test('tells once that its lock was lost', async () => {
    const bench = await operatingBench(web)
    bench.sandbox.faults.hook = ({ operation }) => {
      if (operation === 'powerInstance') for (const path of locks(bench)) rmSync(path)
      return undefined
    }
    const { code, stderr } = await bench.run(off)
    expect([code, stderr.match(/the lock of \S+ was lost/g)]).toEqual([8, [expect.any(String)]])
  })

  test('still tells what went wrong with it', async () => {
    const bench = await operatingBench(web)
    bench.sandbox.world.courses.push({ operation: 'instance.power', outcome: 'FAILED' })
    fill(bench, ({ operation }) => operation === 'powerInstance')
    const { code, stderr } = await bench.run(off)
    expect([code, stderr]).toEqual([8, expect.stringMatching(/the workflow \S+ ended FAILED[^]*the state could not be written/)])
  })
})
