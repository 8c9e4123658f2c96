// Attacks on folders and files of the user's own, each on a real disk.
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Failure } from '../diagnostic.ts'
import {
  appendOwnFile,
  beginOwnFile,
  checkOwnFolder,
  makeOwnFolder,
  ownerProblem,
  readOwnFile,
  removeLeftovers,
  removeOlderFiles,
  replaceOwnFile,
  wayProblem,
} from './own-files.ts'

const me = process.geteuid?.()
let root = ''
const at = (path: string): string => join(root, path)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'own-files-'))
  mkdirSync(at('inner'), { mode: 0o700 })
  writeFileSync(at('victim'), 'precious')
})
afterEach(() => rmSync(root, { recursive: true }))

function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode !== 9) throw error
    return error.diagnostics[0]?.summary ?? ''
  }
  throw new Error('it was not refused')
}

describe('a folder', () => {
  test('is made with those above it, for its owner alone', () => {
    makeOwnFolder(root, at('a/b/c'), me)
    for (const path of ['a', 'a/b', 'a/b/c']) expect(lstatSync(at(path)).mode & 0o777).toBe(0o700)
  })
  test('is refused where it, or one above it, is a link', () => {
    symlinkSync(at('inner'), at('link'))
    expect(refusal(() => makeOwnFolder(root, at('link/deeper'), me))).toBe(`${at('link')} is a link`)
    expect(readdirSync(at('inner'))).toEqual([])
    symlinkSync(at('nowhere'), at('dangling'))
    expect(refusal(() => makeOwnFolder(root, at('dangling'), me))).toBe(`${at('dangling')} is a link`)
    expect(existsSync(at('nowhere'))).toBe(false)
  })
  test('is refused where others can write to it', () => {
    chmodSync(at('inner'), 0o777)
    expect(refusal(() => checkOwnFolder(root, at('inner/state'), me))).toBe(`${at('inner')} can be written by others`)
    chmodSync(at('inner'), 0o755)
    expect(() => checkOwnFolder(root, at('inner/state'), me)).not.toThrow()
  })
  test('that others can write to is named as a shell takes it', () => {
    mkdirSync(at('my dir'))
    chmodSync(at('my dir'), 0o777)
    const hint = `if what is in it is yours: chmod go-w '${at('my dir')}'`
    expect(() => checkOwnFolder(root, at('my dir'), me)).toThrow(expect.objectContaining({ diagnostics: [expect.objectContaining({ hint })] }))
  })
  test('is not made where something else stands in its place', () => {
    expect(() => makeOwnFolder(root, at('victim'), me)).toThrow('EEXIST')
    expect(() => makeOwnFolder(root, at('victim/deeper'), me)).toThrow(/EEXIST|ENOTDIR/)
  })
  test('outside of the root is looked at alone, and the root itself, too', () => {
    expect(() => checkOwnFolder(at('elsewhere'), at('inner'), me)).not.toThrow()
    chmodSync(at('inner'), 0o777)
    expect(refusal(() => checkOwnFolder(at('inner'), at('inner'), me))).toContain('can be written by others')
  })
})

describe('an owner', () => {
  const found = (uid: number, gid: number, mode: number) => ({ uid, gid, mode })
  test.each([
    ['the user', found(1000, 1000, 0o100600), undefined],
    ['the system', found(0, 0, 0o100644), undefined],
    ['another user', found(1001, 1000, 0o100600), 'belongs to another user'],
    ['the user, with the group of that number', found(1000, 1000, 0o100664), undefined],
    ['the user, with another group that may write', found(1000, 100, 0o100664), 'can be written by others'],
    ['the user, and all may write', found(1000, 1000, 0o100666), 'can be written by others'],
  ])('%s', (_, stats, problem) => {
    expect(ownerProblem(stats, 1000)).toBe(problem)
    expect(ownerProblem(stats, undefined)).toBeUndefined()
  })
})

describe('a file', () => {
  test('is read as a file of the user alone', () => {
    expect(readOwnFile(at('none'), me)).toBeUndefined()
    expect(readOwnFile(at('victim'), me)).toBe('precious')
    expect(refusal(() => readOwnFile(at('victim'), me, 3))).toContain('has 8 bytes, the limit is 3')
    symlinkSync(at('victim'), at('link'))
    expect(refusal(() => readOwnFile(at('link'), me))).toBe(`${at('link')} is a link`)
    expect(refusal(() => readOwnFile(at('inner'), me))).toContain('is no regular file')
    chmodSync(at('victim'), 0o666)
    expect(refusal(() => readOwnFile(at('victim'), me))).toContain('can be written by others')
  })
  test('takes the place of a link, whose target stays', () => {
    symlinkSync(at('victim'), at('replaced'))
    replaceOwnFile(at('replaced'), 'new')
    symlinkSync(at('victim'), at('begun'))
    beginOwnFile(at('begun'))
    expect([readFileSync(at('replaced'), 'utf8'), readFileSync(at('begun'), 'utf8'), readFileSync(at('victim'), 'utf8')]).toEqual(['new', '', 'precious'])
    expect(lstatSync(at('replaced')).mode & 0o777).toBe(0o600)
  })
  test('is not added to through a link', () => {
    symlinkSync(at('victim'), at('log'))
    expect(() => appendOwnFile(at('log'), 'line\n', 0)).toThrow('ELOOP')
    appendOwnFile(at('other'), 'one\n', 0)
    appendOwnFile(at('other'), 'two\n', 4)
    expect([readFileSync(at('other'), 'utf8'), readFileSync(at('victim'), 'utf8')]).toEqual(['one\ntwo\n', 'precious'])
  })
  test('leaves nothing behind, and what a killed process left goes', () => {
    replaceOwnFile(at('inner/a'), 'whole')
    writeFileSync(at('inner/a.0123456789abcdef.new'), 'half')
    symlinkSync(at('victim'), at('inner/a.new'))
    writeFileSync(at('inner/a.news'), 'another')
    removeLeftovers(at('inner/a'))
    expect(readdirSync(at('inner')).toSorted()).toEqual(['a', 'a.news'])
    expect(readFileSync(at('victim'), 'utf8')).toBe('precious')
  })
})

test('the way to a file holds no link below the root', () => {
  symlinkSync(at('inner'), at('link'))
  symlinkSync(at('victim'), at('inner/file'))
  expect(wayProblem(root, at('link/file'))).toBe(`${at('link')} is a link`)
  expect(wayProblem(root, at('inner/file'))).toBe(`${at('inner/file')} is a link`)
  expect(wayProblem(root, at('inner'))).toBe(`${at('inner')} is no regular file`)
  expect(wayProblem(root, at('inner/none'))).toBeUndefined()
  expect(wayProblem(at('link'), at('link/none'))).toBeUndefined()
})

test('what was written so much before a file goes from beside it, no folder and no link', () => {
  const written = Date.now() / 1000
  replaceOwnFile(at('new'), 'now')
  for (const name of ['old', `other.${'0'.repeat(16)}.new`, 'recent']) writeFileSync(at(name), name)
  symlinkSync(at('victim'), at('link'))
  for (const name of ['old', `other.${'0'.repeat(16)}.new`, 'inner']) utimesSync(at(name), written - 90, written - 90)
  removeOlderFiles(at('new'), 60_000)
  expect(readdirSync(root).toSorted()).toEqual(['inner', 'link', 'new', 'recent', 'victim'])
})
