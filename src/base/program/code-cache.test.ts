// Compiled code that is kept: used where file, program and owner are the same, and never otherwise.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { codeFiles } from './code-cache.ts'

const userId = process.geteuid?.()

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'iac-code-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'one.cjs')
  writeFileSync(file, '(function () { return 1 })')
  const kept = join(folder, 'plan.bin')
  /** One run of the program; whether it used what was kept, undefined where there was nothing to use. */
  function run({ runtime = 'v1', command = 'plan' } = {}): { readonly used: boolean | undefined; readonly value: unknown } {
    const code = codeFiles({ folder, userId, command, runtime })
    const script = code.compile(file)
    const made: unknown = script.runInThisContext()
    const value: unknown = typeof made === 'function' ? made() : undefined
    code.save()
    return { used: script.cachedDataRejected === undefined ? undefined : !script.cachedDataRejected, value }
  }
  return { folder, file, kept, run }
}

test('the second run uses what the first compiled, in a file of the user alone', () => {
  const { kept, run } = place()
  expect(run()).toEqual({ used: undefined, value: 1 })
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  expect(run()).toEqual({ used: true, value: 1 })
})

test('what stands in the file now counts, also where it is as long as before', () => {
  const { file, run } = place()
  run()
  writeFileSync(file, '(function () { return 2 })')
  expect(run()).toEqual({ used: undefined, value: 2 })
  expect(run()).toEqual({ used: true, value: 2 })
})

test('another program, a damaged file and one that others can write are as good as none', () => {
  const { kept, run } = place()
  run()
  expect(run({ runtime: 'v2' }).used).toBeUndefined()
  const bytes = readFileSync(kept)
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1
  writeFileSync(kept, bytes)
  expect(run({ runtime: 'v2' })).toEqual({ used: undefined, value: 1 })
  expect(run({ runtime: 'v2' }).used).toBe(true)
  chmodSync(kept, 0o666)
  expect(run({ runtime: 'v2' }).used).toBeUndefined()
})

test('commands that start seldom share a file, and telling the version keeps nothing', () => {
  const { folder, run } = place()
  run({ command: 'seldom' })
  expect(run({ command: 'never' }).used).toBe(true)
  rmSync(join(folder, 'others.bin'))
  run({ command: 'version' })
  expect(run({ command: 'seldom' }).used).toBeUndefined()
})

test('what was compiled of a file before it was shipped is used where the user has nothing of it, and then nothing is kept', () => {
  const { folder, file, kept, run } = place()
  run()
  const text = readFileSync(file, 'utf8')
  rmSync(kept)
  function used(command: string, code: Buffer): { readonly rejected: boolean | undefined; readonly asked: readonly string[]; readonly isKept: boolean } {
    const asked: string[] = []
    const source = { read: () => readFileSync(file), shipped: (name: string) => (asked.push(name), code) }
    const files = codeFiles({ folder: dirname(kept), userId, command, runtime: 'v1' }, source)
    // V8 itself keeps what it compiled of a text under a path.
    const rejected = files.compile(join(folder, command, String(code.length), String(existsSync(kept)), 'one.cjs')).cachedDataRejected
    files.save()
    return { rejected, asked, isKept: existsSync(kept) }
  }
  const compiled = new Script(text).createCachedData()
  expect(used('plan', compiled)).toEqual({ rejected: false, asked: ['one.cjs'], isKept: false })
  expect(used('version', compiled)).toEqual({ rejected: false, asked: ['one.cjs'], isKept: false })
  // Of another node, say.
  expect(used('plan', Buffer.from('damaged'))).toEqual({ rejected: true, asked: ['one.cjs'], isKept: true })
  expect(used('plan', compiled)).toEqual({ rejected: false, asked: [], isKept: true })
})
