// A create that was sent into a workspace which this caller does not see, and of which nothing is recorded yet: a plan says what its apply would.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intentOf } from '../builders/journal.ts'
import { begunOn, leave, storeAt } from '../builders/left-lines.ts'
import { manifest } from '../builders/project.ts'
import { benchOf } from './service-bench.ts'

test('ends a plan, and a drift, as it ends their apply, until it is forgotten', async () => {
  const [instance, vpc] = [manifest('Instance', 'a', 'type: PLAN\nplan: ryzen-4\nregion: fra-1'), manifest('Vpc', 'main', 'description: x\nrange: 10.0.0.0/24')]
  const bench = await benchOf(instance)
  writeFileSync(join(bench.folder, 'main.yaml'), instance + vpc)
  const store = await storeAt(join(bench.folder, '.iac/state.json'))
  const sets = { name: 'main', description: 'x', range: '10.0.0.0/24' }
  const about = { address: 'Vpc/main', workspace_id: '77', step: 'create', natural_key: `${sets.name} ${sets.range}`, sets } as const
  await leave(store, [await begunOn(store, 'killed'), intentOf(900, { ...about, creates: true, sent_at: 0 })])
  for (const words of [['plan'], ['plan', '--refresh=false'], ['drift'], ['apply', '--auto-approve'], ['destroy', '--auto-approve']]) {
    const refused = await bench.run(words)
    expect([words, refused.code, refused.stderr]).toEqual([words, 9, expect.stringContaining('workspace 77 of the state is not visible to this caller')])
  }
  expect(await bench.run(['state', 'rm', 'Vpc/main', '--auto-approve'])).toMatchObject({ code: 0 })
  expect(await bench.run(['plan'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
})
