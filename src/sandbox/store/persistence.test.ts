// What was answered is on disk: after a restart, after a kill, after a torn last line.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundleProgram } from '../../../test/builders/bundled-program.ts'
import { createBench } from '../../../test/builders/sandbox-bench.ts'
import { createSandbox } from '../sandbox.ts'
import { startWorkflow } from '../time/workflow-engine.ts'
import { openSandboxFolder } from './persistence.ts'
import { printSnapshot } from './store.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function open() {
  const { snapshot, secret, onChange } = openSandboxFolder(folder)
  return createBench({ secret, onChange, ...(snapshot === undefined ? {} : { snapshot }) })
}
const vpc = { name: 'main', description: '', range: '10.0.0.0/24' }

test('a restart has every row, the same tokens, ids that go on, and workflows that go on', async () => {
  const first = open()
  const path = `/v1/workspaces/${first.wid}/vpcs`
  const { body } = await first.call({ method: 'POST', path, body: vpc })
  const workflow = startWorkflow(first.sandbox.world, { operation: 'any', workspaceId: first.wid, subject: { table: 'disks', id: '1' } })
  await first.call({ method: 'GET', path: '/v1/plans' })
  const before = printSnapshot(first.sandbox.snapshot())

  const second = open()
  expect(printSnapshot(second.sandbox.snapshot())).toBe(before)
  expect(second.sandbox.token).toBe(first.sandbox.token)
  expect((await second.call({ method: 'GET', path: `/v1/vpcs/${idOf(body)}` })).body).toEqual(body)
  await second.clock.advance(200)
  expect((await second.call({ method: 'GET', path: `/v1/workflows/${workflow.id}` })).body).toMatchObject({ state: 'COMPLETED' })
  await second.call({ method: 'DELETE', path: `/v1/vpcs/${idOf(body)}` })

  const third = open()
  expect((await third.call({ method: 'GET', path: `/v1/vpcs/${idOf(body)}` })).status).toBe(404)
  const { body: later } = await third.call({ method: 'POST', path, body: vpc })
  expect(BigInt(idOf(later))).toBeGreaterThan(BigInt(idOf(body)))
})

test('a line that was not finished is forgotten, a damaged one is said', async () => {
  const first = open()
  await first.call({ method: 'POST', path: `/v1/workspaces/${first.wid}/vpcs`, body: vpc })
  const log = (): string => join(folder, readdirSync(folder).find((name) => name.startsWith('log-')) ?? '')
  const text = readFileSync(log(), 'utf8')
  appendFileSync(log(), text.slice(0, -20))
  expect(open().tables.vpcs.all()).toHaveLength(1)
  writeFileSync(log(), `not json\n${text}`)
  expect(() => open()).toThrow('damaged')
})

test('a reset is kept, too', async () => {
  const first = open()
  await first.call({ method: 'POST', path: `/v1/workspaces/${first.wid}/vpcs`, body: vpc })
  first.sandbox.reset()
  expect(first.sandbox.world.tables.vpcs.all()).toEqual([])
  expect(open().sandbox.world.tables.vpcs.all()).toEqual([])
})

test('a killed process loses no answer that it gave', async () => {
  const script = join(folder, 'run.mjs')
  await bundleProgram(PROGRAM, import.meta.dirname, script)
  const data = join(folder, 'data')
  const answered: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const child = spawn(process.execPath, [script, data], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    for await (const chunk of child.stdout) {
      text += String(chunk)
      if (text.split('\n').length > 40) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    answered.push(...text.split('\n').slice(0, -1))
  }
  const { snapshot } = openSandboxFolder(data)
  const { world } = createSandbox({ clock: createBench().clock, snapshot })
  const kept = new Set(world.tables.vpcs.all().map((row) => row.id))
  expect(answered.length).toBeGreaterThan(100)
  expect(answered.filter((id) => !kept.has(id))).toEqual([])
  expect(new Set(answered).size).toBe(answered.length)
})

const PROGRAM = `
import { realClock } from '../../base/clock.ts'
import { openSandboxFolder } from './persistence.ts'
import { createSandbox } from '../sandbox.ts'
const { snapshot, secret, onChange } = openSandboxFolder(process.argv[2])
const sandbox = createSandbox({ clock: realClock(), snapshot, secret, onChange, quota: { max_vpcs: 100000 } })
for (;;) {
  const response = await sandbox.handle({
    method: 'POST', path: '/v1/workspaces/' + sandbox.workspaceId + '/vpcs', headers: { authorization: 'Bearer ' + sandbox.token },
    body: JSON.stringify({ name: 'main', description: '', range: '10.0.0.0/24' }),
  })
  process.stdout.write(JSON.parse(await response.text(100000)).id + '\\n')
  await new Promise((resolve) => setImmediate(resolve))
}
`

function idOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string') return body.id
  throw new Error('no id')
}

test('a log that has grown long becomes a snapshot, and nothing is lost on the way', () => {
  const { tables } = open()
  const inserted = tables.vpcs.insert({ workspaceId: '1', name: 'main', description: '', range: '10.0.0.0/24', vlan: 100 })
  const { onChange } = openSandboxFolder(folder)
  const logs = (): string[] => readdirSync(folder).filter((name) => name.startsWith('log-'))
  const [before] = logs()
  const change = (vlan: number, description: string): void => {
    const after = { ...inserted, vlan, description }
    onChange({ changes: [{ table: 'vpcs', id: inserted.id, before: undefined, after, last: 1 }] })
  }
  change(1, 'x'.repeat(9 * 1024 * 1024))
  expect(logs()).toEqual([before])
  change(2, 'y'.repeat(9 * 1024 * 1024))
  expect(logs()).not.toEqual([before])
  expect(logs().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual([''])
  change(3, 'short')
  expect(open().tables.vpcs.get(inserted.id)).toMatchObject({ vlan: 3, description: 'short' })
  change(4, 'x'.repeat(9 * 1024 * 1024))
  rmSync(join(folder, 'snapshot.json'))
  expect(() => change(5, 'x'.repeat(9 * 1024 * 1024))).toThrow('snapshot.json is gone')
})

test('a snapshot whose log is missing is what there is', async () => {
  const first = open()
  await first.call({ method: 'POST', path: `/v1/workspaces/${first.wid}/vpcs`, body: vpc })
  for (const name of readdirSync(folder)) if (name.startsWith('log-')) rmSync(join(folder, name))
  const again = open()
  expect([again.tables.vpcs.all(), again.wid]).toEqual([[], first.wid])
})
