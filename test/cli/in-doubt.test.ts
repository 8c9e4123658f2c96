// What a lost request left in doubt of one object, beside another that declares the same field: who looks at it must not matter.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intentOf } from '../builders/journal.ts'
import { begunOn, leave, storeAt } from '../builders/left-lines.ts'
import { manifest } from '../builders/project.ts'
import { benchOf } from './service-bench.ts'

const vpc = (name: string): string => manifest('Vpc', name, 'description: x\nrange: 10.0.0.0/24')
const instance = (name: string, more = '', timeouts = ''): string =>
  manifest('Instance', name, `type: PLAN\nplan: ryzen-4\nregion: fra-1\n${more}`, `lifecycle: {}\n${timeouts}`)
const beside = vpc('main') + instance('b', 'vpcs: [main]')

test.each(['', 'firewall_enabled: false'])('a saved plan holds as long as nothing changed: %s', async (more) => {
  const bench = await benchOf(beside + instance('a'))
  const wants = (text: string): void => writeFileSync(join(bench.folder, 'main.yaml'), beside + text)
  wants(instance('a', 'vpcs: [main]', 'timeouts: { update: 2s }'))
  bench.sandbox.faults.hook = ({ operation }) => (operation === 'joinVpc' ? { reset: 'before' as const } : undefined)
  expect(await bench.run(['apply', '--auto-approve'])).toMatchObject({ code: 8 })
  bench.sandbox.faults.hook = undefined
  wants(instance('a'))
  // Settles the lost request first.
  expect(await bench.run(['power', 'Instance/a', 'on', '--auto-approve'])).toMatchObject({ code: 0 })
  expect((await bench.run(['state', 'show', 'Instance/a'])).stdout).toMatch(/uncertain += \[\n +"vpcs"/)
  wants(instance('a', more) + vpc('other'))
  expect(await bench.run(['plan', '--out', 'p.json'])).toMatchObject({ code: 0 })
  expect(await bench.run(['apply', 'p.json', '--auto-approve'])).toMatchObject({ code: 0 })
  expect((await bench.run(['state', 'show', 'Instance/a'])).stdout).not.toContain('uncertain')
})

test('what only somebody who knows can settle is told as that, with no time and no advice to run again', async () => {
  const bench = await benchOf(instance('a'))
  writeFileSync(join(bench.folder, 'main.yaml'), instance('a') + instance('b') + vpc('main'))
  const [{ id: workspace_id = '' } = {}] = JSON.parse((await bench.run(['get', 'workspaces', '--json'])).stdout)
  const store = await storeAt(join(bench.folder, '.iac/state.json'))
  const sets = { name: 'main', description: 'x', range: '10.0.0.0/24' }
  const about = { address: 'Vpc/main', workspace_id, step: 'create', natural_key: `${sets.name} ${sets.range}`, sets } as const
  await leave(store, [await begunOn(store, 'killed'), intentOf(900, { ...about, creates: true, sent_at: 0 })])
  const fields = Object.entries(sets).flatMap(([name, value]) => ['-f', `${name}=${value}`])
  for (const _ of [1, 2]) expect(await bench.run(['api', 'POST', `/v1/workspaces/${workspace_id}/vpcs`, ...fields])).toMatchObject({ code: 0 })
  const stuck = await bench.run(['apply', '--auto-approve'])
  expect(stuck).toMatchObject({ code: 8, stdout: expect.stringContaining('1 added') })
  expect(stuck.stderr).toMatch(/^Vpc\/main: Creation not settled: the outcome of its create is unknown, and several objects fit: \d+, \d+$/m)
  expect(stuck.stderr).toMatch(/^error: Vpc\/main: .*\n {2}main\.yaml:\d+:9\n +\d+ \| {3}name: main\n/m)
  expect(stuck.stderr).toMatch(/running again ends so, too, until what stays open is settled by `iac import 'Vpc\/main' ID`\.\n$/)
})

test('what differs from a lost create is told with both ways out in the last line, too', async () => {
  const bench = await benchOf(instance('a'))
  writeFileSync(join(bench.folder, 'main.yaml'), instance('a') + vpc('main'))
  const [{ id: workspace_id = '' } = {}] = JSON.parse((await bench.run(['get', 'workspaces', '--json'])).stdout)
  const store = await storeAt(join(bench.folder, '.iac/state.json'))
  const sets = { name: 'main', description: 'x', range: '10.0.0.0/24' }
  const about = { address: 'Vpc/main', workspace_id, step: 'create', natural_key: `${sets.name} ${sets.range}`, sets } as const
  await leave(store, [await begunOn(store, 'killed'), intentOf(900, { ...about, creates: true, sent_at: 0 })])
  const theirs = Object.entries({ ...sets, description: 'theirs' }).flatMap(([name, value]) => ['-f', `${name}=${value}`])
  expect(await bench.run(['api', 'POST', `/v1/workspaces/${workspace_id}/vpcs`, ...theirs])).toMatchObject({ code: 0 })
  const stuck = await bench.run(['apply', '--auto-approve'])
  expect([stuck.code, stuck.stderr]).toEqual([8, expect.stringContaining('differs from what was asked for in description\n')])
  expect(stuck.stderr).toMatch(/running again ends so, too, until what stays open is settled by `iac import 'Vpc\/main' \d+` or `iac state rm Vpc\/main`\.\n$/)
})
