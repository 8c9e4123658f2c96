// `iac workflows`: an afternoon with what the service does.
import { expect, test } from 'vitest'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { manifest } from '../builders/project.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { operatingBench } from './operating-bench.ts'

const web = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')
const disk = manifest('Disk', 'data', 'size: 10GiB\nbackend: CEPH\nregion: fra-1')

test('lists what was done, the newest first, by state, instance, instant and number', async () => {
  const { run } = await operatingBench(web + disk)
  await run(['power', 'Instance/web', 'cycle', '--auto-approve'])
  const { code, stdout } = await run(['workflows'])
  const [head, first, ...rest] = stdout.trimEnd().split('\n')
  expect([code, head?.split(/ +/), first?.split(/ +/).slice(0, 2), rest.length]).toEqual([
    0,
    ['NAME', 'STATE', 'ABOUT', 'STARTED', 'TAKEN', 'ID'],
    ['instance.power', 'COMPLETED'],
    2,
  ])
  const listed = async (...words: string[]): Promise<string[]> =>
    JSON.parse((await run(['workflows', '--json', ...words])).stdout).map((one: { readonly name: string }) => one.name)
  expect(await listed('--limit', '1')).toEqual(['instance.power'])
  expect((await listed('--instance', 'Instance/web')).toSorted()).toEqual(['instance.create', 'instance.power'])
  expect(await listed('--state', 'failed', '--state', 'RUNNING')).toEqual([])
  expect(await listed('--state', 'queued')).toEqual([])
  expect((await listed('--since', '1h')).length).toBe(3)
  expect(await listed('--since', '2100-01-01')).toEqual([])
})

test('those that are queued are found behind newer ones, though the service does not filter by that alone', async () => {
  const { run } = await operatingBench(web + disk, { courses: [{ operation: 'instance.power', outcome: 'QUEUED' }] })
  await run(['power', 'Instance/web', 'cycle', '--auto-approve', '--no-wait'])
  const { id } = JSON.parse((await run(['get', 'disks', 'data', '--json'])).stdout)
  await run(['api', 'DELETE', `/v1/disks/${id}`, '--auto-approve', '--wait'])
  const listed = async (state: string, limit: string): Promise<string[]> =>
    JSON.parse((await run(['workflows', '--json', '--state', state, '--limit', limit])).stdout).map((one: { readonly name: string }) => one.name)
  expect([await listed('queued', '1'), await listed('completed', '1'), await listed('queued', '9')]).toEqual([
    ['instance.power'],
    ['disk.delete'],
    ['instance.power'],
  ])
})

test('of a service whose pages are small more are read than one of them holds', async () => {
  const { run, sandbox } = await operatingBench(web, { readings: { maxPageSize: 50 } })
  const { workflows } = sandbox.world.tables
  const [made] = workflows.all()
  if (!made) throw new Error('the create of an instance is a workflow')
  const { id, ...like } = made
  for (let count = 0; count < 60; count += 1) workflows.insert(like)
  const { code, stdout } = await run(['workflows', '--limit', '55', '--json'])
  expect([code, new Set(JSON.parse(stdout).map((one: { readonly id: string }) => one.id)).size]).toEqual([0, 55])
  expect(await run(['workflows', id.slice(0, 35)])).toMatchObject({ code: 0, stdout: expect.stringContaining(id) })
})

test('says what it was about: by the state, by what is live, and by kind and id of what is gone', async () => {
  const { run } = await operatingBench(web + disk)
  const about = async (): Promise<readonly (string | undefined)[]> =>
    (await run(['workflows'])).stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/)[2])
      .toSorted()
  expect(await about()).toEqual(['Disk/data', 'Instance/web'])
  for (const address of ['Disk/data', 'Instance/web']) await run(['state', 'rm', address])
  expect(await about()).toEqual(['Disk/data', 'Instance/web'])
  const { id } = JSON.parse((await run(['get', 'disks', 'data', '--json'])).stdout)
  await run(['api', 'DELETE', `/v1/disks/${id}`, '--auto-approve', '--wait'])
  expect(await about()).toEqual(expect.arrayContaining([`Disk/${id}`, 'Instance/web']))
})

