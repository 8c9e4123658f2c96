// An afternoon with disks: made, grown, moved from one server to the other, put under a manifest, and thrown away.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const servers = ['web', 'api'].map((name) => manifest('Instance', name, `name: ${name}\ntype: PLAN\nplan: ryzen-4\nregion: fra-1`)).join('')
const disk = (size: string, more = ''): string => manifest('Disk', 'data', `name: data\nsize: ${size}\nbackend: CEPH\nregion: fra-1\n${more}`)

test('Disks', async () => {
  await afternoon('Disks', async ({ user, staff, write, find }) => {
    write(servers, disk('20GiB', 'instance: web'))
    await user('apply --auto-approve')
    expect(await user('get disks')).toMatch(/data +AVAILABLE +20 GiB/)

    write(servers, disk('40GiB', 'instance: api').replace('name: data\n  size', 'name: data-2\n  size'))
    expect(await user('plan')).toContain('Disk/data')
    await user('apply --auto-approve')
    expect(await user('get disks')).toMatch(/data-2 +AVAILABLE +40 GiB/)
    expect(await staff('api GET /v1/disks')).toContain('"data-2"')

    const { id } = await find('disks', 'data-2')
    await user('state rm Disk/data')
    await user(`import Disk/data ${id}`)
    await user('plan --detailed-exitcode')
    await user('destroy --auto-approve')
    expect(await user('get disks')).toBe('')
  })
})
