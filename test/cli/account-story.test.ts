// An afternoon with an account: made, invited, guarded by a second factor, given tokens, and closed.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { coverageOf } from '../../src/sandbox/control/coverage.ts'
import { manifest } from '../builders/project.ts'
import { knownCodes } from '../builders/sandbox-bench.ts'
import { OWNER, signingIn } from '../builders/signing-in.ts'
import type { SigningIn } from '../builders/signing-in.ts'
import { emptyNotes } from '../stories/notes.ts'
import type { Ran } from './run-cli.ts'

const HOUR_MS = 3_600_000
const EMAIL = 'ann@example.test'
const first = 'a-first-password'
const second = 'a-second-password'

let user: SigningIn
let secret = ''
let reset = ''
/** Everything that was printed where no value was asked for. */
const printed: string[] = []
const notes = emptyNotes()
beforeAll(async () => void (user = watched(await signingIn())))
afterAll(() => user.close())

/** The same, with notes of what the service accepts. */
function watched(one: SigningIn): SigningIn {
  const during = <T>(line: string, work: () => Promise<T>): Promise<T> => notes.during(line.split(' '), async () => coverageOf(one.sandbox).routes, work)
  return {
    ...one,
    run: (line, given) => during(line, () => one.run(line, given)),
    answering: (line, answer) => during(line, () => one.answering(line, answer)),
  }
}

/** Types lines at a command, which has to succeed. */
async function done(line: string, typed: readonly string[] = [], environment: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const ran = await user.run(line, { typed, environment })
  expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.any(String)])
  printed.push(ran.stdout + ran.stderr)
  return ran
}

const login = (password: string, ...codes: string[]): Promise<Ran> => done(`login --url ${user.url} --email ${EMAIL}`, [password, ...codes])
const url = (): string => `--url ${user.url}`

