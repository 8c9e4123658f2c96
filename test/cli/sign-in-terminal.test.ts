// Signing in at a real terminal: what is typed is not shown, ^C ends it, and a code can be scanned.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { knownCodes } from '../builders/sandbox-bench.ts'
import { OWNER, signingIn } from '../builders/signing-in.ts'
import type { SigningIn } from '../builders/signing-in.ts'

const program = join(import.meta.dirname, '../../dist/main.js')
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
if (!hasTerminal) console.warn('\n*** SKIPPED: signing in at a terminal, which needs script(1) ***\n')

let user: SigningIn
beforeEach(async () => void (user = await signingIn()))
afterEach(() => user.close())

/** What stands on the screen once a text of a question is there, and the keys that are pressed then. */
type Pressed = readonly [seen: string, keys: (screen: string) => string]

/** Runs words at a terminal, pressing keys as questions come; what stood on the screen, what followed there, and the exit code. */
async function at(words: string, pressed: readonly Pressed[]): Promise<{ readonly screen: string; readonly code: number | null }> {
  const line = `'${process.execPath}' '${program}' ${words}; code=$?; stty -a | grep -o -e '-\\?\\becho\\b'; exit $code`
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(user.folder, 'home'), TERM: 'xterm' }
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: user.folder, env })
  const left = [...pressed]
  let [screen, from] = ['', 0]
  child.stdout.on('data', (chunk) => {
    screen += String(chunk)
    const [next] = left
    if (!next || !screen.slice(from).includes(next[0])) return
    left.shift()
    from = screen.length
    child.stdin.write(next[1](screen))
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { screen, code }
}

describe.runIf(hasTerminal)('at a terminal', () => {
  test('password and code are typed unseen, rubbed out and typed anew', async () => {
    const { users } = user.sandbox.world.tables
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    users.update(users.first('email', OWNER)?.id ?? '', { totp: { secret, reset: 'reset', active: true } })
    const code = user.authenticator(secret)
    const { screen, code: exit } = await at(`login --url ${user.url}`, [
      ['Email: ', () => `${OWNER}\r`],
      ['Password: ', () => `${knownCodes.password}typo\u007f\u007f\u007f\u007f\r`],
      ['Code of the authenticator: ', () => `${code}\r`],
    ])
    expect(exit, screen).toBe(0)
    expect(screen).toContain(`Email: ${OWNER}\r\nPassword: \r\nCode of the authenticator: \r\nSigned in to ${user.url} as ${OWNER}`)
    for (const text of [knownCodes.password, 'typo', code]) expect(screen).not.toContain(text)
    // The terminal shows again what is typed.
    expect(screen).toMatch(/\r\necho\r\n$/)
    expect((await user.run('whoami')).stdout).toContain(OWNER)
  })

  test('^C at the password ends with 130, and leaves the terminal as it was', async () => {
    const { screen, code } = await at(`login --url ${user.url} --email ${OWNER}`, [['Password: ', () => 'half\u0003']])
    expect([code, screen]).toEqual([130, expect.stringMatching(/Password: \r\n[^]*stopped[^]*\r\necho\r\n$/)])
    expect(screen).not.toContain('half')
    expect(user.profiles()).toEqual({})
  })

  test('a second factor is scanned, dark on light, and confirmed by its first code', async () => {
    await user.login()
    const secretIn = (screen: string): string => /Secret: +(\S+)/.exec(screen)?.[1] ?? ''
    const { screen, code } = await at('account totp on', [
      ['Code of the authenticator: ', () => '000000\r'],
      ['Code of the authenticator: ', (seen) => `${user.authenticator(secretIn(seen))}\r`],
    ])
    expect(code, screen).toBe(0)
    const picture = screen.split('\r\n').filter((one) => one.startsWith('\u001b[47m\u001b[30m'))
    expect(picture.length).toBeGreaterThan(15)
    expect(screen).toMatch(/Emergency reset token: \S+\r\n[^]*the code is wrong\r\n[^]*Two-factor authentication is on\./)
    expect(readFileSync(user.profilesPath, 'utf8')).not.toContain(user.url)
  })
})
