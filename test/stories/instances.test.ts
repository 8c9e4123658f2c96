// An afternoon with a server: made, looked at, changed, switched off and on, measured, and gone.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const HOUR_MS = 3_600_000
const web = (name: string): string => manifest('Instance', 'web', `name: ${name}\ntype: PLAN\nplan: ryzen-2\nregion: fra-1`)

test('Instances', async () => {
  await afternoon('Instances', async ({ user, write, find, control }) => {
    write(web('web'))
    expect(await user('plan')).toContain('1 to add')
    await user('apply --auto-approve')
    write(web('front'))
    await user('apply --auto-approve')
    await user('power Instance/web off --auto-approve')
    expect(await user('get instances --online false -o name')).toBe('Instance/front\n')
    await user('power Instance/web on')
    await control('POST', '/clock/advance', { ms: HOUR_MS })
    await user('metrics Instance/web')
    const { id } = await find('instances', 'front')
    await user('state rm Instance/web')
    await user(`import Instance/web ${id}`)
    await user('destroy --auto-approve')
    expect(await user('get instances')).toBe('')
  })
})
