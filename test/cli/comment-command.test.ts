// `iac comment` by the command line: a saved plan to each forge on loopback, by its own variables; nothing is sent in a dry run.
import { writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allSchemas } from '../../src/cli/documents/json-schema.ts'
import { kinds } from '../../src/kinds/registry.ts'
import { schemaProblems } from '../builders/schema-problems.ts'
import { newFolder, runCli } from './run-cli.ts'

interface Comment {
  readonly id: number
  readonly body: string
  readonly user: { readonly id: number; readonly login: string }
  readonly author: { readonly id: number }
}

const bot = { user: { id: 5, login: 'bot' }, author: { id: 5 } }
let comments: Comment[] = []
let seen: { readonly line: string; readonly headers: IncomingMessage['headers'] }[] = []
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    seen.push({ line: `${method} ${url}`, headers })
    const sent: { body?: string } = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answerTo(method, url, sent.body ?? '')))
  })
})

/** What all three forges have in common is enough for a comment. */
function answerTo(method: string, url: string, body: string): unknown {
  if (url.endsWith('/graphql')) return { data: { viewer: bot.user } }
  if (url.endsWith('/user')) return bot.user
  if (method === 'GET') return comments
  if (method === 'POST') comments.push({ id: comments.length + 1, body, ...bot })
  else comments = comments.map((one) => (url.endsWith(`/${one.id}`) ? { ...one, body } : one))
  return comments.at(-1)
}

let [folder, origin] = ['', '']
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  folder = newFolder()
  await runCli(['init'], { folder })
  await runCli(['plan', '--sandbox', '--out', 'today.plan'], { folder })
})
afterAll(() => void server.close())
beforeEach(() => {
  comments = []
  seen = []
})

const places = {
  github: () => ({ GITHUB_TOKEN: 'canary', GITHUB_API_URL: origin, GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/merge' }),
  gitlab: () => ({ GITLAB_TOKEN: 'canary', CI_API_V4_URL: `${origin}/api/v4`, CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '7' }),
  gitea: () => ({ GITEA_TOKEN: 'canary', GITEA_API_URL: `${origin}/api/v1`, GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/head' }),
} as const

const iac = async (words: readonly string[], environment: Readonly<Record<string, string>>) => {
  const ran = await runCli(words, { folder, environment })
  expect(ran.stdout + ran.stderr).not.toContain('canary')
  return ran
}

describe.each(['github', 'gitlab', 'gitea'] as const)('%s', (forge) => {
  test('one comment is made, found again, and kept by its tag', async () => {
    const words = ['comment', forge, '--plan', 'today.plan']
    expect(await iac(words, places[forge]())).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^comment 1 on .*7 created\n$/) })
    expect(comments[0]?.body).toContain('1 to add')
    expect((await iac(words, places[forge]())).stdout).toMatch(/is up to date\n$/)
    expect((await iac([...words, '--tag', 'nightly'], places[forge]())).stdout).toMatch(/^comment 2 /)
    expect((await iac([...words, '--mode', 'new'], places[forge]())).stdout).toMatch(/^comment 3 /)
    expect(comments).toHaveLength(3)
  })

  test('nothing is sent in a dry run, without a token, too', async () => {
    const { GITHUB_TOKEN: _, GITLAB_TOKEN: __, GITEA_TOKEN: ___, ...environment }: Readonly<Record<string, string>> = places[forge]()
    const ran = await iac(['comment', forge, '--plan', 'today.plan', '--dry-run'], environment)
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing was sent') })
    expect(ran.stdout).toMatch(/^<!-- iac:comment v1 [^>]*-->\n[^]*1 to add/)
    expect(seen).toEqual([])
  })

  test('without a token the code is 4, and nothing is sent', async () => {
    const {
      GITHUB_TOKEN: _,
      GITLAB_TOKEN: __,
      GITEA_TOKEN: ___,
      ...environment
    }: Readonly<Record<string, string>> = { ...places[forge](), CI_JOB_TOKEN: 'canary' }
    expect(await iac(['comment', forge, '--plan', 'today.plan'], environment)).toMatchObject({ code: 4, stderr: expect.stringContaining('_TOKEN is not set') })
    expect(seen).toEqual([])
  })
})

test('for programs: what was done, and the comment', async () => {
  const { stdout } = await iac(['comment', 'github', '--plan', 'today.plan', '--json'], places.github())
  expect(JSON.parse(stdout)).toEqual({
    forge: 'github',
    repository: 'acme/shop',
    number: '7',
    dry_run: false,
    outdated: false,
    done: [{ action: 'create', id: '1' }],
    body: comments[0]?.body,
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
  expect(await iac(words, places.github())).toMatchObject({ code, stderr: expect.stringContaining(why) })
  expect(seen).toEqual([])
})

test('the pull request is that of the event', async () => {
  writeFileSync(join(folder, 'event.json'), '{"pull_request":{"number":42}}')
  const environment = { ...places.github(), GITHUB_EVENT_PATH: join(folder, 'event.json'), GITHUB_REF: 'refs/heads/main' }
  expect((await iac(['comment', 'github', '--plan', 'today.plan'], environment)).stdout).toBe('comment 1 on acme/shop#42 created\n')
  expect(seen.map((one) => one.line)).toContain('GET /repos/acme/shop/issues/42/comments?per_page=100')
  expect(seen.every((one) => one.headers.authorization === 'Bearer canary')).toBe(true)
})
