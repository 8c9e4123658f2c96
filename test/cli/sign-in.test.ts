// Signing in and out: sessions that are stored, found, kept alive and revoked, and secrets that stand nowhere else.
import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { knownCodes } from '../builders/sandbox-bench.ts'
import { OWNER, signingIn } from '../builders/signing-in.ts'
import type { SigningIn } from '../builders/signing-in.ts'

const HOUR_MS = 3_600_000
const program = join(import.meta.dirname, '../../dist/main.js')

let user: SigningIn
beforeEach(async () => void (user = await signingIn()))
afterEach(() => user.close())

const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString()
const { password } = knownCodes

/** Turns two-factor authentication on for the owner; its secret and the emergency reset token. */
function withTotp(): { readonly secret: string; readonly reset: string } {
  const { users } = user.sandbox.world.tables
  const totp = { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', reset: 'emergency-reset-token', active: true }
  users.update(users.first('email', OWNER)?.id ?? '', { totp })
  return totp
}

describe('login', () => {
  test('asks for what is missing, stores the session for its owner alone, and every command uses it', async () => {
    const { code, stdout, stderr } = await user.run(`login --url ${user.url}`, { typed: [OWNER, password] })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Signed in to http:\S+ as owner@sandbox\.test, until 20\S+Z\.\n$/)])
    expect(stderr).toContain('Email: Password: \n')
    expect(statSync(user.profilesPath).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(user.profilesPath)).mode & 0o777).toBe(0o700)
    expect(user.profiles()).toEqual({
      default: { base_url: user.url, token: expect.any(String), token_id: expect.stringMatching(/^\d+$/), expires: expect.any(String), email: OWNER },
    })
    expect((await user.run('get workspaces')).stdout).toContain('default')
  })

  test('takes password and code from standard input, which asks nothing', async () => {
    const { secret } = withTotp()
    const words = `login --url ${user.url} --email ${OWNER} --password-stdin --no-input --json`
    const { code, stdout, stderr } = await user.run(words, { stdin: `${password}\n${user.authenticator(secret)}\n` })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ profile: 'default', base_url: user.url, email: OWNER, expires: expect.any(String) })
  })

  test('asks for the code of an authenticator where the service wants one, again after a wrong one', async () => {
    const { secret } = withTotp()
    const typed = [password, '000000', user.authenticator(secret)]
    const { code, stderr } = await user.run(`login --url ${user.url} --email ${OWNER}`, { typed })
    expect(code).toBe(0)
    expect(stderr).toMatch(/Password: \nCode of the authenticator: \n.*2FA code is missing or wrong\nCode of the authenticator: \n/)
  })

  test('says of a code from standard input that was not taken that it was wrong, not that there is none', async () => {
    withTotp()
    const ran = await user.run(`login --url ${user.url} --email ${OWNER} --password-stdin`, { stdin: `${password}\n000000\n` })
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringMatching(/2FA code is missing or wrong[^]*hint: give the code that the authenticator shows/) })
    expect(user.profiles()).toEqual({})
  })

  test('gives up after three wrong codes, and takes the emergency reset token in place of one', async () => {
    const { reset } = withTotp()
    const wrong = await user.run(`login --url ${user.url} --email ${OWNER}`, { typed: [password, '1', '2', '3', '4'] })
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('2FA code is missing or wrong')])
    expect((await user.run(`login --url ${user.url} --email ${OWNER}`, { typed: [password, reset] })).code).toBe(0)
    expect((await user.login()).code).toBe(0)
  })

  test.each([
    ['a wrong password', ['not it'], 4, 'email or password is wrong'],
    ['no password', [''], 3, 'the password is missing'],
  ])('with %s ends, and stores nothing', async (_, typed, exit, words) => {
    const { code, stderr } = await user.run(`login --url ${user.url} --email ${OWNER}`, { typed })
    expect([code, stderr, user.profiles()]).toEqual([exit, expect.stringContaining(words), {}])
    expect(stderr).toContain('hint: ')
  })

  test.each([
    ['login --email x@y.test', {}, 4, 'it is not known where the API is'],
    ['login --url http://example.com', {}, 3, 'http is not accepted for example.com'],
    ['login --url https://user:CANARY@example.com', {}, 3, 'holds a user or password'],
    ['login --profile a/b', {}, 3, 'a profile is called by'],
    ['login --sandbox', {}, 3, 'with --sandbox nobody signs in'],
    ['login --password secret', {}, 3, "unknown option '--password'"],
  ])('%s is refused', async (line, given, exit, words) => {
    const { code, stderr } = await user.run(line, { typed: [], ...given })
    expect([code, stderr]).toEqual([exit, expect.stringContaining(words)])
    expect(stderr).not.toContain('CANARY')
  })

  test('asks nobody where that is forbidden, and takes no password from a pipe unasked', async () => {
    const words = `login --url ${user.url} --email ${OWNER}`
    for (const line of [`${words} --no-input`, `${words} --json`])
      expect(await user.run(line, { typed: [password] })).toMatchObject({ code: 3, stderr: expect.stringContaining('--password-stdin') })
    expect(await user.run(words, { typed: [password], environment: { CI: 'true' } })).toMatchObject({ code: 3 })
    expect(await user.run(words, { stdin: `${password}\n` })).toMatchObject({ code: 3, stderr: expect.stringContaining('--password-stdin') })
  })

  test('keeps a profile at its address', async () => {
    await user.login()
    const other = await signingIn()
    const { code, stderr } = await user.run(`login --url ${other.url} --email ${OWNER}`, { typed: [password] })
    expect([code, stderr]).toEqual([3, expect.stringContaining(`the profile default is for ${user.url}`)])
    expect(stderr).toContain('remove that one with `iac logout --profile default`')
    expect((await user.run(`login --url ${other.url} --email ${OWNER} --profile other`, { typed: [password] })).code).toBe(0)
    expect(await user.run('get workspaces')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/Several stored profiles fit: default, other\. IAC_PROFILE names one\.\n {2}hint: set it, as in IAC_PROFILE=default\n/),
    })
    expect((await user.run('get workspaces', { environment: { IAC_PROFILE: 'other' } })).code).toBe(0)
    expect((await user.run('get workspaces', { environment: { IAC_BASE_URL: other.url } })).code).toBe(0)
    await other.close()
  })

  test('signs in anew where the profile says, as who signed in before', async () => {
    await user.login()
    const before = user.profiles()['default']?.token
    expect((await user.run('login', { typed: [password] })).stderr).toContain('Signing in as owner@sandbox.test')
    expect(user.profiles()['default']?.token).not.toBe(before)
  })

  test('says that a token of the environment goes before the profile', async () => {
    const { stderr } = await user.run(`login --url ${user.url} --email ${OWNER}`, { typed: [password], token: 'some-token-of-the-environment' })
    expect(stderr).toContain('IAC_TOKEN and IAC_TOKEN_FILE go before it')
  })

  test('writes into no folder that others can write, and over no file that is none of ours', async () => {
    mkdirSync(dirname(user.profilesPath), { recursive: true })
    writeFileSync(user.profilesPath, 'mine', { mode: 0o600 })
    expect(await user.login()).toMatchObject({ code: 4, stderr: expect.stringContaining('is no list of profiles') })
    expect(readFileSync(user.profilesPath, 'utf8')).toBe('mine')
    writeFileSync(user.profilesPath, '{"format":"iac-profiles/v1","profiles":{}}')
    chmodSync(dirname(user.profilesPath), 0o777)
    expect(await user.login()).toMatchObject({ code: 9, stderr: expect.stringContaining('can be written by others') })
  })

  test('leaves no session behind that cannot be stored', async () => {
    const sessions = (): number => user.sandbox.world.tables.tokens.all().length
    const before = sessions()
    mkdirSync(dirname(user.profilesPath), { recursive: true })
    const { code, stderr } = await user.answering(`login --url ${user.url} --email ${OWNER}`, () => {
      writeFileSync(user.profilesPath, 'of somebody else', { mode: 0o600 })
      return password
    })
    expect([code, stderr, sessions()]).toEqual([4, expect.stringContaining('is no list of profiles'), before])
    expect(user.mailed('LOGIN')).toEqual(expect.any(String))
  })

  test('of several processes at once loses no profile', async () => {
    const names = ['one', 'two', 'three', 'four']
    const started = names.map((name) => {
      const words = ['login', '--url', user.url, '--email', OWNER, '--profile', name, '--password-stdin']
      const running = promisify(execFile)(process.execPath, [program, ...words], {
        cwd: user.folder,
        env: { PATH: process.env['PATH'] ?? '', HOME: join(user.folder, 'home') },
      })
      running.child.stdin?.end(`${password}\n`)
      return running
    })
    await Promise.all(started)
    expect(Object.keys(user.profiles()).toSorted()).toEqual(names.toSorted())
    for (const name of names) expect((await user.run('get workspaces', { environment: { IAC_PROFILE: name } })).code).toBe(0)
  })

  test.each(['null', '[]', '{"code":7,"id":{}}', '{"code":"a b","id":"1"}', '<html>', ''])('stores nothing of a service that answers %s', async (body) => {
    const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const place = server.address()
    const words = `login --url http://127.0.0.1:${typeof place === 'object' ? place?.port : ''} --email ${OWNER}`
    const { code, stderr } = await user.run(words, { typed: [password] })
    expect([1, 4, 8]).toContain(code)
    expect([stderr.includes('a defect of iac'), user.profiles()]).toEqual([false, {}])
    server.close()
  })

  test('prints and keeps no secret but in the profile', async () => {
    const { secret } = withTotp()
    const code = user.authenticator(secret)
    const ran = await user.run(`login --url ${user.url} --email ${OWNER} --verbose`, { typed: ['wrong-CANARY'] })
    const right = await user.run(`login --url ${user.url} --email ${OWNER} --verbose`, { typed: [password, code] })
    const used = await user.run('get workspaces --verbose --json')
    const token = user.profiles()['default']?.token ?? ''
    const printed = [ran, right, used].map(({ stdout, stderr }) => stdout + stderr).join('\n')
    for (const text of ['CANARY', password, code, token]) expect(printed).not.toContain(text)
    const files = readdirSync(user.folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    const holding = files.filter((one) => readFileSync(join(one.parentPath, one.name), 'utf8').includes(token)).map((one) => one.name)
    expect(holding).toEqual(['profiles.json'])
    expect(readFileSync(user.profilesPath, 'utf8')).not.toContain(password)
  })
})

