// Where the state may stand: on a network file system with a warning, in clear never where encryption was asked for.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sharedFolderAdvice } from '../../src/cli/storage/shared-folder.ts'
import { newFolder, runCli } from './run-cli.ts'

vi.mock('../../src/state/backends/local/network-folder.ts', () => ({
  networkFileSystem: async (path: string) => (path.includes('iac-cli-') ? 'NFS' : undefined),
}))

test('a network file system is warned of', async () => {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const ran = await runCli(['apply', '--sandbox', '--auto-approve'], { folder })
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('warning: the state stands on a network file system (NFS)') })
  expect((await runCli(['plan', '--sandbox'], { folder })).stderr).not.toContain('network file system')
})

test('a state that lies in no folder is warned of nowhere', async () => {
  expect([await sharedFolderAdvice({}), (await sharedFolderAdvice({ folder: '/tmp/iac-cli-x' })).length]).toEqual([[], 1])
})

test('a state that is to be encrypted is not written in clear', async () => {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const file = join(folder, 'iac.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}state: { encryption: { keys: [env:IAC_STATE_KEY] } }\n`)
  expect(await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).toMatchObject({
    code: 9,
    stderr: expect.stringContaining('IAC_STATE_KEY is not set'),
  })
})
