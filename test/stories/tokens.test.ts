// An afternoon with tokens: one kept by a manifest and made anew, one for a pipeline of the workspace, one made by hand, and the end of all sessions.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const HOUR_MS = 3_600_000
const token = (name: string, more: string): string => manifest('ApiToken', name, `name: ${name}-token\ngrants: { INSTANCE: READ }\nlifetime: 90d\n${more}`)

test('Tokens', async () => {
  await afternoon('Tokens', async ({ user, atHome, write, find, control, address }) => {
    write(token('dashboard', 'write_code_to: { file: dashboard.token }'), token('laptop', 'subject: USER'))
    await user('apply --auto-approve')
    const { id } = await find('apitokens', 'dashboard-token')
    expect(await user('state list')).toBe('ApiToken/dashboard\nApiToken/laptop\n')
    await user('state rm ApiToken/dashboard')
    await user(`import ApiToken/dashboard ${id}`)

    expect(await user('tokens create pipeline --workspace default --grant INSTANCE=WRITE --write-code-to pipeline.token')).toBe('')
    expect(await user('tokens list')).toMatch(/laptop-token +API +USER/)
    expect(await user('tokens list --workspace default')).toMatch(/pipeline +API +WORKSPACE/)
    await user('tokens revoke pipeline --workspace default --auto-approve')
    await user('destroy --auto-approve')
    expect(await user('whoami')).toContain('owner@sandbox.test')
    const expires = new Date(Date.now() + 30 * 24 * HOUR_MS).toISOString()
    expect(await user(`api POST /v1/users/@me/tokens -f name=by-hand -f expires=${expires} -f grants[INSTANCE]=READ`)).toContain('"by-hand"')

    await atHome('login --email owner@sandbox.test --password-stdin', address.password)
    await control('POST', '/clock/advance', { ms: 20 * HOUR_MS })
    // Four hours before its end the session is made longer by whatever is called.
    expect(await atHome('whoami')).toContain('owner@sandbox.test')
    await atHome('tokens revoke --sessions --auto-approve')
  })
})
