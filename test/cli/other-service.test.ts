// A saved plan is of one service: made against another one, it would make everything once more there.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { all, vpc } from '../scenarios/stage.ts'
import { newFolder, runCli } from './run-cli.ts'
import type { Address } from './serve-sandbox.ts'
import { serving } from './serve-sandbox.ts'

/** A workspace and what stands in it: nothing of it is bound to a workspace that is there already. */
function newProject(): string {
  const folder = newFolder()
  const inside = vpc('inside', '10.20.0.0/24', 'workspace: prod')
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
  writeFileSync(join(folder, 'main.yaml'), all(manifest('Workspace', 'prod', 'name: prod-ws'), inside))
  return folder
}

const live = (folder: string, { url, token }: Pick<Address, 'url' | 'token'>, ...words: string[]) =>
  runCli(words, { folder, environment: { IAC_BASE_URL: url }, token })
const embedded = (folder: string, ...words: string[]) => runCli([...words, '--sandbox'], { folder })

test('a plan of the embedded service is not carried out on another one, nor the other way round', async () => {
  const folder = newProject()
  await serving(newFolder(), [], async ({ address, api }) => {
    expect((await embedded(folder, 'plan', '--out', 'sandbox.plan')).code).toBe(0)
    const refused = await live(folder, address, 'apply', 'sandbox.plan')
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('the plan was made against the embedded service')])
    expect(await api('GET', '/v1/workspaces')).not.toMatchObject({ body: { items: expect.arrayContaining([expect.objectContaining({ name: 'prod-ws' })]) } })
    expect((await live(folder, address, 'plan', '--out', 'live.plan')).code).toBe(0)
    const other = await embedded(folder, 'apply', 'live.plan')
    expect([other.code, other.stderr]).toEqual([6, expect.stringContaining('the plan was not made against the embedded service')])
    expect((await live(folder, address, 'apply', 'live.plan')).code).toBe(0)
  })
})

test('a plan of one address is not carried out at another, and its file names none', async () => {
  const folder = newProject()
  await serving(newFolder(), [], async ({ address }) => {
    expect((await live(folder, address, 'plan', '--out', 'a.plan')).code).toBe(0)
    expect(readFileSync(join(folder, 'a.plan'), 'utf8')).not.toContain(new URL(address.url).host)
    await serving(newFolder(), [], async ({ address: second }) => {
      const refused = await live(folder, second, 'apply', 'a.plan')
      expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('the plan was made against a service at another address')])
    })
  })
})