describe('logout', () => {
  test('revokes the session, and removes the profile alone', async () => {
    await user.login('one')
    await user.login('two')
    expect(await user.run('logout')).toMatchObject({ code: 3, stderr: expect.stringContaining('name one with --profile: one, two') })
    const token = user.profiles()['one']?.token ?? ''
    expect(await user.run('logout --profile one')).toMatchObject({ code: 0, stdout: `Signed out of ${user.url}.\n` })
    expect(Object.keys(user.profiles())).toEqual(['two'])
    expect(await user.run('get workspaces', { environment: { IAC_BASE_URL: user.url }, token })).toMatchObject({ code: 4 })
    expect((await user.run('get workspaces')).code).toBe(0)
    expect(JSON.parse((await user.run('logout --json')).stdout)).toEqual({ profile: 'two', base_url: user.url, revoked: true })
    expect(await user.run('logout')).toMatchObject({ code: 4, stderr: expect.stringContaining('`iac login`') })
  })

  test('removes the profile of a session that has ended', async () => {
    await user.login()
    await user.clock.advance(25 * HOUR_MS)
    expect((await user.run('logout')).code).toBe(0)
    expect(user.profiles()).toEqual({})
  })

  test('names the profile that it is about, also where another one is set', async () => {
    await user.login('staging')
    await user.login('prod')
    await user.close()
    const environment = { IAC_PROFILE: 'prod' }
    const { code, stderr } = await user.run('logout --profile staging', { environment })
    const [, hint = ''] = /`iac (logout --forget .*?)` removes it/.exec(stderr) ?? []
    expect([code, hint]).toEqual([1, 'logout --forget --profile staging'])
    expect((await user.run(hint, { environment })).code).toBe(0)
    expect(Object.keys(user.profiles())).toEqual(['prod'])
    expect((await user.run('logout --profile staging')).stderr).toContain('sign in with `iac login --profile staging`')
    user = await signingIn()
  }, 60_000)

  test('keeps the profile while the service cannot be reached, unless it is to be forgotten', async () => {
    await user.login()
    await user.close()
    const { code, stderr } = await user.run('logout')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/the session was not revoked: .*refused[^]*iac logout --forget/)])
    expect(Object.keys(user.profiles())).toEqual(['default'])
    expect(await user.run('logout --forget')).toMatchObject({
      code: 0,
      stdout: 'The profile default is removed.\n',
      stderr: expect.stringContaining('warning: '),
    })
    expect(user.profiles()).toEqual({})
    user = await signingIn()
  }, 60_000)
})

