// The documented API of each forge, by what goes over the wire: who the token is, pages of comments, writing, hiding, removing; and its issues.
import nock from 'nock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { socketTransport } from '../../api/transport/socket-transport.ts'
import { realClock } from '../../base/clock.ts'
import { forgeCalls } from './forge-calls.ts'
import type { Calls } from './forge-calls.ts'
import { giteaForge, giteaHeaders, giteaIssues } from './gitea.ts'
import { githubForge, githubHeaders, githubIssues } from './github.ts'
import { gitlabForge, gitlabHeaders, gitlabIssues } from './gitlab.ts'
import { issueForge } from './issues.ts'

beforeEach(() => {
  if (!nock.isActive()) nock.activate()
  nock.disableNetConnect()
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  nock.cleanAll()
  nock.enableNetConnect()
  nock.restore()
})

const none = [undefined, undefined, undefined]
const closing: (() => Promise<void>)[] = []

function callsTo(origin: string, headers: Readonly<Record<string, string>>): Calls {
  const { transport, close } = socketTransport({ baseUrl: origin })
  closing.push(close)
  return forgeCalls({ forge: 'Forge', origin, headers, transport, clock: realClock(), hint: '' })
}

describe('GitHub', () => {
  const list = '/repos/acme/shop/issues/7/comments'
  const one = '/repos/acme/shop/issues/comments/11'
  const forge = () =>
    githubForge(callsTo('https://api.github.com', githubHeaders('t')), { apiUrl: 'https://api.github.com', repository: 'acme/shop', number: '7' })
  const wire = () => nock('https://api.github.com', { reqheaders: { authorization: 'Bearer t', 'x-github-api-version': '2022-11-28', 'user-agent': 'iac' } })

  test('says who a token of a job is', async () => {
    wire()
      .post('/graphql', /viewer/)
      .reply(200, { data: { viewer: { login: 'github-actions[bot]' } } })
    expect(await forge().whoAmI()).toBe('github-actions[bot]')
  })

  test('lists all pages', async () => {
    const link = `<https://api.github.com/repositories/1/issues/7/comments?per_page=100&page=2>; rel="next"`
    wire()
      .get(`${list}?per_page=100`)
      .reply(200, [{ id: 11, node_id: 'N', body: 'a', user: { login: 'x' } }], { link })
    wire().get('/repositories/1/issues/7/comments?per_page=100&page=2').reply(200, '[{"id":9007199254740993,"body":null,"user":null}]')
    expect(await forge().comments()).toEqual([
      { id: '11', node: 'N', body: 'a', author: 'x' },
      { id: '9007199254740993', node: undefined, body: '', author: '' },
    ])
  })

  test('says which commit the request is at, as far as it is told', async () => {
    for (const answer of [{ head: { sha: 'a'.repeat(40) } }, { head: { sha: 'main' } }, {}]) wire().get('/repos/acme/shop/pulls/7').reply(200, answer)
    wire().get('/repos/acme/shop/pulls/7').reply(404, {})
    expect([await forge().head?.(), await forge().head?.(), await forge().head?.(), await forge().head?.()]).toEqual(['a'.repeat(40), ...none])
    wire().get('/repos/acme/shop/pulls/7').reply(403, {})
    await expect(forge().head?.()).rejects.toThrow('refuses the token')
  })

  test('writes, hides and removes', async () => {
    const scopes = [
      wire()
        .post(list, { body: 'new' })
        .reply(201, { id: 11, node_id: 'N', body: 'new', user: { login: 'x' } }),
      wire().patch(one, { body: 'other' }).reply(200, {}),
      wire()
        .post('/graphql', (body) => body.variables.id === 'N' && /minimizeComment.*OUTDATED/.test(body.query))
        .reply(200, { data: { minimizeComment: {} } }),
      wire().delete(one).reply(204),
    ]
    const made = await forge().create('new')
    expect(made).toMatchObject({ id: '11', author: 'x' })
    if (!made) return
    await forge().update(made, 'other')
    await forge().hide?.(made)
    await forge().remove(made)
    expect(scopes.every((scope) => scope.isDone())).toBe(true)
  })

  test('a server of its own has GraphQL beside the API, and its refusals are told', async () => {
    const place = { apiUrl: 'https://ghe.test/api/v3', repository: 'acme/shop', number: '7' }
    nock('https://ghe.test')
      .post('/api/graphql')
      .reply(200, { data: null, errors: [{ message: 'no such field' }] })
    await expect(githubForge(callsTo('https://ghe.test', githubHeaders('t')), place).whoAmI()).rejects.toThrow('GitHub refuses a query')
    nock('https://ghe.test')
      .post('/api/graphql')
      .reply(200, { errors: [{ message: 'Something went wrong' }] })
    const refused = githubForge(callsTo('https://ghe.test', githubHeaders('t')), place).whoAmI()
    await expect(refused).rejects.toMatchObject({ diagnostics: [{ detail: 'Something went wrong' }] })
  })
})

