// An afternoon with SSH keys: one for a server, taken over from the panel, replaced, and gone.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const keys = ['AAAAC3NzaC1lZDI1NTE5AAAAILe9VcEbeBsMzEOqblf52t8GYOnR1OJ+CXnuQ6QH1FSu', 'AAAAC3NzaC1lZDI1NTE5AAAAIF7sDcQZqoM3v3JfAm/anHjByxxkLur/nW4REvN3g+lC']
const key = (at: number): string => manifest('SshKey', 'work', `name: work-key\npublic_key: ssh-ed25519 ${keys[at]}`)

test('SSH keys', async () => {
  await afternoon('SSH keys', async ({ user, write, find }) => {
    write(key(0))
    await user('apply --auto-approve')
    const { id } = await find('sshkeys', 'work-key')
    await user('state rm SshKey/work')
    await user(`import SshKey/work ${id}`)
    write(key(1))
    expect(await user('plan')).toContain('must be replaced')
    await user('apply --auto-approve')
    expect((await find('sshkeys', 'work-key')).id).not.toBe(id)
    await user('destroy --auto-approve')
    expect(await user('get sshkeys')).toBe('')
  })
})
