// An afternoon with what the service does: what ran in the workspace, of one server, of everybody, and one of them step by step.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const web = manifest('Instance', 'web', 'name: web\ntype: PLAN\nplan: ryzen-2\nregion: fra-1')
/** The list, newest first. */
const latest = z.tuple([z.object({ id: z.string() })], z.unknown())

test('Workflows', async () => {
  await afternoon('Workflows', async ({ user, staff, write }) => {
    write(web)
    await user('apply --auto-approve')
    await user('power Instance/web cycle --auto-approve')
    expect(await user('workflows')).toMatch(/instance\.power[^]*instance\.create/)
    const { id } = latest.parse(JSON.parse(await user('workflows --json --instance Instance/web')))[0]
    expect(await user(`workflows ${id}`)).toMatch(/^name +instance\.power$/m)
    expect(await user('drift --blame')).toContain('No drift')
    expect(await staff('workflows --all')).toContain('instance.create')
  })
})