describe('GitLab', () => {
  const notes = '/gitlab/api/v4/projects/acme%2Fshop/merge_requests/3/notes'
  const place = { apiUrl: 'https://git.test/gitlab/api/v4', repository: 'acme/shop', number: '3' }
  const forge = () => gitlabForge(callsTo('https://git.test', gitlabHeaders('t')), place)
  const wire = () => nock('https://git.test', { reqheaders: { 'private-token': 't' } })

  test('says who the token is, and lists all pages; the words of the system are nobody’s', async () => {
    wire().get('/gitlab/api/v4/user').reply(200, { id: 5, username: 'project_1_bot' })
    wire()
      .get(`${notes}?per_page=100&sort=asc&order_by=created_at`)
      .reply(200, [{ id: 1, body: 'a', author: { id: 5 }, system: false }], { 'x-next-page': '2' })
    wire()
      .get(`${notes}?per_page=100&sort=asc&order_by=created_at&page=2`)
      .reply(200, [{ id: 2, body: 'b', author: { id: 5 }, system: true }], { 'x-next-page': '' })
    expect(await forge().whoAmI()).toBe('5')
    expect(await forge().comments()).toEqual([
      { id: '1', author: '5', body: 'a' },
      { id: '2', author: '', body: 'b' },
    ])
  })

  test('writes and removes', async () => {
    const scopes = [
      wire()
        .post(notes, { body: 'new' })
        .reply(201, { id: 1, body: 'new', author: { id: 5 } }),
      wire().put(`${notes}/1`, { body: 'other' }).reply(200, {}),
      wire().delete(`${notes}/1`).reply(204),
    ]
    const made = await forge().create('new')
    expect(made).toEqual({ id: '1', author: '5', body: 'new' })
    if (!made) return
    await forge().update(made, 'other')
    await forge().remove(made)
    expect(scopes.every((scope) => scope.isDone())).toBe(true)
  })
})

test('a merge request is at the commit that it is told to be', async () => {
  for (const answer of [{ sha: 'b'.repeat(40) }, { sha: null }]) nock('https://gitlab.test').get('/api/v4/projects/12/merge_requests/7').reply(200, answer)
  const forge = gitlabForge(callsTo('https://gitlab.test', gitlabHeaders('t')), { apiUrl: 'https://gitlab.test/api/v4', repository: '12', number: '7' })
  expect([await forge.head?.(), await forge.head?.()]).toEqual(['b'.repeat(40), undefined])
})

test('what the clock of a forge says is that of its last answer', async () => {
  const calls = callsTo('https://git.test', {})
  const at = (date: string) => nock('https://git.test').get('/x').reply(200, {}, { date })
  expect(calls.nowMs()).toBeUndefined()
  for (const [date, ms] of [
    ['Thu, 01 Jan 2026 00:00:07 GMT', Date.UTC(2026, 0, 1, 0, 0, 7)],
    ['soon', Date.UTC(2026, 0, 1, 0, 0, 7)],
    ['Thu, 01 Jan 2026 00:01:00 GMT', Date.UTC(2026, 0, 1, 0, 1)],
  ] as const) {
    at(date)
    await calls.ask({ method: 'GET', path: '/x' })
    expect(calls.nowMs()).toBe(ms)
  }
})

describe('Gitea', () => {
  const place = { apiUrl: 'https://git.test/api/v1', repository: 'acme/shop', number: '7' }
  const list = '/api/v1/repos/acme/shop/issues/7/comments'
  const one = '/api/v1/repos/acme/shop/issues/comments/4'
  const forge = () => giteaForge(callsTo('https://git.test', giteaHeaders('t')), place)
  const wire = () => nock('https://git.test', { reqheaders: { authorization: 'token t' } })

  test('says who the token is, that of a job, too, and lists', async () => {
    wire().get('/api/v1/user').reply(200, { id: -2, login: 'gitea-actions' })
    wire()
      .get(list)
      .reply(200, [{ id: 4, body: 'a', user: { id: -2 } }])
    expect(await forge().whoAmI()).toBe('-2')
    expect(await forge().comments()).toEqual([{ id: '4', author: '-2', body: 'a' }])
  })

  test('writes and removes', async () => {
    const scopes = [
      wire()
        .post(list, { body: 'new' })
        .reply(201, { id: 4, body: 'new', user: { id: 5 } }),
      wire().patch(one, { body: 'other' }).reply(200, {}),
      wire().delete(one).reply(404, { message: 'gone' }),
    ]
    const made = await forge().create('new')
    expect(made).toEqual({ id: '4', author: '5', body: 'new' })
    if (!made) return
    await forge().update(made, 'other')
    await forge().remove(made)
    expect(scopes.every((scope) => scope.isDone())).toBe(true)
  })
})