describe.sequential('Ann', () => {
  test('types what is too short, and reads all of it in words before anything is sent', async () => {
    const { code, stderr } = await user.run(`account register ${url()} --name ab --email ann`, { typed: ['short', 'short'] })
    expect([code, stderr.match(/^error: .*$/gm)]).toEqual([
      3,
      ['error: the name must have at least 3 characters', 'error: the email must be an email address', 'error: the password must have at least 8 characters'],
    ])
    const reset = await user.run(`account reset ${url()}`, { typed: ['a-code', 'short', 'short'] })
    expect(reset).toMatchObject({ code: 3, stderr: expect.stringContaining('error: the password must have at least 8 characters\n') })
    expect(`${stderr}${reset.stderr}`).not.toMatch(/POST|short|a-code/)
  })

  test('makes an account and verifies its email, with another mail for the first that was lost', async () => {
    expect((await done(`account register ${url()} --name ann --email ${EMAIL}`, [first, first])).stdout).toContain('A mail is on its way to ann@example.test')
    await done(`account verify ${url()} --email ${EMAIL}`)
    const wrong = await user.run(`account verify abc ${url()}`)
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/^error: the email is not verified: .*not recognized\n {2}hint: .*\n {2}code: api_error\n$/),
    ])
    expect((await done(`account verify ${url()}`, [user.mailed('EMAIL_VERIFICATION', EMAIL)])).stdout).toBe('The email is verified.\n')
  })

  test('signs in, and sees who she is and what she may do', async () => {
    await login(first)
    const { stdout } = await done('whoami')
    expect(stdout).toMatch(
      /Service: http:\S+, profile default\nUser: +ann <ann@example.test>, id \d+\nToken: +login: a login session, which may make tokens, until /,
    )
    expect(stdout).toMatch(/default +\d+ +OWNER +(\d+) of \1 +(\d+) of \2\n/)
    expect((await done('doctor')).stdout).toMatch(/✓ token +a session of ann[^]*✓ role +OWNER in default[^]*✓ state +none yet/)
  })

  test('is invited to a workspace, looks at the invite, and accepts it', async () => {
    await user.login('owner')
    const asOwner = { IAC_PROFILE: 'owner' }
    await done(`api POST /v1/workspaces/${user.sandbox.workspaceId}/invites -f email=${EMAIL} -f access_level=EDITOR`, [], asOwner)
    printed.pop()
    const asAnn = { IAC_PROFILE: 'default' }
    expect((await done('invites list', [], asAnn)).stdout).toMatch(/default +EDITOR +ann@example.test +owner/)
    expect((await done(`invites lookup ${url()}`, [user.mailed('INVITE', EMAIL)])).stdout).toMatch(/default +EDITOR/)
    const wrong = await user.run('invites accept abc', { environment: asAnn })
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('the invite is not accepted: invite not found\n')])
    expect((await done('invites accept', [user.mailed('INVITE', EMAIL)], asAnn)).stdout).toBe('You are EDITOR in the workspace default.\n')
    expect((await done('whoami', [], asAnn)).stdout).toMatch(/default +\d+ +EDITOR +\d+ of \d+/)
    expect((await done(`invites list --workspace ${user.sandbox.workspaceId} --role EDITOR`, [], asOwner)).stdout).toContain(EMAIL)
    expect(await user.run('invites lookup anything', { environment: asAnn })).toMatchObject({ code: 3, stderr: expect.stringContaining('no open invite') })
    await done('logout --profile owner')
  })

  test('turns two-factor authentication on, and signs in with its codes from then on', async () => {
    for (const words of ['account totp on', 'account totp on --no-input']) expect(await user.run(words, { stdin: '' })).toMatchObject({ code: 3, stdout: '' })
    expect(user.sandbox.usage.ofRoute('createTotp')).toEqual({ accepted: 0, refused: 0 })
    const begun = await user.run('account totp on', { stdin: '000000\n' })
    expect([begun.code, begun.stdout]).toEqual([1, expect.stringMatching(/█[^]*Secret: +[A-Z2-7]+\nEmergency reset token: \S+\n/)])
    expect(await user.run('account totp on --no-input', { typed: [] })).toMatchObject({ code: 3, stdout: '' })
    const all = user.sandbox.world.tables.users
    // The setup that is confirmed is the newest: its secret is what an authenticator has scanned.
    const scanned = (): string => all.first('email', EMAIL)?.totp?.secret ?? ''
    const on = await user.run('account totp on --write-to second-factor.json', { stdin: '000000\n' })
    // The picture holds the secret, too.
    expect([on.code, on.stdout]).toEqual([1, 'Secret and emergency reset token are written.\n'])
    expect(JSON.parse(readFileSync(join(user.folder, 'second-factor.json'), 'utf8'))).toMatchObject({ secret: scanned() })
    const again = await user.run('account totp on --write-to second-factor.json', { stdin: '000000\n' })
    expect(again).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('is there already, and nothing is overwritten') })
    expect(statSync(join(user.folder, 'second-factor.json')).mode & 0o777).toBe(0o600)
    const shown = await signedOn(user)
    secret = scanned()
    reset = shown.reset
    expect(shown).toEqual({ secret, reset: all.first('email', EMAIL)?.totp?.reset })
    expect(user.profiles()).toEqual({})
    expect(await user.run('whoami')).toMatchObject({ code: 4, stderr: expect.stringContaining('`iac login`') })
    await login(first, user.authenticator(secret))
  })

  test('makes a token for a pipeline, which reaches what it was granted and makes no others', async () => {
    const made = await done('tokens create pipeline --grant WORKSPACE=WRITE --grant instance=read --write-code-to pipeline.token')
    expect([made.stdout, made.stderr]).toEqual(['', expect.stringContaining('Its code is written.')])
    const path = join(user.folder, 'pipeline.token')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const pipeline = { IAC_BASE_URL: user.url, IAC_TOKEN_FILE: path }
    const before = [readFileSync(path, 'utf8'), user.sandbox.usage.ofRoute('createToken').accepted]
    const over = await user.run('tokens create other --grant WORKSPACE=READ --write-code-to pipeline.token')
    expect(over).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/pipeline\.token is there already, and nothing is overwritten\n {2}hint: name a file/),
    })
    expect([readFileSync(path, 'utf8'), user.sandbox.usage.ofRoute('createToken').accepted]).toEqual(before)
    await done('get workspaces', [], pipeline)
    const refused = await user.run('tokens create another --grant DISK=READ', { environment: pipeline })
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/Only login sessions can create tokens[^]*iac login/)])
    expect((await done('tokens list --origin API')).stdout).toMatch(/pipeline +API +USER +WORKSPACE WRITE, INSTANCE READ/)
    for (const days of ['1d', '366d', '2020-01-01T00:00:00Z'])
      expect(await user.run(`tokens create monitor --grant INSTANCE=READ --expires ${days}`)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('7 to 365 days from now'),
      })
    for (const days of ['7d', '365d']) await done(`tokens create edge-${days} --grant INSTANCE=READ --expires ${days}`)
    const piped = await done('tokens create monitor --grant INSTANCE=READ --expires 30d')
    printed.pop()
    expect((await user.run('get workspaces', { environment: { IAC_BASE_URL: user.url }, token: piped.stdout.trim() })).code).toBe(4)
    await user.clock.advance(HOUR_MS)
    expect((await user.run('tokens revoke pipeline', { typed: ['no'] })).code).toBe(1)
    const revoked = await done('tokens revoke pipeline', ['yes'])
    expect([revoked.stdout, revoked.stderr]).toEqual(['The token pipeline is revoked.\n', expect.stringContaining('makes another')])
    expect((await user.run('get workspaces', { environment: pipeline })).code).toBe(4)
  })

  test('keeps her name in a manifest', async () => {
    writeFileSync(join(user.folder, 'me.yaml'), manifest('UserProfile', 'me', 'name: Ann Lovelace'))
    const { stdout } = await done('apply --auto-approve')
    expect(stdout).toContain('~ name')
    expect((await done('whoami')).stdout).toContain('Ann Lovelace <ann@example.test>')
  })

  test('changes her password, forgets it, and has a code mailed for another', async () => {
    const short = await user.run('account password', { typed: [first, 'short', 'short'] })
    expect([short.code, short.stderr]).toEqual([3, expect.stringContaining('error: the password must have at least 8 characters\n')])
    await done('account password', [first, second, second])
    expect(user.profiles()).toEqual({})
    await login(second, user.authenticator(secret))
    await done(`account reset ${url()} --email ${EMAIL}`)
    await done(`account reset ${url()}`, [user.mailed('PASSWORD_RESET', EMAIL), first, first])
    expect((await user.run(`login --email ${EMAIL}`, { typed: [second] })).code).toBe(4)
    await login(first, user.authenticator(secret))
  })

  test('turns the second factor off with a code, and on and off again by the emergency reset token', async () => {
    await done('account totp off', [user.authenticator(secret)])
    expect((await login(first)).stderr).not.toContain('authenticator')
    ;({ secret, reset } = await signedOn(user))
    await login(first, reset)
    expect((await login(first)).stderr).not.toContain('authenticator')
  })

  test('ends every session after a lost laptop', async () => {
    await done(`login ${url()} --email ${EMAIL} --profile laptop`, [first])
    await done('tokens revoke --sessions --auto-approve', [], { IAC_PROFILE: 'default' })
    expect(user.profiles()).toEqual({})
  })

  test('deletes an account that owns nothing any more', async () => {
    await login(first)
    const owns = await user.run('account delete', { typed: ['yes'] })
    expect([owns.code, owns.stderr]).toEqual([1, expect.stringContaining('the account owns workspaces')])
    const { users, workspaces, members } = user.sandbox.world.tables
    const [ann, owner] = [users.first('email', EMAIL)?.id ?? '', users.first('email', OWNER)?.id ?? '']
    for (const { id } of workspaces.all().filter((one) => one.ownerId === ann)) {
      workspaces.update(id, { ownerId: owner })
      members.insert({ workspaceId: id, userId: owner, accessLevel: 'OWNER' })
    }
    expect((await user.run('account delete', { typed: ['no'] })).stderr).toContain('Nothing was deleted.')
    expect((await done('account delete', ['yes'])).stdout).toBe(`The account of ${EMAIL} is deleted.\n`)
    expect(user.profiles()).toEqual({})
    expect(users.first('email', EMAIL)).toBeUndefined()
  })

  test('has seen no secret on her screen but those that she asked for', () => {
    const mails = user.sandbox.world.tables.mails.all().map((one) => one.code)
    expect(printed.length).toBeGreaterThan(20)
    for (const text of [first, second, secret, reset, ...mails]) expect(printed.join('\n')).not.toContain(text)
    expect(existsSync(user.profilesPath) ? readFileSync(user.profilesPath, 'utf8') : '').not.toContain(first)
  })
})

