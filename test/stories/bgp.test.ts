// An afternoon with BGP: a session for a server, a prefix that is announced, withdrawn and announced again, and the end of both.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const edge = manifest('Instance', 'edge', 'name: edge\ntype: PLAN\nplan: ryzen-2\nregion: fra-1')
const session = (most: number): string =>
  manifest('BgpConfiguration', 'session', `asn: 64512\npassword: "\${vars.password}"\ninstance: edge\nmax_prefixes: ${most}`)
const prefix = (enabled: boolean): string => manifest('BgpPrefix', 'net', `prefix: 203.0.113.0/24\nenabled: ${enabled}\ncommunity: DEFAULT`)

test('BGP', async () => {
  await afternoon('BGP', async ({ user, write, project }) => {
    project('variables: { password: { type: string, sensitive: true } }')
    write(edge, session(8), prefix(true))
    const password = ['--var', 'password=a-session-password']
    await user('apply --auto-approve', ...password)
    expect(await user('get bgpprefixes')).toContain('203.0.113.0/24')
    write(edge, session(9), prefix(false))
    const plan = await user('plan', ...password)
    expect(plan).toMatch(/max_prefixes = 8 -> 9[^]*enabled += true -> false/)
    expect(plan).not.toContain('a-session-password')
    await user('apply --auto-approve', ...password)
    await user('destroy --auto-approve', ...password)
    expect(await user('get bgpprefixes')).toBe('')
  })
})
