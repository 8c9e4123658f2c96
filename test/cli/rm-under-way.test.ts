// `iac state rm` of what is under way: no run can settle what was accepted and never shows, so that letting go of it is asked, and told loudly.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { serveSandbox } from '../../src/sandbox/server.ts'
import type { Entry, Intent } from '../../src/state/record.ts'
import { intentOf } from '../builders/journal.ts'
import { begunOn, leave, storeAt } from '../builders/left-lines.ts'
import { newFolder, patientClock, runCli, surroundingsFor, testsClock } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const sentAt = Date.UTC(2026, 10, 30, 1, 2, 3)
const workflow = '0192d5a0-7c1e-7d2f-9f3a-5b6c7d8e9f00'
const shop = 'apiVersion: iac/v1\nkind: Workspace\nmetadata: { name: shop, timeouts: { create: 1s } }\nspec: { name: shop-prod }\n'

interface Bench {
  readonly folder: string
  run(...words: string[]): Promise<Ran>
  answering(stdin: string, ...words: string[]): Promise<Ran>
}

/** A project whose state holds `Vpc/main`, and whose journal these lines of a run that was killed. */
async function killedRun(lines: readonly Entry[], manifest?: string): Promise<Bench> {
  const folder = newFolder()
  await runCli(['init'], { folder })
  expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
  if (manifest !== undefined) writeFileSync(join(folder, 'infra/more.yaml'), manifest)
  await leaveAt(join(folder, '.iac/sandbox/state.json'), lines)
  return {
    folder,
    run: (...words) => runCli([...words, '--sandbox'], { folder }),
    answering: (stdin, ...words) => runCli([...words, '--sandbox'], { folder, stdin }),
  }
}

async function leaveAt(path: string, lines: readonly Entry[]): Promise<void> {
  const store = await storeAt(path)
  await leave(store, [await begunOn(store, 'killed'), ...lines])
}

function create(more: Partial<Intent> = {}): Intent {
  const subject = { address: 'Workspace/shop', kind: 'Workspace', workspace_id: null, step: 'create', natural_key: 'shop-prod' } as const
  return intentOf(900, { ...subject, creates: true, sets: { name: 'shop-prod' }, sent_at: sentAt, ...more })
}

function accepted(id: string | null) {
  return { t: 'accepted', seq: 900, workflow_id: workflow, id } as const
}

