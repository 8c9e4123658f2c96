// The tests of shared states can fail: bugs planted in journal, lease and fence, one at a time, each found by the test that is there for it.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { drawn } from '../builders/long-form.ts'
import { postgresPrograms } from '../builders/postgres.ts'
import { plantedBugs } from './planted-bugs.ts'

const root = resolve(import.meta.dirname, '../..')
const report = z.object({ testResults: z.array(z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) })) })
const numbered = plantedBugs.map((one, number) => ({ ...one, number })).filter((one) => postgresPrograms !== undefined || !one.test.includes('postgres'))

test('each can be planted', () => {
  const count = ({ file, from }: (typeof plantedBugs)[number]): number => readFileSync(resolve(root, file), 'utf8').split(from).length - 1
  expect(plantedBugs.filter((one) => count(one) !== 1).map((one) => one.bug)).toEqual([])
})

test.each(drawn(numbered, 3, 'planted bugs', 7))('found: $bug', { timeout: 300_000, tags: ['longer'] }, async ({ number, title }) => {
  const failed = await failedWith(number, title)
  expect(failed.filter((name) => name.includes(title))).not.toEqual([])
})

/** Names of the tests that fail with the bug, of those that have these words in their title. */
async function failedWith(number: number, title: string): Promise<readonly string[]> {
  const words = ['run', '--config', '.config/planted.config.ts', '--reporter=json', '-t', title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)]
  // The one test whole: what the short form draws of it may lack the row that finds the bug.
  const env = { ...process.env, PLANTED_BUG: String(number), TEST_FORM: 'long' }
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, problems] = ['', '']
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (problems += bytes.toString()))
  await new Promise((done) => child.on('close', done))
  const json = out.split('\n').find((line) => line.startsWith('{'))
  if (json === undefined) throw new Error(`nothing was reported: ${out.slice(-2000)}${problems.slice(-2000)}`)
  const { testResults } = report.parse(JSON.parse(json))
  return testResults.flatMap((file) => file.assertionResults.flatMap((one) => (one.status === 'failed' ? [one.fullName] : [])))
}
