// `iac get`: an afternoon of looking: tables, filters, addresses for other commands, and looking again.
import { describe, expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { operatingBench } from './operating-bench.ts'

const instance = (name: string, more = ''): string => manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`)
const disk = manifest('Disk', 'data', 'size: 10GiB\nbackend: CEPH\nregion: fra-1\ninstance: b')
const two = `${instance('b')}${instance('a', 'power: "OFF"')}${disk}`

describe('a table', () => {
  test('is sorted by name, and says the names of plans and instances', async () => {
    const { run } = await operatingBench(two)
    const { stdout } = await run(['get', 'instances'])
    expect(stdout).toMatch(/^NAME +[^\n]*PLAN[^\n]* ID\na +[^\n]* ryzen-4 [^\n]*\nb +[^\n]* ryzen-4 [^\n]*\n$/)
    expect((await run(['get', 'disks', 'data'])).stdout).toMatch(
      /^NAME +STATE +SIZE +BACKEND +REGION +INSTANCE +ID\ndata +AVAILABLE +10 GiB +CEPH +fra-1 +b +\d+\n$/,
    )
    const wide = await run(['get', 'disks', 'data', '-o', 'wide'])
    expect(wide.stdout).toMatch(/^data +AVAILABLE .* \d{19} +\d{19}$/m)
  })

  test('fits a terminal', async () => {
    const { run } = await operatingBench(two)
    const { stdout } = await run(['get', 'instances'], { terminal: { columns: 60, rows: 24 } })
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(stdout).toMatch(/^NAME .* ID\n/)
  })

  test('of all workspaces says in which', async () => {
    const { run } = await operatingBench(two)
    await run(['api', 'POST', '/v1/workspaces', '-f', 'name=second'])
    expect((await run(['get', 'instances'])).code).toBe(3)
    expect((await run(['get', 'instances', '--all-workspaces'])).stdout).toMatch(/^NAME +WORKSPACE [^]*\na +default /)
  })
})

describe('filters', () => {
  test('are those of the list, and what they leave goes to other commands', async () => {
    const { run } = await operatingBench(two)
    const off = await run(['get', 'instances', '--online', 'false', '-o', 'name'])
    expect(off.stdout).toBe('Instance/a\n')
    expect(await run(['power', off.stdout.trim(), 'on'])).toMatchObject({ code: 0, stdout: 'Instance/a: powered on.\n' })
    expect((await run(['get', 'instances', '--online', 'FALSE'])).stderr).toBe('no instances\n')
    expect((await run(['get', 'instances', '--name', 'b', '--state', 'available', '-o', 'name'])).stdout).toBe('Instance/b\n')
    expect((await run(['get', 'disks', '--boot', 'false', '--backend', 'local', '--backend', 'CEPH', '-o', 'name'])).stdout).toBe('Disk/data\n')
  })

  test.each([
    [['vpcs', '--online', 'true'], 'vpcs cannot be listed by --online: the service takes --q, --name, --description'],
    [['instances', '--online', 'maybe'], '--online maybe: it is one of true, false'],
    [['instances', '--state', 'gone'], '--state gone: it is one of PENDING'],
    [['instances', '--online', 'true', '--online', 'false'], 'given once'],
    [['instances', '--json', '-o', 'name'], '--json excludes --output name'],
    [['instances', '--watch', '--json'], '--watch shows a table, and excludes --json'],
    [['instances', '-o', 'toml'], '--output must be one of wide, json, yaml, name'],
  ])('refuse %j', async (words, said) => {
    const { run } = await operatingBench('')
    expect(await run(['get', ...words])).toMatchObject({ code: 3, stderr: expect.stringContaining(said) })
  })
})

test('a name that several have is told by its id', async () => {
  const { run } = await operatingBench(manifest('Vpc', 'main', 'description: d\nrange: 10.0.0.0/24'))
  const [workspace] = JSON.parse((await run(['get', 'workspaces', '--json'])).stdout)
  await run(['api', 'POST', `/v1/workspaces/${workspace.id}/vpcs`, '-f', 'name=main', '-f', 'description=d', '-f', 'range=10.9.0.0/24'])
  expect((await run(['get', 'vpcs', '-o', 'name'])).stdout).toMatch(/^Vpc\/\d+\nVpc\/\d+\n$/)
  expect(JSON.parse((await run(['get', 'vpcs', '-o', 'json'])).stdout)).toHaveLength(2)
})

test('what is watched in a pipe is told as it changes and goes, until ^C', async () => {
  const bench = await operatingBench(two)
  const looked = (times: number): Promise<void> =>
    new Promise((resolve) => {
      let count = 0
      bench.sandbox.faults.hook = ({ operation }) => {
        count += operation === 'listInstances' ? 1 : 0
        if (count >= times) resolve()
        return undefined
      }
    })
  const once = looked(2)
  const watching = bench.until(['get', 'instances', '--watch'], 'is gone')
  await once
  await bench.run(['power', 'Instance/b', 'off', '--auto-approve'])
  await looked(2)
  await bench.run(['destroy', '--auto-approve', '--target', 'Instance/a'])
  const { code, stdout } = await watching
  expect(code).toBe(130)
  expect(stdout).toMatch(/^a {2}[^\n]*\nb {2}[^\n]* true [^\n]*\n[^]*^b {2}[^\n]* false [^\n]*\n[^]*^Instance\/\d+ is gone$/m)
})

test('what is watched on a terminal that it just fits keeps its ids whole', async () => {
  const bench = await operatingBench(two)
  const { stdout: whole } = await bench.run(['get', 'instances'], { terminal: { columns: 400, rows: 24 } })
  const columns = Math.max(...whole.split('\n').map((line) => line.length))
  const watched = await bench.until(['get', 'instances', '--watch'], 'AVAILABLE', { terminal: { columns, rows: 24 } })
  expect(watched.stdout).not.toContain('…')
  for (const { id } of bench.sandbox.world.tables.instances.all()) expect(watched.stdout).toContain(id)
})