test('the owner locks her account by the code in the mail about a sign-in that was not hers', async () => {
  const words = `account lock --url ${user.url}`
  await user.login()
  const code = user.mailed('LOGIN', OWNER)
  const wrong = await user.run(`${words} --auto-approve`, { stdin: 'abc\n' })
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/^error: the account is not locked: .*\n {2}hint: the code stands in the mail/)])
  expect(wrong.stderr).not.toContain('POST')
  expect(await user.run(words, { typed: [code, 'no'] })).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was locked.') })
  expect(await user.run(`${words} --auto-approve`, { stdin: `${code}\n` })).toMatchObject({ code: 0, stdout: 'The account is locked.\n' })
  const again = await user.run(`login --url ${user.url} --email ${OWNER}`, { typed: [knownCodes.password] })
  expect([again.code, again.stderr]).toEqual([4, expect.stringMatching(/the account is locked\n {2}hint: the API offers no call that unlocks an account/)])
})

test('with that every call of the area was made', async () => {
  expect(await notes.hold(['Account and sign-in'])).toEqual([])
})

/** Turns the second factor on: reads what is shown, and types what an authenticator that scanned it shows. */
async function signedOn({ answering, authenticator, url }: SigningIn): Promise<{ readonly secret: string; readonly reset: string }> {
  const { code, stdout, stderr } = await answering('account totp on', (seen) => authenticator(shownIn(seen).secret))
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`Every session has ended, and is removed here (default): sign in with \`iac login --url ${url}\`.`),
  ])
  expect(stdout).toContain('Two-factor authentication is on.')
  return shownIn(stdout)
}

function shownIn(text: string): { readonly secret: string; readonly reset: string } {
  const [, shown = '', token = ''] = /Secret: +(\S+)\nEmergency reset token: (\S+)\n/.exec(text) ?? []
  return { secret: shown, reset: token }
}
