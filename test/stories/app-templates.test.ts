// An afternoon with apps: a template of the staff's, an app made from it on a server under a name that was free, and the template's end.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { afternoon } from './afternoon.ts'

const template = (image: string): string => manifest('AppTemplate', 'shop', `name: web-shop\ndescription: sells\nimage: ${image}`)
const web = manifest('Instance', 'web', 'name: web\ntype: PLAN\nplan: ryzen-2\nregion: fra-1')
const app = (name: string): string => manifest('App', name, `instance: web\ntemplate_id: { name: nginx }\nname: ${name}\ndomain: site.apps.sandbox.test`)

test('App templates and app domains', async () => {
  await afternoon('App templates and app domains', async ({ user, staff, write, find, tries }) => {
    write(template('registry.example/shop:1'))
    await staff('apply --auto-approve')
    write(template('registry.example/shop:2'))
    await staff('apply --auto-approve')
    expect(await user('get apptemplates')).toContain('web-shop')
    const { id } = await find('apptemplates', 'web-shop')
    await staff('state rm AppTemplate/shop')
    await staff(`import AppTemplate/shop ${id}`)
    await staff('destroy --auto-approve')

    expect(await user('get appdomains')).toContain('apps.sandbox.test')
    write(web, app('site'))
    expect(await user('apply --auto-approve')).toContain('App/site')
    write(web, app('other'))
    const refused = await tries('apply --auto-approve')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('the domain site.apps.sandbox.test is in use already')])
  })
})
