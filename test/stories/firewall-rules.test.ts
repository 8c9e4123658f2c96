// An afternoon with a firewall: SSH for one network, a look at what is set, a rule that somebody made in the panel, and one less.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const web = manifest('Instance', 'web', 'name: web\ntype: PLAN\nplan: ryzen-2\nregion: fra-1\nfirewall_enabled: true')
const rule = (name: string, port: number): string =>
  manifest('FirewallRule', name, `instance: web\ntype: IPv4\nprotocol: TCP\naction: ACCEPT\nport_start: ${port}\npriority: ${port}`)

test('Firewall rules', async () => {
  await afternoon('Firewall rules', async ({ user, write }) => {
    write(web, rule('ssh', 22), rule('http', 80))
    await user('apply --auto-approve')
    const rules: readonly { readonly id: string; readonly port_start: number }[] = JSON.parse(await user('get firewallrules --json'))
    expect(rules.map((one) => one.port_start).toSorted()).toEqual([22, 80])
    await user('state rm FirewallRule/ssh')
    await user(`import FirewallRule/ssh ${rules.find((one) => one.port_start === 22)?.id}`)
    write(web, rule('ssh', 22))
    await user('apply --auto-approve')
    expect(JSON.parse(await user('get firewallrules --json'))).toHaveLength(1)
    expect(await user('drift --unmanaged')).toContain('No drift')
  })
})
