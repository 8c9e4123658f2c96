// Who shares the machine, or a page in a browser, has no way into a sandbox: its codes are drawn, kept with its data, and no site may ask.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { hashPassword } from '../../src/sandbox/people/passwords.ts'
import { runCli } from './run-cli.ts'
import type { Address } from './serve-sandbox.ts'
import { asking, serving } from './serve-sandbox.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'iac-callers-'))))
afterEach(() => rmSync(folder, { recursive: true }))

/** What a sandbox without a secret of its own gave out: told by the seed, which everybody knows. */
const wellKnown = (label: string): string => createHash('sha256').update(`1/${label}`).digest('hex').slice(0, 40)
const digestOf = (code: string): string => createHash('sha256').update(code).digest('hex')

/** Runs `iac sandbox` in the folder, and gives what it printed and what became of the work. */
async function started<T>(words: readonly string[], work: (address: Address) => Promise<T>): Promise<{ readonly address: Address; readonly result: T }> {
  let given: { readonly address: Address; readonly result: T } | undefined
  await serving(folder, words, async ({ address }) => void (given = { address, result: await work(address) }))
  if (given === undefined) throw new Error('it did not run')
  return given
}

async function statusOf({ url }: Pick<Address, 'url'>, path: string, token: string | undefined, body?: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  return (await fetch(url + path, body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) })).status
}

const signIn = (address: Pick<Address, 'url'>, password: unknown, email = 'owner@sandbox.test') =>
  statusOf(address, '/v1/login', undefined, { email, password })
const passwordOf = (address: Address): unknown => address['password']

/** The ids that whoever starts a sandbox with the same seed sees, too. */
const rowIds = (rows: unknown): string[] =>
  z
    .array(z.looseObject({ id: z.string() }))
    .parse(rows)
    .map((one) => one.id)

describe('a neighbour on the machine', () => {
  test('learns no code from a sandbox of its own', async () => {
    const [one, two] = [await started([], async () => undefined), await started([], async () => undefined)]
    const codes = [one, two].flatMap(({ address }) => [address.token, address.operator_token, address.control_token, passwordOf(address)])
    expect(new Set(codes).size).toBe(8)
    await started([], async (address) => {
      for (const code of codes) expect(await statusOf(address, '/v1/workspaces', String(code))).toBe(401)
      expect([await signIn(address, passwordOf(one.address)), await signIn(address, passwordOf(address))]).toEqual([401, 200])
    })
  })

  test('is let in by no code that follows from the seed, nor by a password that everybody knows', async () => {
    await started([], async (address) => {
      expect(await statusOf(address, '/v1/workspaces', wellKnown('token/owner'))).toBe(401)
      expect(await statusOf(address, '/v1/nodes', wellKnown('token/operator'))).toBe(401)
      for (const email of ['owner@sandbox.test', 'operator@sandbox.test']) expect(await signIn(address, 'sandbox-password', email)).toBe(401)
    })
  })

  test('takes over no account by the code of a mail, nor the session of who has signed in', async () => {
    await started([], async (address) => {
      await statusOf(address, '/v1/reset-password', undefined, { email: 'owner@sandbox.test' })
      await signIn(address, passwordOf(address))
      const { control } = asking(address)
      const { body } = z.looseObject({ body: z.looseObject({ tables: z.record(z.string(), z.unknown()) }) }).parse(await control('GET', '/state'))
      const resets = rowIds(body.tables['codes']).map((id) => wellKnown(`code/${id}`))
      const sessions = rowIds(body.tables['tokens']).map((id) => wellKnown(`token/${id}`))
      expect([resets.length > 0, sessions.length]).toEqual([true, 3])
      for (const code of resets) expect(await statusOf(address, '/v1/reset-password', undefined, { code, password: 'of-a-neighbour' })).not.toBe(202)
      for (const code of sessions) expect(await statusOf(address, '/v1/workspaces', code)).toBe(401)
      expect(await signIn(address, 'of-a-neighbour')).toBe(401)
    })
  })
})

describe('a page of another site', () => {
  /** As no client would send it: the path as it stands here. */
  function raw({ url }: Address, path: string, body: string): Promise<string> {
    const head = [`POST ${path} HTTP/1.1`, `host: ${new URL(url).host}`, 'origin: https://evil.example', 'content-type: application/json']
    return new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
        socket.end([...head, `content-length: ${body.length}`, 'connection: close', '', body].join('\r\n')),
      )
      socket.on('data', (chunk) => (text += String(chunk))).on('error', reject)
      socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''))
    })
  }

  test('reaches no route by a path that only comes to it', async () => {
    await started([], async (address) => {
      const body = JSON.stringify({ email: 'owner@sandbox.test', password: passwordOf(address) })
      for (const path of ['/v1/login', '/_sandbox/../v1/login', '/_sandbox/%2e%2e/v1/login', '/_tenants/t1/_sandbox/../../../v1/login', '/?/../v1/login'])
        expect([path, await raw(address, path, body)]).toEqual([path, 'HTTP/1.1 403 Forbidden'])
    })
  })
})

