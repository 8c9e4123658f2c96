// `plan --needs` by the command line: a manifest that is one, and the calls behind it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

test('it prints a manifest that is valid as it stands, and the calls for programs', async () => {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const shown = await runCli(['plan', '--needs', '--sandbox'], { folder })
  expect(shown.code, shown.stderr).toBe(0)
  expect(shown.stdout).toMatch(/^# \d+ calls, 1 of them change something\.$/m)
  expect(shown.stdout).toContain('grants: { WORKSPACE: WRITE }')
  writeFileSync(join(folder, 'infra', 'token.yaml'), shown.stdout)
  expect(await runCli(['validate'], { folder })).toMatchObject({ code: 0, stderr: '' })
  const calls = JSON.parse((await runCli(['plan', '--needs', '--json', '--sandbox', '-f', join(folder, 'infra', 'network.yaml')], { folder })).stdout)
  expect(calls).toContainEqual({
    method: 'POST',
    path: '/v1/workspaces/{wid}/vpcs',
    section: expect.any(String),
    role: 'EDITOR',
    grant: { resource: 'WORKSPACE', level: 'WRITE' },
    session: false,
    effect: true,
  })
})
