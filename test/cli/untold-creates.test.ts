// Creates of what nothing reads that stay open, for which each run ends with 8: the command that its text names ends that.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { intentOf } from '../builders/journal.ts'
import { begunOn, leave, storeAt } from '../builders/left-lines.ts'
import { manifest } from '../builders/project.ts'
import type { OperatingBench } from './operating-bench.ts'
import type { Ran } from './run-cli.ts'
import { benchOf } from './service-bench.ts'

const instance = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-4\nregion: fra-1')
const app = manifest('App', 'orders', 'instance: web\ntemplate_id: { name: postgres }\nenvironment: { POSTGRES_DB: orders, ADVERTISED: null }')

/** A project of which a run that was killed has left the create open. */
async function leftOpen(): Promise<OperatingBench> {
  const bench = await benchOf(instance, { readings: { workflowData: 'none' } })
  writeFileSync(join(bench.folder, 'main.yaml'), instance + app)
  bench.sandbox.faults.hook = ({ operation }) => (operation === 'deployApp' ? { reset: 'after' } : undefined)
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(8)
  bench.sandbox.faults.hook = undefined
  return bench
}

/** The words of the one command that the hints of a run name for what stays open. */
function namedBy({ stderr }: Ran): readonly string[] {
  const told = stderr.split('\nwarning: ').filter((one) => one.includes('it stays open, and a run ends with 8 for it'))
  const commands = new Set(told.map((one) => /hint: `iac ([^`]+)`/.exec(one)?.[1] ?? one))
  expect(commands.size).toBe(1)
  return [...commands].flatMap((one) => one.split(' '))
}

async function endedBy({ run }: OperatingBench, words: readonly string[]): Promise<void> {
  expect(await run([...words, '--auto-approve'])).toMatchObject({ code: 0 })
  expect((await run(['status'])).stdout).toContain('Nothing is unfinished.')
}

test('beside what was imported at its address the command leaves that recorded', async () => {
  const bench = await leftOpen()
  const { id = '' } = bench.sandbox.world.tables.apps.all()[0] ?? {}
  const imported = await bench.run(['import', 'App/orders', id])
  expect(imported.code).toBe(0)
  const stuck = await bench.run(['apply', '--auto-approve'])
  expect(stuck).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('running again ends so, too, until what stays open is settled by `iac state rm App/orders`.\n'),
  })
  expect([namedBy(imported), namedBy(stuck)]).toEqual([
    ['state', 'rm', 'App/orders'],
    ['state', 'rm', 'App/orders'],
  ])
  await endedBy(bench, namedBy(stuck))
  expect(JSON.parse((await bench.run(['state', 'show', 'App/orders', '--json'])).stdout)).toMatchObject({ id })
  expect((await bench.run(['plan', '--detailed-exitcode'])).code).toBe(0)
  expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
  expect(bench.sandbox.world.tables.apps.all()).toHaveLength(1)
})

test('the stream of a run tells it as a warning', async () => {
  const { run, sandbox } = await leftOpen()
  await run(['import', 'App/orders', sandbox.world.tables.apps.all()[0]?.id ?? ''])
  const { stdout } = await run(['apply', '--auto-approve', '--json'])
  const warned = stdout.split('\n').flatMap((line) => (line.includes('it stays open') ? [JSON.parse(line)] : []))
  expect(warned.at(-1)).toMatchObject({
    type: 'diagnostic',
    diagnostic: { severity: 'warning', code: 'advice', address: 'App/orders', hint: expect.stringContaining('`iac state rm App/orders`') },
  })
})

describe('after a destroy that was killed once its instance was gone', () => {
  /** What is left then: the create alone. */
  async function killedLate(): Promise<OperatingBench> {
    const bench = await benchOf('')
    writeFileSync(join(bench.folder, 'main.yaml'), instance)
    expect((await bench.run(['apply', '--auto-approve'])).code).toBe(0)
    expect((await bench.run(['destroy', '--auto-approve'])).code).toBe(0)
    const [{ id: workspace_id = '' } = {}] = JSON.parse((await bench.run(['get', 'workspaces', '--json'])).stdout)
    const store = await storeAt(join(bench.folder, '.iac/state.json'))
    const about = { address: 'App/orders', kind: 'App', workspace_id, step: 'create', natural_key: 'orders' } as const
    const sets = { instance: '1234567', name: 'orders' }
    await leave(store, [await begunOn(store, 'killed'), intentOf(900, { ...about, creates: true, sets, sent_at: Date.now() })])
    writeFileSync(join(bench.folder, 'main.yaml'), instance + app)
    return bench
  }
  test.each<[string, readonly string[], number]>([
    ['a plan to destroy has nothing to do', ['plan', '--destroy', '--detailed-exitcode'], 0],
    ['a plan of its manifest makes all anew', ['plan', '--detailed-exitcode'], 2],
  ])('each destroy ends with 8, and once the command was run %s', async (_, words, code) => {
    const bench = await killedLate()
    expect((await bench.run(['destroy', '--auto-approve'])).code).toBe(8)
    const stuck = await bench.run(['destroy', '--auto-approve'])
    expect(namedBy(stuck)).toEqual(['state', 'rm', 'App/orders'])
    expect(stuck.stderr).toContain('until what stays open is settled by `iac state rm App/orders`.\n')
    await endedBy(bench, namedBy(stuck))
    expect((await bench.run(words)).code).toBe(code)
    expect((await bench.run(['destroy', '--auto-approve'])).code).toBe(0)
  })
})
