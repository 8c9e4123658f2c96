// Compiled code that is kept: used where file, program and owner are the same, and never otherwise.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('what was compiled before it was shipped is used where the user has nothing, and by the same program alone', () => {
  const { folder, file, kept, run } = place()
  run()
  const shipped = readFileSync(kept)
  rmSync(kept)
  const asked: string[] = []
  function used(runtime: string): boolean | undefined {
    const source = { read: () => readFileSync(file), shipped: (name: string) => (asked.push(name), shipped) }
    const code = codeFiles({ folder: undefined, userId, command: 'plan', runtime }, source)
    return code.compile(join(folder, 'elsewhere', 'one.cjs')).cachedDataRejected
  }
  expect([used('v1'), used('v2'), asked]).toEqual([false, undefined, ['plan.bin', 'plan.bin']])
})
