// A removal that a killed run had begun: the next run ends it, and says so, to people and in the stream.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intentOf } from '../builders/journal.ts'
import { begunOn, leave, storeAt } from '../builders/left-lines.ts'
import { newFolder, runCli } from './run-cli.ts'

/** A project whose one network was on its way out when a run was killed, and is gone. */
async function killedDestroy(): Promise<{ readonly folder: string; readonly id: string }> {
  const folder = newFolder()
  await runCli(['init'], { folder })
  expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
  const { id, workspace_id } = JSON.parse((await runCli(['state', 'show', 'Vpc/main', '--sandbox', '--json'], { folder })).stdout)
  const store = await storeAt(join(folder, '.iac/sandbox/state.json'))
  const removal = intentOf(900, { address: 'Vpc/main', kind: 'Vpc', workspace_id, step: 'delete', removes: true, id })
  await leave(store, [await begunOn(store, 'killed'), removal])
  expect((await runCli(['api', 'DELETE', `/v1/vpcs/${id}`, '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
  return { folder, id }
}

test('is told with its end, and counted by itself', async () => {
  const { folder, id } = await killedDestroy()
  const { code, stdout, stderr } = await runCli(['destroy', '--sandbox', '--auto-approve'], { folder })
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(`Vpc/main: Resuming delete\\.\\.\\.\\nVpc/main: Destruction complete after \\d+s \\[id=${id}\\]\\n`),
  ])
  expect(stdout).toMatch(/\n\nSettled first, of an earlier run: 1 destroyed\.\nDestroy complete! Resources: 0 destroyed\.\n$/)
  expect((await runCli(['destroy', '--sandbox', '--auto-approve'], { folder })).stdout).not.toContain('Settled')
})

test('is counted where nothing else is wanted, too', async () => {
  const { folder } = await killedDestroy()
  const { code, stderr } = await runCli(['apply', '--sandbox'], { folder, stdin: 'no\n' })
  expect([code, stderr]).toEqual([1, expect.stringMatching(/Apply cancelled\.\nSettled first, of an earlier run: 1 destroyed\.\n$/)])
})

test('begins and ends in the stream as what it is', async () => {
  const { folder, id } = await killedDestroy()
  const { code, stdout } = await runCli(['destroy', '--sandbox', '--auto-approve', '--json'], { folder })
  const lines: { readonly type: string; readonly hook?: object }[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const hook = { resource: { addr: 'Vpc/main' }, action: 'delete' }
  expect([code, lines.filter((one) => one.hook)]).toMatchObject([
    0,
    [
      { type: 'apply_start', hook },
      { type: 'apply_complete', hook: { ...hook, id_value: id } },
    ],
  ])
  expect(lines.findLast((one) => one.type === 'change_summary')).toMatchObject({ changes: { remove: 0, operation: 'destroy' }, settled: { remove: 1 } })
})
