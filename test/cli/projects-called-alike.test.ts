// Comments and issues of projects of one repository that are called alike: each keeps its own, wherever the commands run and whatever comes to be beside it.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ForgeDouble } from '../builders/forge-double.ts'
import { forgeDouble } from '../builders/forge-double.ts'
import { newFolder, patientClock, runCli } from './run-cli.ts'

const projectFile = 'apiVersion: iac/v1\nkind: Project\nname: infra\n'
const manifest = '{ apiVersion: iac/v1, kind: Vpc, metadata: { name: main }, spec: { name: main-net, description: ours, range: 10.0.0.0/24 } }\n'

let forge: ForgeDouble
let root = ''
beforeAll(async () => {
  forge = await forgeDouble()
})
afterAll(() => forge.close())
beforeEach(() => {
  forge.clear()
  root = newFolder()
  mkdirSync(join(root, '.git'))
})

/** A project with one network, with a project file or without. */
function project(folder: string, text?: string): string {
  mkdirSync(join(root, folder), { recursive: true })
  if (text !== undefined) writeFileSync(join(root, folder, 'iac.yaml'), text)
  writeFileSync(join(root, folder, 'main.yaml'), manifest)
  return folder
}

const iac = async (folder: string, ...words: readonly string[]) =>
  await runCli(words, { folder: join(root, folder), environment: forge.places.github, clock: patientClock })
const plan = async (folder: string) => expect(await iac(folder, 'plan', '--sandbox', '--out', 'p.plan')).toMatchObject({ code: 0 })
const comment = async (folder: string, file: string) => (await iac(folder, 'comment', 'github', '--plan', file)).stdout.trim()
const drift = async (folder: string) => (await iac(folder, 'drift', '--issue', 'github', '--sandbox')).stderr.trim()

/** Applies, and has somebody change the network. */
async function drifted(folder: string): Promise<void> {
  await iac(folder, 'apply', '--auto-approve', '--sandbox')
  const [vpc] = JSON.parse((await iac(folder, 'state', 'list', '--json', '--sandbox')).stdout)
  await iac(folder, 'api', 'PATCH', `/v1/vpcs/${vpc.id}`, '-f', 'description=theirs', '--sandbox')
}

test.each<[string, string | undefined]>([
  ['with project files', projectFile],
  ['without project files', undefined],
])(
  'folders %s have a comment each, in whatever folder it is written',
  async (_, text) => {
    for (const folder of ['a/infra', 'b/infra']) await plan(project(folder, text))
    expect(await comment('.', 'a/infra/p.plan')).toBe('comment 1 on acme/shop#7 created')
    expect(await comment('.', 'b/infra/p.plan')).toBe('comment 2 on acme/shop#7 created')
    expect(await comment('b/infra', '../../a/infra/p.plan')).toBe('the comment on acme/shop#7 is up to date')
    await plan('b/infra')
    expect(await comment('b/infra', 'p.plan')).toBe('comment 2 on acme/shop#7 updated')
    expect(forge.comments).toHaveLength(2)
  },
  60_000,
)

test('a folder without a project file closes no issue of another one that is called so', async () => {
  await drifted(project('a/infra'))
  await iac(project('b/infra'), 'apply', '--auto-approve', '--sandbox')
  expect(await drift('a/infra')).toContain('issue #1 in acme/shop opened')
  expect(await drift('b/infra')).toBe('')
  expect(forge.issues).toMatchObject([{ state: 'open' }])
}, 60_000)

test('a project of the same name that is added later leaves comment and issue where they are', async () => {
  await drifted(project('a', projectFile))
  await plan('a')
  expect([await drift('a'), await comment('a', 'p.plan')]).toEqual([
    expect.stringContaining('issue #1 in acme/shop opened'),
    'comment 1 on acme/shop#7 created',
  ])
  // It is clean, and looked at first.
  await iac(project('b', projectFile), 'apply', '--auto-approve', '--sandbox')
  await plan('b')
  expect([await drift('b'), await comment('b', 'p.plan')]).toEqual(['', 'comment 2 on acme/shop#7 created'])
  await plan('a')
  expect([await drift('a'), await comment('a', 'p.plan')]).toEqual([
    expect.stringContaining('issue #1 in acme/shop updated'),
    'comment 1 on acme/shop#7 updated',
  ])
  expect([forge.issues, forge.comments]).toMatchObject([[{ state: 'open' }], [{}, {}]])
}, 60_000)

test('what may not be read elsewhere in the repository leaves the comment where it is', async () => {
  await plan(project('a', projectFile))
  expect(await comment('a', 'p.plan')).toContain('comment 1 on acme/shop#7 created')
  mkdirSync(join(root, 'other'))
  symlinkSync('nowhere', join(root, 'other/iac.yaml'))
  await plan('a')
  expect(await comment('a', 'p.plan')).toBe('comment 1 on acme/shop#7 updated')
})
