// An afternoon with recipes: the workspace's own, changed and taken over, and one that the staff offers to everybody.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const recipe = (name: string, about: string, metadata = ''): string =>
  manifest('Recipe', name, `name: ${name}\ncategory: TOOLS\ndescription: ${about}\ncommands: [{ path: /opt/base.sh }]`, metadata)

test('Recipes', async () => {
  await afternoon('Recipes', async ({ user, staff, write, find }) => {
    write(recipe('shop-base', 'first'))
    await user('apply --auto-approve')
    write(recipe('shop-base', 'second'))
    await user('apply --auto-approve')
    expect(await user('get recipes -o wide')).toContain('second')
    const { id } = await find('recipes', 'shop-base')
    await user('state rm Recipe/shop-base')
    await user(`import Recipe/shop-base ${id}`)
    await user('destroy --auto-approve')

    write(recipe('mail-server', 'for everybody', 'workspace: null'))
    await staff('apply --auto-approve')
    expect(await user('get recipes')).toContain('mail-server')
    await staff('destroy --auto-approve')
  })
})