describe('issues', () => {
  const github = () => githubIssues(callsTo('https://git.test', githubHeaders('t')), { apiUrl: 'https://git.test', repository: 'acme/shop' })
  const gitlab = () => gitlabIssues(callsTo('https://git.test', gitlabHeaders('t')), { apiUrl: 'https://git.test/api/v4', repository: 'acme/shop' })
  const gitea = () => giteaIssues(callsTo('https://git.test', giteaHeaders('t')), { apiUrl: 'https://git.test/api/v1', repository: 'acme/shop' })
  const forgeOf = (ways: ReturnType<typeof github>) => issueForge(ways, 'Drift in shop')

  test('GitHub: opened with a title, listed without pull requests over all pages, told anew, closed as done', async () => {
    const path = '/repos/acme/shop/issues'
    const wire = () => nock('https://git.test', { reqheaders: { authorization: 'Bearer t' } })
    const next = { link: `<https://git.test${path}?state=open&per_page=100&page=2>; rel="next"` }
    const scopes = [
      wire()
        .get(`${path}?state=open&per_page=100`)
        .reply(200, [{ id: 900, number: 3, body: 'a', user: { login: 'x' } }], next),
      wire()
        .get(`${path}?state=open&per_page=100&page=2`)
        .reply(200, [{ id: 901, number: 4, body: 'b', user: { login: 'x' }, pull_request: { url: '' } }]),
      wire()
        .post(path, { title: 'Drift in shop', body: 'new' })
        .reply(201, { id: 902, number: 5, body: 'new', user: { login: 'x' } }),
      wire().patch(`${path}/5`, { body: 'other' }).reply(200, {}),
      wire().patch(`${path}/5`, { state: 'closed', state_reason: 'completed' }).reply(200, {}),
    ]
    const forge = forgeOf(github())
    expect(await forge.comments()).toEqual([
      { id: '3', author: 'x', body: 'a' },
      { id: '4', author: '', body: 'b' },
    ])
    const made = await forge.create('new')
    expect(made).toEqual({ id: '5', author: 'x', body: 'new' })
    if (!made) return
    await forge.update(made, 'other')
    await forge.remove(made)
    expect(scopes.every((scope) => scope.isDone())).toBe(true)
  })

  test('GitLab: by the number within the project', async () => {
    const path = '/api/v4/projects/acme%2Fshop/issues'
    const wire = () => nock('https://git.test', { reqheaders: { 'private-token': 't' } })
    const scopes = [
      wire()
        .get(`${path}?state=opened&scope=all&per_page=100`)
        .reply(200, [{ id: 900, iid: 3, description: 'a', author: { id: 5 } }]),
      wire()
        .post(path, { title: 'Drift in shop', description: 'new' })
        .reply(201, { id: 902, iid: 5, description: 'new', author: { id: 5 } }),
      wire().put(`${path}/5`, { description: 'other' }).reply(200, {}),
      wire().put(`${path}/5`, { state_event: 'close' }).reply(200, {}),
    ]
    const forge = forgeOf(gitlab())
    expect(await forge.comments()).toEqual([{ id: '3', author: '5', body: 'a' }])
    const made = await forge.create('new')
    expect(made).toEqual({ id: '5', author: '5', body: 'new' })
    if (!made) return
    await forge.update(made, 'other')
    await forge.remove(made)
    expect(scopes.every((scope) => scope.isDone())).toBe(true)
  })

  test('Gitea: issues alone, and one that is gone is no mistake', async () => {
    const path = '/api/v1/repos/acme/shop/issues'
    const wire = () => nock('https://git.test', { reqheaders: { authorization: 'token t' } })
    const scopes = [
      wire()
        .get(`${path}?state=open&type=issues&limit=50`)
        .reply(200, [{ id: 900, number: 3, body: 'a', user: { id: 5 } }]),
      wire()
        .post(path, { title: 'Drift in shop', body: 'new' })
        .reply(201, { id: 902, number: 5, body: 'new', user: { id: 5 } }),
      wire().patch(`${path}/5`, { body: 'other' }).reply(200, {}),
      wire().patch(`${path}/5`, { state: 'closed' }).reply(404, {}),
    ]
    const forge = forgeOf(gitea())
    expect(await forge.comments()).toEqual([{ id: '3', author: '5', body: 'a' }])
    const made = await forge.create('new')
    expect(made).toEqual({ id: '5', author: '5', body: 'new' })
    if (!made) return
    await forge.update(made, 'other')
    await forge.remove(made)
    expect(scopes.every((scope) => scope.isDone())).toBe(true)
  })

  test('who the token is each forge says as it does for comments', async () => {
    nock('https://git.test')
      .post('/graphql', /viewer/)
      .reply(200, { data: { viewer: { login: 'b' } } })
    nock('https://git.test').get('/api/v4/user').reply(200, { id: 5 })
    nock('https://git.test').get('/api/v1/user').reply(200, { id: 6 })
    expect(await Promise.all([github(), gitlab(), gitea()].map((one) => one.whoAmI()))).toEqual(['b', '5', '6'])
  })
})
