// Blocks of iac.yaml where a run reads some files alone (-f): they are about the whole project.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const head = 'apiVersion: iac/v1\nkind: Project\nname: files\n'
const network = (name: string, range: string) => `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { description: ${name}, range: ${range} }\n`

async function madeProject() {
  const folder = newFolder()
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text)
  const run = async (...words: readonly string[]) => await runCli([...words, '--sandbox'], { folder })
  write('iac.yaml', head)
  write('old.yaml', network('former', '10.0.0.0/24'))
  expect((await run('apply', '--auto-approve')).code).toBe(0)
  write('iac.yaml', `${head}moved: [{ from: Vpc/former, to: Vpc/present }]\n`)
  write('new.yaml', network('present', '10.0.0.0/24'))
  write('other.yaml', network('other', '10.1.0.0/24'))
  return { run, drop: (file: string): void => rmSync(join(folder, file)) }
}

test.each(['new.yaml', 'other.yaml', 'old.yaml'])('a move from what another file still declares is refused with -f %s, as without', async (file) => {
  const { run } = await madeProject()
  const refused = { code: 3, stderr: expect.stringContaining('Vpc/former is still declared') }
  for (const words of [['validate'], ['plan', '-f', file], ['apply', '--auto-approve', '-f', file]]) expect(await run(...words)).toMatchObject(refused)
  expect((await run('state', 'list')).stdout).toBe('Vpc/former\n')
})

test.each(['new.yaml', 'other.yaml'])('a move from what no file declares any more is carried out with -f %s', async (file) => {
  const { run, drop } = await madeProject()
  drop('old.yaml')
  expect((await run('apply', '--auto-approve', '-f', file)).code).toBe(0)
  expect((await run('state', 'list')).stdout).toMatch(/^Vpc\/present$/m)
  expect((await run('plan')).stdout).not.toMatch(/Vpc\/present will be created/)
})
