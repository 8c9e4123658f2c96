// Where a comment goes by what jobs of each forge are told, and what is refused.
import { describe, expect, test } from 'vitest'
import { Failure } from '../../base/diagnostic.ts'
import type { ForgeName } from './forge-place.ts'
import { forgePlace, forgeRepository, forgeToken, refusedHint } from './forge-place.ts'

type Environment = Readonly<Record<string, string>>
const github = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/7/merge' }
const gitlab = { CI_API_V4_URL: 'https://gitlab.example.com/api/v4', CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '3' }
const gitea = { GITEA_ACTIONS: 'true', GITHUB_API_URL: 'https://git.example.com/api/v1', ...github }
const none = (): undefined => undefined

test.each<[ForgeName, Environment, readonly string[]]>([
  ['github', github, ['https://api.github.com', 'acme/shop', '7']],
  ['github', { ...github, GITHUB_API_URL: 'https://ghe.example.com/api/v3/' }, ['https://ghe.example.com/api/v3', 'acme/shop', '7']],
  ['gitlab', gitlab, ['https://gitlab.example.com/api/v4', '12', '3']],
  ['gitlab', { ...gitlab, CI_MERGE_REQUEST_PROJECT_ID: '99' }, ['https://gitlab.example.com/api/v4', '99', '3']],
  ['gitea', gitea, ['https://git.example.com/api/v1', 'acme/shop', '7']],
  [
    'gitea',
    { ...github, GITEA_API_URL: 'http://127.0.0.1:3000/api/v1', GITHUB_API_URL: 'https://api.github.com' },
    ['http://127.0.0.1:3000/api/v1', 'acme/shop', '7'],
  ],
])('%s: %o', (name, environment, [apiUrl, repository, number]) => {
  expect(forgePlace(name, environment, none)).toEqual({ apiUrl, repository, number })
})

test.each<[string, string]>([
  ['{"pull_request":{"number":8}}', '8'],
  ['{"issue":{"number":9,"pull_request":{}}}', '9'],
  ['{"issue":{"number":9}}', '7'],
  ['{"pull_request":{"number":"8"}}', '7'],
  ['no JSON', '7'],
])('the event %s names %s', (event, number) => {
  expect(forgePlace('github', { ...github, GITHUB_EVENT_PATH: '/event.json' }, (path) => (path === '/event.json' ? event : undefined)).number).toBe(number)
})

const [head, merge] = ['1'.repeat(40), '2'.repeat(40)]

test.each<[string, ForgeName, Environment, string | undefined]>([
  ['of the event', 'github', { ...github, GITHUB_EVENT_PATH: '/event.json', GITHUB_SHA: merge }, head],
  ['of the event', 'gitea', { ...gitea, GITHUB_EVENT_PATH: '/event.json', GITHUB_SHA: merge }, head],
  ['none without an event, since the one of the job is a merge', 'github', { ...github, GITHUB_SHA: merge }, undefined],
  ['of the job', 'gitlab', { ...gitlab, CI_COMMIT_SHA: head }, head],
  ['of the source, where that of the job is a merge', 'gitlab', { ...gitlab, CI_COMMIT_SHA: merge, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head }, head],
  ['none, where that of the job is a merge', 'gitlab', { ...gitlab, CI_COMMIT_SHA: merge, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' }, undefined],
  ['none that is none', 'gitlab', { ...gitlab, CI_COMMIT_SHA: 'main' }, undefined],
])('the commit is %s: %s', (_, name, environment, commit) => {
  const event = JSON.stringify({ pull_request: { number: 7, head: { sha: head } } })
  expect(forgePlace(name, environment, (path) => (path === '/event.json' ? event : undefined)).commit).toBe(commit)
})

describe('refused', () => {
  test.each<[ForgeName, Environment, string]>([
    ['github', { ...github, GITHUB_REF: 'refs/heads/main' }, 'names no pull or merge request'],
    ['github', { ...github, GITHUB_REPOSITORY: '../shop' }, 'names no repository'],
    ['github', { ...github, GITHUB_REPOSITORY: 'acme/..' }, 'names no repository'],
    ['github', { ...github, GITHUB_REPOSITORY: 'acme/shop/issues/1' }, 'names no repository'],
    ['github', { ...github, GITHUB_API_URL: 'http://ghe.example.com' }, 'is not https'],
    ['github', { ...github, GITHUB_API_URL: 'https://u:canary@ghe.example.com' }, 'holds a user or a password'],
    ['gitlab', { CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '3' }, 'CI_API_V4_URL is not set'],
    ['gitlab', { ...gitlab, CI_MERGE_REQUEST_IID: '' }, 'CI_MERGE_REQUEST_IID names no pull or merge request'],
    // On GitHub's runners this variable leads to GitHub.
    ['gitea', { ...github, GITHUB_API_URL: 'https://api.github.com' }, 'GITEA_API_URL is not set'],
  ])('%s: %o', (name, environment, why) => {
    const work = (): unknown => forgePlace(name, environment, none)
    expect(work).toThrow(why)
    expect(work).not.toThrow('canary')
  })

  test.each<[ForgeName, Environment, string]>([
    ['github', {}, 'GITHUB_TOKEN is not set'],
    ['gitlab', { CI_JOB_TOKEN: 'x' }, 'GITLAB_TOKEN is not set'],
    ['gitea', { GITEA_TOKEN: 'canary\nx: y' }, 'holds characters that no token has'],
  ])('the token of %s in %o', (name, environment, why) => {
    const work = (): unknown => forgeToken(name, environment, 'comments')
    expect(work).toThrow(Failure)
    expect(work).toThrow(why)
    expect(work).not.toThrow('canary')
  })
})

test('an issue goes to the repository of the job, whatever started that', () => {
  const { GITHUB_REF: _, ...scheduled } = github
  expect(forgeRepository('github', scheduled)).toEqual({ apiUrl: 'https://api.github.com', repository: 'acme/shop' })
  expect(forgeRepository('gitlab', { ...gitlab, CI_MERGE_REQUEST_PROJECT_ID: '99' })).toEqual({ apiUrl: 'https://gitlab.example.com/api/v4', repository: '12' })
  expect(forgeRepository('gitea', gitea)).toEqual({ apiUrl: 'https://git.example.com/api/v1', repository: 'acme/shop' })
  expect(() => forgeRepository('github', {})).toThrow('names no repository')
})

test('the right that is missing is that for what is written', () => {
  expect([refusedHint('github', 'comments'), refusedHint('github', 'issues')]).toEqual([
    expect.stringContaining('pull-requests: write'),
    expect.stringContaining(' issues: write'),
  ])
})
