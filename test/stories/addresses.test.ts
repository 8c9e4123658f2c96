// An afternoon with addresses: one for a mail server, its name in the DNS, its lease by DHCP, and back to automatic.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const mail = manifest('Instance', 'mail', 'name: mail\ntype: PLAN\nplan: ryzen-2\nregion: fra-1')
const address = (dns: string): string => manifest('FloatingIp', 'mail', `type: IPv4\nregion: fra-1\nddos: false\ninstance: mail\n${dns}`)
const lease = manifest('DhcpSettings', 'mail', 'instance: mail\nenabled: true\nv4: mail')

test('Floating IPs, reverse DNS, DHCP', async () => {
  await afternoon('Floating IPs, reverse DNS, DHCP', async ({ user, write, tries }) => {
    write(mail, address('dns: mail.example.com'), lease)
    await user('apply --auto-approve')
    const addresses = await user('get floatingips -o wide')
    expect(addresses).toContain('mail.example.com')
    const [id] = /(?<= )\d+$/m.exec(addresses.split('\n').find((line) => line.includes('mail.example.com')) ?? '') ?? []
    await user('state rm FloatingIp/mail')
    await user(`import FloatingIp/mail ${id}`)

    write(mail, address('dns: mx.example.com'), lease)
    await user('apply --auto-approve')
    write(mail, address('dns: null'), lease)
    await user('apply --auto-approve')
    expect(await user('get floatingips -o wide')).not.toContain('.example.com')
    write(mail)
    await user('apply --auto-approve')
    expect(await tries('get dhcpsettings')).toMatchObject({ code: 0, stdout: '' })
  })
})
