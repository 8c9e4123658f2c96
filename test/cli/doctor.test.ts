// `iac doctor` and `iac whoami` where something is wrong: each row, its way out, and the exit code of the first.
import { chmodSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { signingIn } from '../builders/signing-in.ts'
import type { SigningIn } from '../builders/signing-in.ts'

let user: SigningIn
beforeAll(async () => {
  user = await signingIn()
  await user.login()
})
afterAll(() => user.close())

const rows = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean().nullable(), code: z.string().nullable(), says: z.string(), hint: z.string().nullable() })),
})

/** The exit code, and what was found of each row: its code where it failed. */
async function examined(environment: Readonly<Record<string, string>>, token?: string) {
  const { code, stdout } = await user.run('doctor --json', { environment, ...(token === undefined ? {} : { token }) })
  const { ok, checks } = rows.parse(JSON.parse(stdout))
  expect(ok).toBe(code === 0)
  for (const one of checks.filter((check) => check.ok === false)) expect([one.name, one.hint]).toEqual([one.name, expect.any(String)])
  return { code, found: Object.fromEntries(checks.map((one) => [one.name, one.ok === false ? one.code : one.ok])) }
}

/** A service on loopback that answers everything so, for the time of `use`. */
async function answering(answer: (path: string, response: ServerResponse) => void, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => answer(request.url ?? '', response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const good = { address: true, proxy: true, service: true, clock: true, token: true, role: true, state: true }

describe('doctor', () => {
  test('finds nothing where all is well', async () => {
    expect(await examined({})).toEqual({ code: 0, found: good })
  })
  test('says that nobody has signed in, and still looks at the state', async () => {
    const found = { address: 'no_credentials', proxy: null, service: null, clock: null, token: null, role: null, state: true }
    expect(await examined({ IAC_PROFILE: 'none' })).toEqual({ code: 4, found })
  })
  test.each([
    ['can be written by others', 0o666, 'a-token\n', /^if what is in it is yours: `chmod 600 \S+bot\.token`$/],
    ['is empty', 0o600, '\n', /^give the token alone, on one line$/],
  ])('says that the file of the token %s, and the way out', async (said, mode, text, hint) => {
    const path = join(user.folder, 'bot.token')
    writeFileSync(path, text)
    chmodSync(path, mode)
    const ran = await user.run('doctor --json', { environment: { IAC_BASE_URL: user.url, IAC_TOKEN_FILE: path } })
    const [address] = rows.parse(JSON.parse(ran.stdout)).checks
    expect([ran.code, address?.says, address?.hint]).toEqual([4, expect.stringContaining(`${path} ${said}`), expect.stringMatching(hint)])
  })
  test('says that the address is not allowed', async () => {
    expect(await examined({ IAC_BASE_URL: 'http://example.com' }, 'abc')).toMatchObject({ code: 3, found: { address: 'bad_address' } })
  })
  test('says that the proxy is none', async () => {
    const found = { address: true, proxy: 'bad_address', service: null }
    expect(await examined({ IAC_BASE_URL: 'https://api.example.com', HTTPS_PROXY: 'socks5://u:CANARY@127.0.0.1:9' }, 'abc')).toMatchObject({ code: 3, found })
  })
  test('says that nothing answers', async () => {
    const found = { address: true, proxy: true, service: 'unreachable', clock: null, token: null, role: null, state: true }
    expect(await examined({ IAC_BASE_URL: 'http://127.0.0.1:9' }, 'abc')).toEqual({ code: 1, found })
  })
  test('says that the token is not taken', async () => {
    expect(await examined({ IAC_BASE_URL: user.url }, 'abc')).toEqual({ code: 4, found: { ...good, token: 'unauthorized', role: null } })
  })
  test('says that the clock is wrong, and what else is', async () => {
    const late = (_: string, response: ServerResponse): void => void response.writeHead(401, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end()
    await answering(late, async (url) => {
      expect(await examined({ IAC_BASE_URL: url }, 'abc')).toEqual({ code: 1, found: { ...good, clock: 'clock_skew', token: 'unauthorized', role: null } })
    })
  })
  test('says that a redirect is not followed', async () => {
    await answering(
      (_, response) => void response.writeHead(302, { location: 'https://elsewhere.test/' }).end(),
      async (url) => {
        expect(await examined({ IAC_BASE_URL: url }, 'abc')).toMatchObject({ code: 1, found: { service: 'api_error' } })
      },
    )
  })
  test('says that the workspace of the project is another, and that its state cannot be read', async () => {
    const path = join(user.folder, 'iac.yaml')
    writeFileSync(path, 'apiVersion: iac/v1\nkind: Project\nname: shop\nprovider: { workspace: { name: elsewhere } }\nstate: { path: ../outside.json }\n')
    expect(await examined({})).toEqual({ code: 3, found: { ...good, role: 'lookup_failed', state: expect.any(String) } })
    writeFileSync(path, 'apiVersion: iac/v1\nkind: Project\nname: shop\nprovider: { workspace: { id: "7" } }\n')
    expect(await examined({})).toEqual({ code: 3, found: { ...good, role: 'lookup_failed' } })
    writeFileSync(path, 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
    expect(await examined({})).toEqual({ code: 0, found: good })
  })
  test('prints a table with the way out below what failed, and no secret', async () => {
    const { code, stdout } = await user.run('doctor', { environment: { IAC_BASE_URL: user.url }, token: 'a-token-CANARY' })
    expect(code).toBe(4)
    expect(stdout).toMatch(/^✓ address  http:\S+, from\n? +IAC_BASE_URL\n|^✓ address  http:\S+, from IAC_BASE_URL\n/)
    expect(stdout).toMatch(/✗ token [^]* {11}fix: sign in with `iac login`[^]*- role {5}not looked at[^]*✓ state {4}none yet/)
    expect(stdout).not.toContain('CANARY')
  })
})

describe('whoami', () => {
  test('shows the grants of the token of a workspace, which is nobody, as probably the one that was just used', async () => {
    const words = `tokens create robots --workspace ${user.sandbox.workspaceId} --grant INSTANCE=READ --grant WORKSPACE=READ`
    const { stdout: token } = await user.run(words)
    const given = { environment: { IAC_BASE_URL: user.url }, token: token.trim() }
    const { code, stdout } = await user.run('whoami', given)
    const line = /User: +nobody: [^\n]*\nToken: +probably robots: an API token, which makes no tokens, until \S+; grants WORKSPACE READ, INSTANCE READ\n/
    expect([code, stdout]).toEqual([0, expect.stringMatching(line)])
    expect(stdout).toMatch(/default +\d+ +ADMINISTRATOR +\d+ of \d+ +\d+ of \d+\n/)
    expect(JSON.parse((await user.run('whoami --json', given)).stdout)).toMatchObject({ user: null, profile: null, token: { session: false, certain: false } })
  })
  test('names no token where several were just used', async () => {
    await user.login('second')
    await user.run('whoami', { environment: { IAC_PROFILE: 'second' } })
    const { stdout } = await user.run('whoami --json', { environment: { IAC_BASE_URL: user.url }, token: user.sandbox.token })
    expect(JSON.parse(stdout)).toMatchObject({ user: { email: 'owner@sandbox.test', verified: true }, token: null })
    expect((await user.run('logout --profile second')).code).toBe(0)
  })
})

describe.each([
  'whoami',
  'doctor',
  'tokens list',
  'tokens revoke x',
  'invites list',
  'invites lookup x',
  'invites accept x',
  'account delete',
  'account totp on',
])('iac %s', (line) => {
  test.each([
    ['null', 'null'],
    ['a list', '[1,[],"x"]'],
    [
      'other types',
      '{"id":[],"name":7,"email":{},"flags":"x","items":[null,7,{"id":{},"access_level":[],"grants":[1],"workspace":5}],"hasNext":false,"uri":5,"workspace":"w"}',
    ],
    ['no JSON', '<html>'],
    [
      'text that a terminal obeys',
      '{"id":"1","name":"\\u001b[31mred","email":"\\u001b]0;x","uri":"\\u001b[2J","items":[{"id":"1","name":"\\u001b[31mx","origin":"\\u001b[5m"}],"hasNext":false}',
    ],
  ])('stands a service that answers %s', async (_, body) => {
    await answering(
      (_path, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      async (url) => {
        const { code, stdout, stderr } = await user.run(line, { environment: { IAC_BASE_URL: url }, token: 'a-token', typed: ['no'] })
        expect([0, 1, 3, 4, 8]).toContain(code)
        expect(stdout + stderr).not.toContain('\u001b')
        expect(stderr).not.toContain('a defect of iac')
      },
    )
  })
})
