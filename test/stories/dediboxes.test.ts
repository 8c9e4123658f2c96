// An afternoon with dedicated servers: taken over by name, renamed, given addresses, switched, and let go.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const box = (name: string): string => manifest('Dedibox', 'metal', `name: ${name}`)
const address = (text: string): string => manifest('DediboxIp', 'mail', `dedibox: metal\naddress: ${text}\ntype: IPv4`)

test('Dediboxes', async () => {
  await afternoon('Dediboxes', async ({ user, write, find, tries, project }) => {
    project('provider: { compat: { busy_retry: 1s, read_grace: 1s } }')
    expect(await user('get dediboxes')).toMatch(/^metal-1 .* dedicated-8 /m)
    write(box('metal-1'), address('203.0.113.7'))
    await user('apply --auto-approve')
    write(box('database-1'), address('203.0.113.8'))
    await user('apply --auto-approve')
    expect(await user('get dediboxips')).toContain('203.0.113.8')

    await user('power Dedibox/metal cycle --auto-approve')
    await user('dedibox reset-vnc Dedibox/metal')
    const { id } = await find('dediboxips')
    await user('state rm DediboxIp/mail')
    await user(`import DediboxIp/mail ${id}`)
    write(box('database-1'))
    await user('apply --auto-approve')
    expect(await user('get dediboxips')).toBe('')
    await user('destroy --auto-approve')
    await user(`api POST /v1/dedibox/${(await find('dediboxes', 'metal-2')).id}/ips -f address=203.0.113.9 -f type=IPv4`)
    write(box('database-1'), address('203.0.113.9'))
    const refused = await tries('apply --auto-approve')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/in use: DediboxIp \d+\/\d+ has it/)])
    expect(await user('get dediboxes')).toContain('database-1')
  })
})
