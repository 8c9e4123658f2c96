// `iac comment` by the command line: a saved plan to each forge on loopback, by its own variables; nothing is sent in a dry run.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import type { ForgeDouble } from '../builders/forge-double.ts'
import { forgeDouble } from '../builders/forge-double.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { newFolder, patientClock, runCli } from './run-cli.ts'

let forge: ForgeDouble
let folder = ''
beforeAll(async () => {
  forge = await forgeDouble()
  folder = newFolder()
  await runCli(['init'], { folder })
  await runCli(['plan', '--sandbox', '--out', 'today.plan'], { folder, clock: patientClock })
  await runCli(['plan', '--sandbox', '--out', 'later.plan'], { folder, clock: patientClock })
})
afterAll(() => forge.close())
beforeEach(() => forge.clear())

const iac = async (words: readonly string[], environment: Readonly<Record<string, string>>) => {
  const ran = await runCli(words, { folder, environment, clock: patientClock })
  expect(ran.stdout + ran.stderr).not.toContain('canary')
  return ran
}

describe.each(['github', 'gitlab', 'gitea'] as const)('%s', (name) => {
  test('one comment is made, found again, and kept by its tag', async () => {
    const words = ['comment', name, '--plan', 'today.plan']
    expect(await iac(words, forge.places[name])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^comment 1 on .*7 created\n$/) })
    expect(forge.comments[0]?.body).toContain('1 to add')
    expect((await iac(words, forge.places[name])).stdout).toMatch(/is up to date\n$/)
    await iac(['comment', name, '--plan', 'later.plan'], forge.places[name])
    expect(await iac(words, forge.places[name])).toMatchObject({
      stderr: '',
      stdout: expect.stringMatching(/was left as it is: a later plan is told there\n$/),
    })
    expect((await iac([...words, '--tag', 'nightly'], forge.places[name])).stdout).toMatch(/^comment 2 /)
    expect((await iac([...words, '--mode', 'new'], forge.places[name])).stdout).toMatch(/^comment 3 /)
    expect(forge.comments).toHaveLength(3)
  })

  test('a job of an earlier commit, run again, changes nothing; the comment names its commit', async () => {
    const [before, now] = ['4'.repeat(40), '5'.repeat(40)]
    const of = (commit: string) => {
      writeFileSync(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7, head: { sha: commit } } }))
      return { ...forge.places[name], GITHUB_EVENT_PATH: join(folder, 'event.json'), CI_COMMIT_SHA: commit }
    }
    forge.head = now
    await iac(['comment', name, '--plan', 'today.plan'], of(now))
    expect(forge.comments).toMatchObject([{ body: expect.stringMatching(/1 to add[^]*\nPlanned at commit 5{40}\.\n$/) }])
    const again = await iac(['comment', name, '--plan', 'later.plan'], of(before))
    expect(again).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/7 was left as it is: the plan is of 4{40}, and the request is at 5{40}\n$/),
    })
    expect(forge.comments).toMatchObject([{ body: expect.stringContaining(now) }])
    // Not every token may read what commit that is.
    forge.head = undefined
    expect((await iac(['comment', name, '--plan', 'later.plan'], of(before))).stdout).toMatch(/^comment 1 .*updated\n$/)
  })

  test('a comment of a machine whose clock was ahead is changed by the next plan', async () => {
    forge.aheadMs = 3_600_000
    await iac(['comment', name, '--plan', 'later.plan'], forge.places[name])
    const [kept] = forge.comments
    const planMs = Date.now() + 3_600_000
    forge.aheadMs = 0
    const body = (kept?.body ?? '').replace(/plan=\d+/, `plan=${planMs}`)
    forge.comments = forge.comments.map((one) => ({ ...one, body }))
    expect((await iac(['comment', name, '--plan', 'today.plan'], forge.places[name])).stdout).toMatch(/^comment 1 .*updated\n$/)
  })

  test('nothing is sent in a dry run, without a token, too', async () => {
    const { GITHUB_TOKEN: _, GITLAB_TOKEN: __, GITEA_TOKEN: ___, ...environment }: Readonly<Record<string, string>> = forge.places[name]
    const ran = await iac(['comment', name, '--plan', 'today.plan', '--dry-run'], environment)
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was sent') })
    expect(ran.stdout).toMatch(/^<!-- iac:comment v1 [^>]*-->\n[^]*1 to add/)
    expect(forge.seen).toEqual([])
  })

  test('without a token the code is 4, and nothing is sent', async () => {
    const {
      GITHUB_TOKEN: _,
      GITLAB_TOKEN: __,
      GITEA_TOKEN: ___,
      ...environment
    }: Readonly<Record<string, string>> = { ...forge.places[name], CI_JOB_TOKEN: 'canary' }
    expect(await iac(['comment', name, '--plan', 'today.plan'], environment)).toMatchObject({ code: 4, stderr: expect.stringContaining('_TOKEN is not set') })
    expect(forge.seen).toEqual([])
  })
})

test('for programs: what was done, and the comment', async () => {
  const { stdout } = await iac(['comment', 'github', '--plan', 'today.plan', '--json'], forge.places.github)
  expect(JSON.parse(stdout)).toEqual({
    forge: 'github',
    repository: 'acme/shop',
    number: '7',
    dry_run: false,
    outdated: false,
    done: [{ action: 'create', id: '1' }],
    body: forge.comments[0]?.body,
  })
  expect(schemaProblems(allSchemas(kinds)['comment.schema.json'] ?? {}, JSON.parse(stdout))).toEqual([])
})

test.each<[readonly string[], number, string]>([
  [['comment', 'github'], 3, '--plan FILE is needed'],
  [['comment', 'bitbucket', '--plan', 'today.plan'], 3, 'github, gitlab, gitea'],
  [['comment', 'github', '--plan', 'today.plan', '--tag', ''], 3, '--tag'],
  [['comment', 'github', '--plan', 'today.plan', '--mode', 'delete'], 3, 'hide-and-new'],
  [['comment', 'github', '--plan', 'none.plan'], 3, 'none.plan cannot be read'],
  [['comment', 'github', '--plan', 'iac.yaml'], 9, 'is no plan'],
  [['comment', 'gitlab', '--plan', 'today.plan'], 3, 'CI_API_V4_URL is not set'],
])('%j ends with %i before anything is sent', async (words, code, why) => {
  expect(await iac(words, forge.places.github)).toMatchObject({ code, stderr: expect.stringContaining(why) })
  expect(forge.seen).toEqual([])
})

test('the pull request is that of the event', async () => {
  writeFileSync(join(folder, 'event.json'), '{"pull_request":{"number":42}}')
  const environment = { ...forge.places.github, GITHUB_EVENT_PATH: join(folder, 'event.json'), GITHUB_REF: 'refs/heads/main' }
  expect((await iac(['comment', 'github', '--plan', 'today.plan'], environment)).stdout).toBe('comment 1 on acme/shop#42 created\n')
  expect(forge.seen.map((one) => one.line)).toContain('GET /repos/acme/shop/issues/42/comments?per_page=100')
  expect(forge.seen.every((one) => one.headers.authorization === 'Bearer canary')).toBe(true)
})
