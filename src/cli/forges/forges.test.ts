// The documented API of each forge, by what goes over the wire: who the token is, pages of comments, writing, hiding, removing.
import nock from 'nock'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { socketTransport } from '../../api/transport/socket-transport.ts'
import { realClock } from '../../base/clock.ts'
import { forgeCalls } from './forge-calls.ts'
import type { Calls } from './forge-calls.ts'
import { giteaForge, giteaHeaders } from './gitea.ts'
import { githubForge, githubHeaders } from './github.ts'
import { gitlabForge, gitlabHeaders } from './gitlab.ts'

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