describe('a session', () => {
  const refreshes = () => user.sandbox.log.list({}).filter((one) => one.path === '/v1/tokens/refresh')

  test('is left alone before its last 6 hours, and refreshed in them', async () => {
    await user.login()
    await user.run('get workspaces')
    expect(refreshes()).toEqual([])
    await user.clock.advance(19 * HOUR_MS)
    user.store('default', { expires: inHours(5) })
    const token = user.profiles()['default']?.token
    expect((await user.run('get workspaces')).code).toBe(0)
    expect(refreshes()).toMatchObject([{ status: 200 }])
    expect(user.profiles()['default']?.token).toBe(token)
    expect(user.sandbox.world.tables.tokens.all().at(-1)?.expiresAtMs).toBe(user.clock.wall() + 24 * HOUR_MS)
  })

  test('that another process has refreshed is not lost where the answer or the file came late', async () => {
    await user.login()
    const late = inHours(3)
    user.store('default', { expires: late })
    // The service refuses, since by its clock the session is young: what it says of the token is stored.
    expect(await user.run('get workspaces')).toMatchObject({ code: 0, stderr: '' })
    expect(refreshes()).toMatchObject([{ status: 400 }])
    expect(user.profiles()['default']?.expires).toBe(new Date(user.clock.wall() + 24 * HOUR_MS).toISOString())
  })

  test('of two processes at once goes on in both, and no profile is lost', async () => {
    await user.login()
    await user.login('other')
    await user.clock.advance(19 * HOUR_MS)
    user.store('default', { expires: inHours(5) })
    user.store('other', { expires: inHours(5) })
    const env = { PATH: process.env['PATH'] ?? '', HOME: join(user.folder, 'home') }
    const started = ['default', 'default', 'other', 'other'].map((name) =>
      promisify(execFile)(process.execPath, [program, 'get', 'workspaces'], { cwd: user.folder, env: { ...env, IAC_PROFILE: name } }),
    )
    for (const { stdout, stderr } of await Promise.all(started)) expect([stdout, stderr]).toEqual([expect.stringContaining('default'), ''])
    const stored = user.profiles()
    for (const name of ['default', 'other']) expect(Date.parse(stored[name]?.expires ?? '')).toBeGreaterThan(Date.now() + 23 * HOUR_MS)
    expect((await user.run('get workspaces', { environment: { IAC_PROFILE: 'other' } })).code).toBe(0)
  })

  test('that has expired ends with 4 and names the way back', async () => {
    await user.login()
    await user.clock.advance(25 * HOUR_MS)
    expect(await user.run('get workspaces')).toMatchObject({ code: 4, stderr: expect.stringMatching(/answered 401[^]*hint: sign in with `iac login`/) })
    expect(refreshes()).toEqual([])
  })
})

test('a token goes to no other host, also where it is told to go there', async () => {
  await user.login()
  const seen: string[] = []
  const elsewhere = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization ?? ''}`)
    response.end('{}')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const place = elsewhere.address()
  const target = `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`
  const redirecting = createServer((_, response) => response.writeHead(307, { location: `${target}/v1/workspaces` }).end())
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
  const at = redirecting.address()
  user.store('default', { base_url: `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}` })
  const ran = await user.run('get workspaces')
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('which is not followed')])
  expect(await user.run('get workspaces', { environment: { IAC_BASE_URL: target } })).toMatchObject({ code: 4 })
  const login = await user.run(`login --profile new --url http://127.0.0.1:${typeof at === 'object' ? at?.port : ''} --email ${OWNER}`, { typed: [password] })
  expect([login.code, login.stderr]).toEqual([8, expect.stringContaining('which is not followed')])
  expect(seen).toEqual([])
  for (const server of [elsewhere, redirecting]) server.close()
})
