// What the short form draws: so many rows, in their order, the same by the same seed; and which slow files a run takes.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { drawsSlow, filesLeft, ONE_OF, slowFiles } from '../.config/slow-files.ts'
import packageJson from '../package.json' with { type: 'json' }
import type * as LongForm from './builders/long-form.ts'

const rows = Array.from({ length: 100 }, (_, index) => index)

const root = resolve(import.meta.dirname, '..')
/** Whose long form .ci/run does not take: what the short one draws there is another part each time. */
const leftOut = /^test\/(?:conformance|sandbox|scenarios)\//

/** The two forms' module under other settings. */
async function under(form: string, seed: string, campaigns = 'whole'): Promise<typeof LongForm> {
  vi.stubEnv('TEST_CAMPAIGNS', campaigns)
  vi.stubEnv('TEST_FORM', form)
  vi.stubEnv('TEST_SEED', seed)
  vi.resetModules()
  return import('./builders/long-form.ts')
}

test('the long form takes all, the short one as many as it says, in their order', async () => {
  const [long, short] = [await under('long', '1'), await under('short', '1')]
  expect(long.drawn(rows, 7, 'rows')).toEqual(rows)
  const seven = short.drawn(rows, 7, 'rows')
  expect(seven).toHaveLength(7)
  expect(seven.toSorted((a, b) => a - b)).toEqual(seven)
  expect([long.longForm(2, 1), short.longForm(2, 1)]).toEqual([2, 1])
})

test('a campaign is whole, a part of it or short, and so is what it draws', async () => {
  const forms = [await under('long', '1'), await under('long', '1', 'parts'), await under('short', '1', 'parts')]
  expect(forms.map((one) => one.campaign(200, 120, 8))).toEqual([200, 120, 8])
  expect(forms.map((one) => one.drawn(rows, 7, 'rows', 9).length)).toEqual([rows.length, 9, 7])
  expect(forms.map((one) => one.drawn(rows, 7, 'rows').length)).toEqual([rows.length, rows.length, 7])
})

test('each file that has a long form tells which of its tests take more in it', () => {
  const files = ['src', 'test'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  const texts = files
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('two-forms.test.ts'))
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
  const having = texts.filter(({ text }) => /import \{[^}]*\b(?:campaign|drawn|isLongForm|longForm)\b[^}]*\} from '[./a-z]*builders\/long-form\.ts'/.test(text))
  expect(having.length).toBeGreaterThan(40)
  expect(having.filter(({ name, text }) => !leftOut.test(name) && !text.includes("'longer'")).map(({ name }) => name)).toEqual([])
})

test('a seed draws the same again, another one something else, and so does another matrix', async () => {
  const [one, again, other] = [await under('short', '5'), await under('short', '5'), await under('short', '6')]
  expect(again.drawn(rows, 7, 'rows')).toEqual(one.drawn(rows, 7, 'rows'))
  expect(other.drawn(rows, 7, 'rows')).not.toEqual(one.drawn(rows, 7, 'rows'))
  expect(one.drawn(rows, 7, 'others')).not.toEqual(one.drawn(rows, 7, 'rows'))
})

test('every turn comes, and every row', async () => {
  const [turns, seen] = [new Set<number>(), new Set<number>()]
  for (let seed = 1; seed <= 200; seed += 1) {
    const form = await under('short', String(seed))
    turns.add(form.turnOf('a walk', 4))
    for (const row of form.drawn(rows, 7, 'rows')) seen.add(row)
  }
  expect([turns.size, seen.size]).toEqual([4, rows.length])
})

test('of the slow files those that the seed draws are taken, and every one comes; each draw takes about as long', () => {
  const all = Object.keys(slowFiles)
  const sum = (names: readonly string[]): number => names.reduce((seconds, name) => seconds + (slowFiles[name] ?? 0), 0)
  const came = new Set<string>()
  for (let seed = 0; seed < 100; seed += 1) {
    const left = filesLeft(seed)
    const drawn = all.filter((one) => !left.includes(one))
    expect(Math.abs(drawn.length - all.length / ONE_OF)).toBeLessThan(1)
    expect(Math.abs((sum(drawn) / sum(all)) * ONE_OF - 1)).toBeLessThan(0.4)
    for (const name of drawn) came.add(name)
  }
  expect(came.size).toBe(all.length)
  expect(filesLeft(5)).toEqual(filesLeft(5))
})

test('a run of everything draws; where files or tests are chosen, and in the long form, all are taken, unless it is said otherwise', () => {
  // As `npm test` has it.
  const { scripts } = packageJson
  expect(drawsSlow(scripts.test.split(' ').slice(1), {})).toBe(true)
  expect(drawsSlow(['run', '--reporter=default', '--outputFile.json=x', '--bail=1'], {})).toBe(true)
  const chosen = ['src/state', '-t', '-u', '-w', '--testNamePattern=words', '--test-name-pattern=words', '--tags-filter=longer', '--tagsFilter=longer']
  for (const word of [...chosen, '--project=alone', '--dir=test/crash', '--changed', '--shard=1/2', '--update', '--watch'])
    expect([word, drawsSlow(['run', word], {})]).toEqual([word, false])
  for (const words of [[], ['--config=x'], ['related', 'src/main.ts'], ['-u', 'test/stories'], ['run', '--config', 'x']])
    expect(drawsSlow(words, {})).toBe(false)
  expect(drawsSlow(['run'], { TEST_FORM: 'long' })).toBe(false)
  expect([drawsSlow(['run'], { TEST_SLOW: 'all' }), drawsSlow(['run', 'src'], { TEST_SLOW: 'drawn' })]).toEqual([false, true])
  expect(() => drawsSlow(['run'], { TEST_SLOW: 'most' })).toThrow('TEST_SLOW is all or drawn, not most')
})

test('slow files are there, and those with planted bugs are none of them', () => {
  const gone = Object.keys(slowFiles).filter((name) => !existsSync(join(root, name)))
  expect(gone, 'put their new names into .config/slow-files.json, or run npm run slow-files').toEqual([])
  expect(Object.keys(slowFiles).filter((name) => name.includes('planted-bugs') || name.includes('conformance/walk'))).toEqual([])
})