describe('state rm of a create that was accepted and never shows', () => {
  test('is the way out of what no apply gets past: it asks, forgets it, and says what may be there', async () => {
    const { answering, run } = await killedRun([create(), accepted('777')], shop)
    expect(await run('apply', '--auto-approve')).toMatchObject({ code: 9, stderr: expect.stringContaining("`iac state rm --sandbox 'Workspace/shop'`") })
    const declined = await answering('no\n', 'state', 'rm', 'Workspace/shop')
    expect(declined).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was forgotten.') })
    expect((await run('state', 'list')).stdout).toBe('Vpc/main\nWorkspace/shop\n')
    const gone = await answering('yes\n', 'state', 'rm', 'Workspace/shop')
    expect(gone.code).toBe(0)
    expect(gone.stderr).toContain('Do you really want to forget what is under way?')
    expect(gone.stderr).toContain(`Workspace/shop: create, sent 2026-11-30T01:02:03.000Z, was accepted (id 777, workflow ${workflow})`)
    expect(gone.stderr).toContain('forgot Workspace/shop (id 777)')
    expect(gone.stderr).toMatch(/warning: Workspace\/shop: its create is forgotten, and what it made may exist/)
    expect(gone.stderr).toContain('`iac get --sandbox Workspace`')
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ resources: 1, unfinished: [] })
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    expect((await run('state', 'list')).stdout).toBe('Vpc/main\nWorkspace/shop\n')
  })

  test('finds one of which not even the id is known, by a pattern, too', async () => {
    const { folder, answering, run } = await killedRun([create(), { ...accepted(null), workflow_id: null }], shop)
    const stuck = await run('apply', '--auto-approve')
    expect(stuck).toMatchObject({ code: 8, stderr: expect.stringContaining('the object that was created did not appear in time') })
    expect(stuck.stderr).toContain('`iac state rm --sandbox Workspace/shop`')
    rmSync(join(folder, 'infra/more.yaml'))
    expect((await run('state', 'list')).stdout).toBe('Vpc/main\n')
    const gone = await answering('yes\n', 'state', 'rm', 'Workspace/sh*')
    expect(gone).toMatchObject({ code: 0, stderr: expect.stringContaining('forgot Workspace/shop\n') })
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ resources: 1, unfinished: [] })
    expect((await run('apply', '--auto-approve')).code).toBe(0)
  })

  test('is refused where nobody may be asked, with what is open; --auto-approve warns as loudly', async () => {
    const { folder, run } = await killedRun([create(), accepted('777')])
    for (const flag of ['--json', '--no-input']) {
      const refused = await run('state', 'rm', 'Workspace/shop', flag)
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('Workspace/shop has an unfinished operation (create)')])
      expect(refused.stderr).toContain('--auto-approve')
    }
    expect((await runCli(['status', '--sandbox'], { folder })).stdout).toContain('Workspace/shop')
    const gone = await run('state', 'rm', 'Workspace/shop', '--auto-approve')
    expect(gone).toMatchObject({ code: 0, stderr: expect.stringContaining(`sent 2026-11-30T01:02:03.000Z, was accepted (id 777, workflow ${workflow})`) })
  })

  test('holds the lock while it asks, and keeps what is under way elsewhere', async () => {
    const other = intentOf(901, { address: 'Vpc/late', workspace_id: '1', step: 'create', creates: true, sent_at: sentAt })
    const { folder, run } = await killedRun([create(), accepted('777'), other])
    // A lock that its file shows to be silent is waited for.
    const options = { folder, clock: patientClock }
    const surroundings = surroundingsFor(options, { stdout: '', stderr: '' })
    const meanwhile: number[] = []
    const readLine = async (): Promise<string> => {
      meanwhile.push((await runCli(['state', 'mv', 'Vpc/main', 'Vpc/core', '--sandbox'], options)).code)
      return 'yes'
    }
    const code = await runCommand(['state', 'rm', 'Workspace/shop', '--sandbox'], { ...surroundings, stdin: { ...surroundings.stdin, readLine } })
    expect([code, meanwhile]).toEqual([0, [7]])
    const { unfinished }: { unfinished: { address: string }[] } = JSON.parse((await run('status', '--json')).stdout)
    expect(unfinished.map((one) => one.address)).toEqual(['Vpc/late'])
  })
})