test('on a narrow terminal ids are cut to what tells them apart, and so much of one is taken', async () => {
  const { run } = await operatingBench(web + disk)
  const { stdout } = await run(['workflows'], { terminal: { columns: 60, rows: 24 } })
  const [head, first = ''] = stdout.split('\n')
  expect(head?.split(/ +/)).toEqual(['NAME', 'STATE', 'ABOUT', 'ID'])
  const part = first.split(/ +/).at(-1) ?? ''
  expect(part.length).toBeLessThan(36)
  expect((await run(['workflows', part])).stdout).toMatch(new RegExp(`^id +${part}[0-9a-f-]+\n[^]*about +(?:Disk/data|Instance/web)\n`))
  expect(await run(['workflows', 'ffffffff'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('none of the newest 100 workflows has an id that begins with ffffffff'),
  })
})

test('one shows its activities with their attempts', async () => {
  const { run } = await operatingBench(web)
  const [{ id }] = JSON.parse((await run(['workflows', '--json'])).stdout)
  const { stdout } = await run(['workflows', id])
  expect(stdout).toMatch(
    /^id {8}[0-9a-f-]{36}\nname {6}instance\.create\nstate {5}COMPLETED\n[^]*\nprogress {2}(\d+)\/\1\n\nACTIVITY +STATUS +ATTEMPT\n(?:\S+ +COMPLETED +1\/3\n)+$/,
  )
  const document = JSON.parse((await run(['workflows', id, '--json'])).stdout)
  expect(schemaProblems(allSchemas(kinds)['workflow.schema.json'] ?? {}, document)).toEqual([])
  expect(document.progress.activities[0]).toEqual({ name: expect.any(String), status: 'COMPLETED', attempt: 1, limit: 3 })
})

test('one that is watched in a pipe tells each change, and ends as the workflow does', async () => {
  const bench = await operatingBench(web, { courses: [{ operation: 'instance.power', outcome: 'FAILED', durationMs: 3000 }] })
  const started = await bench.run(['power', 'Instance/web', 'cycle', '--auto-approve', '--no-wait', '--json'])
  const id: string = JSON.parse(started.stdout).workflow_id
  const watched = await bench.run(['workflows', id, '--watch'])
  expect(watched.code).toBe(8)
  expect(watched.stdout).toMatch(/^instance\.power: RUNNING\n[^]*: FAILED\n[^]*^instance\.power: FAILED\n$/m)
  expect(watched.stdout).not.toContain('\u001b')
  const done = await bench.run(['workflows', '--json'])
  const completed: string = JSON.parse(done.stdout).find((one: { readonly state: string }) => one.state === 'COMPLETED').id
  expect((await bench.run(['workflows', completed, '--watch'])).code).toBe(0)
})

test('on a terminal it is drawn in place, cut to its size', async () => {
  const bench = await operatingBench(web, { courses: [{ operation: 'instance.power', outcome: 'COMPLETED', durationMs: 2500 }] })
  const { stdout } = await bench.run(['power', 'Instance/web', 'cycle', '--auto-approve', '--no-wait', '--json'])
  const watched = await bench.run(['workflows', JSON.parse(stdout).workflow_id, '-w'], { terminal: { columns: 30, rows: 6 } })
  expect(watched.code).toBe(0)
  const [first = '', ...frames] = watched.stdout.split('\r\u001b[5A\u001b[J')
  expect(frames.length).toBeGreaterThan(0)
  for (const frame of [first, ...frames]) {
    const lines = frame.trimEnd().split('\n')
    expect([lines.length, Math.max(...lines.map((line) => line.length)) < 30, lines.at(-1)]).toEqual([5, true, expect.stringMatching(/^… and \d+ more lines$/)])
  }
})

test('a list that is watched tells what is new until ^C, which is 130', async () => {
  const bench = await operatingBench(web)
  const watching = bench.until(['workflows', '--watch'], 'instance.power')
  await bench.run(['power', 'Instance/web', 'cycle', '--auto-approve'])
  const { code, stdout } = await watching
  expect([code, stdout.match(/instance\.create/g)?.length, stdout]).toEqual([130, 1, expect.stringMatching(/instance\.create[^]*instance\.power {2}COMPLETED/)])
})

test.each([
  [['x'], '"x" is no id of a workflow', 3],
  [['f'], 'none of the newest 100 workflows has an id that begins with f', 3],
  [['00000000-0000-0000-0000-000000000000'], 'the service knows no workflow', 3],
  [['--state', 'gone'], '--state GONE: a state is one of', 3],
  [['--since', 'x'], '--since x: write a duration', 3],
  [['--since', '1h', '--limit', '3'], '--since excludes --limit', 3],
  [['--watch', '--json'], '--watch is for people', 3],
  [['--instance', 'Vpc/main'], 'this is for Instance, not for Vpc', 3],
  [['--all'], '403', 4],
])('refuses %j', async (words, said, code) => {
  const { run } = await operatingBench('')
  expect(await run(['workflows', ...words])).toMatchObject({ code, stderr: expect.stringContaining(said) })
})
