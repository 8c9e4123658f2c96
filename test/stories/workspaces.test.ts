// An afternoon with workspaces: a new one for the shop, people invited to it, one who comes, and how much room there is.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const mails = z.object({ body: z.object({ mails: z.array(z.object({ kind: z.string(), code: z.string() })) }) })
const shop = (name: string): string => manifest('Workspace', 'shop', `name: ${name}`)
const invite = (level: string): string => manifest('WorkspaceInvite', 'operator', `email: operator@sandbox.test\naccess_level: ${level}`, 'workspace: shop')

test('Workspaces, invites, quota', async () => {
  await afternoon('Workspaces, invites, quota', async ({ user, staff, write, project, control }) => {
    project('provider: { workspace: Workspace/shop }')
    write(shop('shop-prod'), invite('VIEWER'))
    await user('apply --auto-approve')
    write(shop('shop-live'), invite('EDITOR'))
    await user('apply --auto-approve')
    expect(await user('get workspaces')).toContain('shop-live')
    expect(await user('quota')).toContain('max_instances')
    expect(await user('topology')).toContain('workspace shop-live')
    expect(await user('invites list --workspace shop-live')).toContain('EDITOR')
    const mail = mails.parse(await control('GET', '/mails')).body.mails.find((one) => one.kind === 'INVITE')
    expect(await staff('invites lookup', mail?.code ?? '')).toContain('shop-live')
    expect(await staff('invites accept', mail?.code ?? '')).toBe('You are EDITOR in the workspace shop-live.\n')
    write(shop('shop-live'), invite('VIEWER').replace('operator@', 'other@'))
    await user('apply --auto-approve')
    write(shop('shop-live'))
    await user('apply --auto-approve')
  })
})