describe('state rm of a create beside what stands at its address', () => {
  const range = (octet: number) => `10.${octet}.0.0/24`
  const network = `apiVersion: iac/v1
kind: Vpc
metadata: { name: late, lifecycle: { create_before_destroy: true }, timeouts: { create: 1s } }
spec: { name: late-net, description: d, range: ${range(20)} }
`

  /** A network that stands, with replacements of it that a run has left without an end, each after what was answered to it. */
  async function half(...answers: readonly (string | null)[]) {
    const folder = newFolder()
    writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nprovider: { compat: { read_grace: 1s, settle_window: 1s } }\n')
    writeFileSync(join(folder, 'main.yaml'), network)
    const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder })
    const recorded = async () => JSON.parse((await run('state', 'show', 'Vpc/late', '--json')).stdout)
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    const { id, workspace_id }: { id: string; workspace_id: string } = await recorded()
    const sets = { name: 'late-net', description: 'd', range: range(21) }
    const lines = answers.flatMap((answered, index): Entry[] => {
      const about = { address: 'Vpc/late', kind: 'Vpc', workspace_id, step: 'create', natural_key: `late-net ${range(21)}` } as const
      return [
        intentOf(900 + index, { ...about, creates: true, sets, sent_at: Date.now() }),
        { t: 'accepted', seq: 900 + index, workflow_id: null, id: answered },
      ]
    })
    await leaveAt(join(folder, '.iac/sandbox/state.json'), lines)
    writeFileSync(join(folder, 'main.yaml'), network.replace(range(20), range(21)))
    const unfinished = async () => JSON.parse((await run('status', '--json')).stdout).unfinished
    const networks = async () => JSON.parse((await run('get', 'Vpc', '--json')).stdout).map((one: { range: string }) => one.range)
    return { id, run, answering: (stdin: string, ...words: string[]) => runCli([...words, '--sandbox'], { folder, stdin }), recorded, unfinished, networks }
  }

  test('forgets the create alone, says so, and leaves no second network behind', async () => {
    const { id, run, answering, recorded, unfinished, networks } = await half(null)
    const stuck = await run('apply', '--auto-approve')
    expect(stuck).toMatchObject({ code: 8, stderr: expect.stringContaining('`iac state rm --sandbox Vpc/late` forgets its create') })
    const gone = await answering('yes\n', 'state', 'rm', 'Vpc/late')
    expect(gone.code).toBe(0)
    expect(gone.stderr).toContain(`Vpc/late (id ${id}) stays in the state, until the same command is run again.`)
    expect(gone.stderr).toContain(`forgot the create of Vpc/late; it stays in the state with id ${id}, until the same command is run again\n`)
    expect(gone.stderr).not.toContain('iac import')
    expect([await recorded(), await unfinished()]).toMatchObject([{ id, status: 'ready', deposed: [] }, []])
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    expect(await networks()).toEqual([range(21)])
  })

  test('forgets what stands when it is run again', async () => {
    const { id, run } = await half(null)
    for (const told of ['forgot the create of Vpc/late; ', `forgot Vpc/late (id ${id})\n`])
      expect(await run('state', 'rm', 'Vpc/late', '--auto-approve')).toMatchObject({ code: 0, stderr: expect.stringContaining(told) })
    expect((await run('state', 'list')).stdout).toBe('')
  })

  test('keeps the old half of what was answered and never showed, however many creates are open', async () => {
    const { id, run, recorded, unfinished } = await half('777', null, '778')
    expect(await recorded()).toMatchObject({ id: '778', deposed: [{ id }, { id: '777' }] })
    const gone = await run('state', 'rm', 'Vpc/late', '--auto-approve')
    expect(gone).toMatchObject({ code: 0, stderr: expect.stringContaining(`it stays in the state with id ${id}`) })
    expect(gone.stderr).not.toContain('which nobody does now')
    expect([await recorded(), await unfinished()]).toMatchObject([{ id, status: 'ready', deposed: [] }, []])
    expect((await run('plan')).stdout).toContain('Plan: 1 to add, 0 to change, 1 to destroy.')
  })
})

test('state rm says of a change and of a removal that they may still be carried out', async () => {
  const change = intentOf(900, { address: 'Vpc/main', step: 'update', id: '5', sent_at: sentAt })
  const removal = intentOf(901, { address: 'Vpc/main', step: 'delete', removes: true, id: '5', sent_at: sentAt })
  const { run } = await killedRun([change, removal])
  const gone = await run('state', 'rm', 'Vpc/main', '--auto-approve')
  expect(gone.stderr).toContain('warning: Vpc/main: its update is forgotten, and may still be carried out')
  expect(gone.stderr).toContain('warning: Vpc/main: its delete is forgotten, and may still be carried out')
  expect(gone.stderr).toContain('Vpc/main: update, sent 2026-11-30T01:02:03.000Z, has no answer that is known (id 5)')
})

test('no state rm asks about what is settled', async () => {
  const { run } = await killedRun([create(), accepted('777')])
  expect(await run('state', 'rm', 'Vpc/main', '--no-input')).toMatchObject({ code: 0, stderr: expect.stringMatching(/^forgot Vpc\/main \(id \d+\)\n$/) })
})

test('a workspace that a server accepted and never made stops an apply until it is forgotten', async () => {
  const sandbox = createSandbox({ clock: testsClock, profile: 'instant' })
  const api = await serveSandbox({ sandbox })
  try {
    const folder = newFolder()
    writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
    writeFileSync(join(folder, 'main.yaml'), shop)
    const run = (...words: string[]) => runCli(words, { folder, environment: { IAC_BASE_URL: api.url }, token: sandbox.token })
    expect((await run('apply', '--auto-approve')).code).toBe(0)
    await leaveAt(join(folder, '.iac/state.json'), [
      create({ address: 'Workspace/late', natural_key: 'late-prod', sets: { name: 'late-prod' } }),
      accepted('778'),
    ])
    expect((await run('apply', '--auto-approve')).code).toBe(9)
    expect((await run('state', 'rm', 'Workspace/late', '--auto-approve')).code).toBe(0)
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0)
  } finally {
    await api.close()
  }
})
