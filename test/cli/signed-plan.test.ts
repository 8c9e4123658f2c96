// Signed plans by the command line: with a key, nothing is carried out that it did not sign.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isObject, parseJson, stringifyJson } from '../../src/base/json.ts'
import { isSigned, readPlanKey, signatureOf } from '../../src/engine/saved/plan-signature.ts'
import { rehashed } from '../builders/rehashed.ts'
import { newFolder, runCli } from './run-cli.ts'

const key = Buffer.alloc(32, 5).toString('base64')
const other = 'a passphrase of some length'

async function project() {
  const folder = newFolder()
  const run = (planKey: string | undefined, ...words: string[]) => runCli([...words, '--sandbox'], { folder, ...(planKey === undefined ? {} : { planKey }) })
  await runCli(['init'], { folder })
  return { folder, run }
}

/** Another value, and a hash that fits again. */
function alter(file: string): void {
  const plan = parseJson(readFileSync(file, 'utf8').replaceAll('10.20.0.0', '10.21.0.0'))
  if (!isObject(plan)) throw new Error('no plan')
  writeFileSync(file, stringifyJson(rehashed(plan)))
}

describe('with IAC_PLAN_KEY', () => {
  test.each([
    ['no signature', undefined, key],
    ['that of another key', other, key],
    ['one by a key that is none', key, 'too short'],
    ['one, and the key is empty', key, ''],
  ])('a plan with %s is refused with 9, and never shows the key', async (_, made, asked) => {
    const { run } = await project()
    await run(made, 'plan', '--out', 'a.plan')
    const done = await run(asked, 'apply', 'a.plan')
    expect([done.code, done.stdout]).toEqual([9, ''])
    expect(done.stderr).toMatch(/^error: IAC_PLAN_KEY is /)
    for (const text of [key, other, 'too short']) expect(done.stderr).not.toContain(text)
  })
  test('a plan that was altered and hashed anew is refused, without the key it is carried out', async () => {
    const { folder, run } = await project()
    await run(key, 'plan', '--out', 'a.plan')
    alter(join(folder, 'a.plan'))
    expect((await run(key, 'apply', 'a.plan')).code).toBe(9)
    expect((await run(undefined, 'apply', 'a.plan')).code).toBe(0)
  })
  test('a signed plan is carried out, and its file alone bears the signature', async () => {
    const { folder, run } = await project()
    const planned = await run(key, 'plan', '--out', 'a.plan', '--json')
    expect(JSON.parse(planned.stdout)).not.toHaveProperty('signature')
    expect(readFileSync(join(folder, 'a.plan'), 'utf8')).toMatch(/"signature": "hmac-sha256:[0-9a-f]{64}"/)
    expect((await run(key, 'apply', 'a.plan')).code).toBe(0)
  })
  test('show says what the signature is worth, and without a key nothing', async () => {
    const { run } = await project()
    await run(key, 'plan', '--out', 'signed.plan')
    await run(undefined, 'plan', '--out', 'bare.plan')
    expect((await run(key, 'show', 'signed.plan')).stderr).toContain('signature: valid')
    expect((await run(other, 'show', 'signed.plan')).stderr).toContain('signature: not valid')
    expect((await run(key, 'show', 'bare.plan')).stderr).toContain('signature: none')
    expect((await run(undefined, 'show', 'signed.plan')).stderr).toBe('')
  })
})

describe('a key', () => {
  test('is 32 bytes in base64, or made of a passphrase', () => {
    expect(readPlanKey(key)).toEqual(Buffer.alloc(32, 5))
    expect(readPlanKey(other)).toHaveLength(32)
    expect(readPlanKey(other)).toEqual(readPlanKey(other))
    expect(readPlanKey(other)).not.toEqual(readPlanKey(`${other}!`))
    for (const text of ['', 'x'.repeat(15)]) expect(() => readPlanKey(text)).toThrow(expect.objectContaining({ exitCode: 9 }))
  })
  test('signs one hash and one format', () => {
    const one = { format: 'iac-plan/v1', hash: 'a'.repeat(64) } as const
    const signature = signatureOf(one, readPlanKey(key))
    expect(isSigned({ ...one, signature }, readPlanKey(key))).toBe(true)
    expect(isSigned({ ...one, hash: 'b'.repeat(64), signature }, readPlanKey(key))).toBe(false)
    expect(isSigned({ ...one, signature: '' }, readPlanKey(key))).toBe(false)
    expect(isSigned(one, readPlanKey(key))).toBe(false)
  })
})
