// The state commands: they work on the state, under the lock, and refuse what would make it contradict itself.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

async function withState(): Promise<{ readonly folder: string; readonly run: (...words: string[]) => ReturnType<typeof runCli> }> {
  const folder = newFolder()
  await runCli(['init'], { folder })
  expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
  return { folder, run: (...words) => runCli(['state', ...words, '--sandbox'], { folder }) }
}

describe('iac state', () => {
  test('mv gives another address, and refuses kinds and what is there', async () => {
    const { run } = await withState()
    expect((await run('mv', 'Vpc/main', 'Instance/main')).code).toBe(3)
    expect((await run('mv', 'Vpc/mian', 'Vpc/other')).stderr).toContain('did you mean Vpc/main?')
    expect((await run('mv', 'Vpc/main', 'Vpc/main')).code).toBe(3)
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/core\n')
  })

  test('rm forgets what a pattern means', async () => {
    const { run } = await withState()
    expect((await run('rm', 'Vpc/nothing-*')).code).toBe(3)
    expect((await run('rm', 'Vpc/ma*')).code).toBe(0)
    expect((await run('list')).stdout).toBe('')
  })

  test('push takes an edited state, and refuses another lineage and an older one', async () => {
    const { folder, run } = await withState()
    const pulled = (await run('pull')).stdout
    const put = (text: string): void => writeFileSync(join(folder, 'edited.json'), text)
    put(pulled.replace('"the first network"', '"edited"'))
    expect((await run('push', 'edited.json')).code).toBe(0)
    expect((await run('show', 'Vpc/main')).stdout).toContain('"edited"')
    put(pulled)
    expect((await run('push', 'edited.json')).code).toBe(9)
    put((await run('pull')).stdout.replace(/"lineage": "[^"]+"/, '"lineage": "00000000-0000-4000-8000-000000000000"'))
    expect((await run('push', 'edited.json')).code).toBe(9)
    put('{}')
    expect((await run('push', 'edited.json')).code).toBe(9)
  })

  test('a damaged state is refused with 9 and can be restored', async () => {
    const { folder, run } = await withState()
    const path = join(folder, '.iac/sandbox/state.json')
    expect((await run('mv', 'Vpc/main', 'Vpc/core')).code).toBe(0)
    writeFileSync(path, readFileSync(path, 'utf8').replace('Vpc/core', 'Vpc/cora'))
    expect((await run('list')).code).toBe(9)
    const kept: { serial: number; resources: number; tool_version: string }[] = JSON.parse((await run('history', '--json')).stdout)
    const serials = kept.map((one) => String(one.serial))
    expect(kept[1]).toEqual({ serial: Number(serials[1]), resources: 1, tool_version: '0.0.0-test' })
    expect((await run('history')).stdout).toMatch(new RegExp(`^SERIAL  RESOURCES  VERSION\n${serials[0]} +1 +0\\.0\\.0-test\n`))
    const declined = await runCli(['state', 'restore', '--sandbox'], { folder, stdin: 'no\n' })
    expect(declined).toMatchObject({ code: 1, stderr: expect.stringContaining('Restore cancelled.') })
    expect((await run('restore', '--auto-approve')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/core\n')
    expect((await run('restore', serials[1] ?? '', '--auto-approve')).code).toBe(0)
    expect((await run('list')).stdout).toBe('Vpc/main\n')
    expect((await run('restore', '9999', '--auto-approve')).code).toBe(3)
  })

  test('ready wants a resource that is marked failed', async () => {
    const { folder, run } = await withState()
    expect((await run('ready', 'Vpc/main')).code).toBe(3)
    writeFileSync(join(folder, 'edited.json'), (await run('pull')).stdout.replace('"status": "ready"', '"status": "failed"'))
    expect((await run('push', 'edited.json')).code).toBe(0)
    expect((await run('ready', 'Vpc/main')).code).toBe(0)
    expect((await run('show', 'Vpc/main')).stdout).toContain('status       = "ready"')
  })

  test('unlock names nothing that is not held', async () => {
    const { run } = await withState()
    expect((await run('unlock', 'abc', '--auto-approve')).code).toBe(3)
  })
})
