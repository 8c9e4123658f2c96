// A folder that cannot be opened says why: what the disk refuses, what is damaged, and what a later build wrote.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { surroundingsFor } from '../../../test/cli/run-cli.ts'
import { Failure } from '../../base/diagnostic.ts'
import { openSandbox } from './folder.ts'

let folder = ''
beforeEach(() => (folder = join(mkdtempSync(join(tmpdir(), 'iac-data-')), 'data')))
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const open = () => openSandbox(surroundingsFor({ folder }, { stdout: '', stderr: '' }), folder, folder)

async function refusal(): Promise<unknown> {
  const error: unknown = await open().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw error ?? new Error('it was opened')
  return error.diagnostics[0]
}

async function filled(): Promise<void> {
  await (await open()).close()
}

/** Changes what stands in the snapshot. */
function edit(change: (text: string) => string): void {
  const path = join(folder, 'snapshot.json')
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

describe('what the disk refuses is no damage', () => {
  test('a folder in the place of a log, and the lock is given back', async () => {
    const name = 'log-2.jsonl'
    await filled()
    mkdirSync(join(folder, name))
    expect(await refusal()).toMatchObject({ code: 'file_unwritable', detail: expect.stringContaining('EISDIR') })
    expect(await refusal()).not.toHaveProperty('hint')
    rmSync(join(folder, name), { recursive: true })
    await filled()
  })

  test('in a new folder, which is still a new one afterwards', async () => {
    mkdirSync(join(folder, 'log-1.jsonl'), { recursive: true })
    expect(await refusal()).toMatchObject({ code: 'file_unwritable', summary: `${folder} cannot hold the data of a sandbox` })
    expect(existsSync(join(folder, 'snapshot.json'))).toBe(false)
    rmSync(join(folder, 'log-1.jsonl'), { recursive: true })
    await filled()
  })

  test('something in the place of the lock', async () => {
    mkdirSync(join(folder, 'lock'), { recursive: true })
    expect(await refusal()).toMatchObject({ code: 'file_unwritable' })
  })
})

describe('what cannot be read', () => {
  const anew = { code: 'state_damaged', hint: 'remove the folder to begin anew' }

  test('is damaged where it is no JSON, no data of a sandbox, or lacks what each of them has', async () => {
    await filled()
    edit((text) => text.slice(0, -10))
    expect(await refusal()).toMatchObject({ ...anew, detail: expect.stringContaining('is damaged') })
    edit(() => '{}')
    expect(await refusal()).toMatchObject({ ...anew, detail: expect.stringContaining('generation') })
    edit(() => '{"generation":1,"snapshot":{"kind":"iac-sandbox-snapshot","schema_version":1,"seed":1,"last":{},"tables":{}}}')
    expect(await refusal()).toMatchObject({ ...anew, detail: 'a sandbox needs a workspace' })
  })

  test('is for a later build where that wrote it', async () => {
    await filled()
    edit((text) => text.replace('"schema_version":1', '"schema_version":2'))
    const detail = 'it is of schema version 2, and this build reads version 1'
    expect(await refusal()).toMatchObject({ code: 'state_damaged', detail, hint: 'use the iac that wrote it' })
  })
})

describe('what another process has', () => {
  const openFor = (waitMs?: number) => openSandbox(surroundingsFor({ folder }, { stdout: '', stderr: '' }), folder, folder, waitMs)

  test('is refused at once where nothing says to wait', async () => {
    const holder = await open()
    const refused = { code: 'locked', summary: `the sandbox's data in ${folder} is in use`, hint: 'wait with --lock-timeout, or stop that process' }
    expect(await refusal()).toMatchObject(refused)
    await expect(openFor(60)).rejects.toMatchObject({ diagnostics: [refused] })
    await holder.close()
  })

  test('is waited for, and goes on where that one left it', async () => {
    const holder = await open()
    const { token } = holder.sandbox
    let isFree = false
    const waiting = openFor(20_000).then((opened) => ({ opened, wasFree: isFree }))
    await new Promise((resolve) => void setTimeout(resolve, 100))
    isFree = true
    await holder.close()
    const { opened, wasFree } = await waiting
    expect([wasFree, opened.sandbox.token]).toEqual([true, token])
    await opened.close()
  })
})
