// An afternoon with private networks: servers join one, one is renamed, one is left, and what the service says of a server's own networks.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const server = (name: string, vpcs: string): string => manifest('Instance', name, `name: ${name}\ntype: PLAN\nplan: ryzen-2\nregion: fra-1\n${vpcs}`)
const vpc = (name: string): string => manifest('Vpc', 'main', `name: ${name}\ndescription: between the servers\nrange: 10.20.0.0/24`)
const joined = manifest('VpcAttachment', 'api', 'instance: api\nvpc: main')

test('VPCs', async () => {
  await afternoon('VPCs', async ({ user, write, find }) => {
    write(server('web', 'vpcs: [main]'), server('api', ''), vpc('main-net'), joined)
    await user('apply --auto-approve')
    expect(await user('topology')).toMatch(/vpc main-net[^]*instance web[^]*instance api/)
    expect(await user(`api GET /v1/instances/${(await find('instances', 'api')).id}/vpcs`)).toContain('10.20.0.')
    const { id } = await find('vpcs', 'main-net')
    await user('state rm Vpc/main')
    await user(`import Vpc/main ${id}`)

    write(server('web', 'vpcs: []'), server('api', ''), vpc('inner-net'))
    await user('apply --auto-approve')
    expect(await user('topology')).not.toMatch(/inner-net[^]*└─ instance web {2}on {2}10/)
    write(server('web', ''), server('api', ''))
    await user('apply --auto-approve')
    expect(await user('get vpcs')).toBe('')
  })
})
