// A first saved plan is of the place where its state will stand: another project may have the same name.
import { copyFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { vpc } from '../scenarios/stage.ts'
import { newFolder, runCli } from './run-cli.ts'
import { serving } from './serve-sandbox.ts'

function newProject(state = ''): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${state}`)
  writeFileSync(join(folder, 'main.yaml'), vpc('main'))
  return folder
}

test('it is carried out there, in another checkout as well, and nowhere else', async () => {
  await serving(newFolder(), [], async ({ address: { url, token } }) => {
    const live = (folder: string, ...words: string[]) => runCli(words, { folder, environment: { IAC_BASE_URL: url }, token })
    const [folder, checkout, other] = [newProject(), newProject(), newProject('state: { backend: local, path: states/other.json }\n')]
    expect((await live(folder, 'plan', '--out', 'a.plan')).code).toBe(0)
    expect(readFileSync(join(folder, 'a.plan'), 'utf8')).not.toContain(folder)
    for (const to of [checkout, other]) copyFileSync(join(folder, 'a.plan'), join(to, 'a.plan'))
    const refused = await live(other, 'apply', 'a.plan')
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('the plan was made for a state in another place')])
    expect(await live(other, 'plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('Plan: 1 to add') })
    const link = join(newFolder(), 'link')
    symlinkSync(checkout, link)
    expect(await live(link, 'apply', 'a.plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 added') })
  })
})