describe('who was told the codes', () => {
  test('is let in after a restart and a reset; the data is private', async () => {
    const first = await started(['--data', 'data'], async (address) => {
      await asking(address).control('POST', '/reset', {})
      return statusOf(address, '/v1/workspaces', address.token)
    })
    expect(first.result).toBe(200)
    await started(['--data', 'data'], async (address) => {
      const { token, operator_token: operator } = first.address
      expect([address.token, address.operator_token, passwordOf(address)]).toEqual([token, operator, passwordOf(first.address)])
      expect([await statusOf(address, '/v1/workspaces', token), await statusOf(address, '/v1/nodes', operator)]).toEqual([200, 200])
      expect(await signIn(address, passwordOf(first.address))).toBe(200)
      expect(address.control_token).not.toBe(first.address.control_token)
      for (const name of readdirSync(join(folder, 'data'))) expect([name, statSync(join(folder, 'data', name)).mode & 0o077]).toEqual([name, 0])
    })
  })

  test('finds a password that was changed as it is', async () => {
    const { address: first } = await started(['--data', 'data'], (address) =>
      statusOf(address, '/v1/users/@me/password', address.token, { old_password: passwordOf(address), password: 'one-of-my-own' }),
    )
    await started(['--data', 'data'], async (address) => {
      expect([await signIn(address, 'one-of-my-own'), await signIn(address, passwordOf(first))]).toEqual([200, 401])
      expect(await statusOf(address, '/v1/workspaces', first.token)).toBe(200)
    })
  })

  test('may have fixed the token: for that run, and for `sandbox env`', async () => {
    const { address } = await started(['--data', 'data', '--token', 'of-my_tests-1'], async (one) => {
      const env = await runCli(['sandbox', 'env'], { folder })
      return [await statusOf(one, '/v1/workspaces', 'of-my_tests-1'), env.stdout.includes('export IAC_TOKEN=of-my_tests-1\n')]
    })
    expect(address.token).toBe('of-my_tests-1')
    const { address: next } = await started(['--data', 'data'], async (one) => {
      expect(await statusOf(one, '/v1/workspaces', 'of-my_tests-1')).toBe(401)
    })
    expect(next.operator_token).toBe(address.operator_token)
  })

  test.each(['', 'a b', '$(id)', "a'b", 'x'.repeat(201), 'ä'])('cannot fix it as %j', async (token) => {
    const { code, stderr } = await runCli(['sandbox', '--json', '--token', token], { folder })
    expect([code, stderr]).toEqual([3, expect.stringContaining('--token takes 1 to 200 letters, digits, - and _')])
  })
})

/** Makes of a folder one that a build without secrets has written. */
function age(data: string): void {
  const path = join(data, 'snapshot.json')
  const { secret: _, ...head } = z
    .looseObject({ snapshot: z.looseObject({ tables: z.looseObject({ tokens: z.array(z.looseObject({})), users: z.array(z.looseObject({})) }) }) })
    .parse(JSON.parse(readFileSync(path, 'utf8')))
  const { tokens, users } = head.snapshot.tables
  for (const row of tokens) row['codeHash'] = digestOf(wellKnown(row['name'] === 'operator' ? 'token/operator' : 'token/owner'))
  for (const row of users) row['passwordHash'] = hashPassword('sandbox-password', '1')
  writeFileSync(path, JSON.stringify(head))
  for (const name of readdirSync(data)) if (name.startsWith('log-')) writeFileSync(join(data, name), '')
}

test('a folder of a time when all codes were well known gets codes of its own', async () => {
  await started(['--data', 'data'], async () => undefined)
  age(join(folder, 'data'))
  const { address } = await started(['--data', 'data'], async (one) => {
    expect(await statusOf(one, '/v1/workspaces', wellKnown('token/owner'))).toBe(401)
    expect(await statusOf(one, '/v1/nodes', wellKnown('token/operator'))).toBe(401)
    expect([await signIn(one, 'sandbox-password'), await signIn(one, passwordOf(one))]).toEqual([401, 200])
  })
  await started(['--data', 'data'], async (one) => expect(one.token).toBe(address.token))
})
