// Files of a project that codes are written into: where they may stand, and what is never overwritten.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { handoverIn } from './handover.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'iac-handover-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const files = () => handoverIn(folder, process.getuid?.())

test('a code is written for its owner alone, in folders that are made for it', async () => {
  await files().check('secrets/ci/bot.token')
  expect(existsSync(join(folder, 'secrets/ci/bot.token'))).toBe(false)
  await files().write('secrets/ci/bot.token', 'iac_abc.123')
  expect(readFileSync(join(folder, 'secrets/ci/bot.token'), 'utf8')).toBe('iac_abc.123')
  expect(statSync(join(folder, 'secrets/ci/bot.token')).mode & 0o777).toBe(0o600)
})

test('an earlier code is replaced, and an empty file filled', async () => {
  writeFileSync(join(folder, 'old.token'), 'iac_old.1\n')
  writeFileSync(join(folder, 'empty'), '')
  for (const file of ['old.token', 'empty']) {
    await files().check(file)
    await files().write(file, 'new')
    expect(readFileSync(join(folder, file), 'utf8')).toBe('new')
  }
})

describe('nothing is looked at or written', () => {
  test.each<[string, string]>([
    ['/etc/passwd', 'no file inside of the project folder'],
    ['../other', 'no file inside of the project folder'],
    ['.iac/state.json', 'no file inside of the project folder'],
    ['a//b', 'no file inside of the project folder'],
    ['Main.YAML', 'read as a manifest'],
    ['package.json', 'it holds something else than a code'],
    ['notes.txt', 'it holds something else than a code'],
    ['long', 'it holds something else than a code'],
    ['link', 'is a link'],
    ['folder', 'is no regular file'],
    ['notes.txt/x', 'the disk refuses it'],
  ])('to %s', async (file, why) => {
    writeFileSync(join(folder, 'package.json'), '{"name":"shop"}')
    writeFileSync(join(folder, 'notes.txt'), 'two words\n')
    writeFileSync(join(folder, 'long'), 'x'.repeat(5000))
    writeFileSync(join(folder, 'target'), '')
    symlinkSync(join(folder, 'target'), join(folder, 'link'))
    mkdirSync(join(folder, 'folder'))
    await expect(files().check(file)).rejects.toThrow(why)
    await expect(files().write(file, 'code')).rejects.toThrow(why)
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('')
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{"name":"shop"}')
  })
  test('in a folder that is closed', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'the superuser may write anywhere')
    mkdirSync(join(folder, 'closed'))
    chmodSync(join(folder, 'closed'), 0o500)
    await expect(files().check('closed/bot.token')).rejects.toThrow('the disk refuses it')
  })
})
