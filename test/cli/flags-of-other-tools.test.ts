// Flags that hands bring from other tools: what has no meaning here is named without its value, with what to do instead.
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const folder = newFolder()

test.each([
  ['apply', '-refresh=false', "unknown option '--refresh'\n  hint: what is live is always read here: `iac plan` alone takes --refresh=false\n"],
  ['plan', '-compact-warnings', "unknown option '--compact-warnings'\n  hint: not needed: what is alike is told once and counted"],
  ['init', '-backend-config=password=canary', "unknown option '--backend-config'\n  hint: where the state is stands in iac.yaml: see `iac explain state`\n"],
  ['init', '-backend-config', 'password=canary', "unknown option '--backend-config'\n  hint: where the state is"],
  ['init', '-upgrade', "unknown option '--upgrade'\n  hint: not needed: there is nothing to fetch"],
  ['init', '-reconfigure', "unknown option '--reconfigure'\n  hint: not needed: iac.yaml is read in every run"],
  ['plan', '-input=canary', "unknown option '--input'\n  hint: --no-input never asks"],
  ['apply', '--input=false', "unknown option '--input'\n  hint: --no-input never asks"],
  ['drift', '-detailed-exitcode', "unknown option '--detailed-exitcode'\n  hint: `iac plan` alone takes it"],
  ['destroy', '-force', "unknown option '--force'\n  hint: where iac asks, --auto-approve goes on without the question\n"],
  ['state', 'unlock', '-force', 'ID', "unknown option '--force'\n  hint: where iac asks"],
])('%j is refused with its word', async (...line) => {
  const { code, stdout, stderr } = await runCli(line.slice(0, -1), { folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining(`error: ${line.at(-1)}`)])
  expect(stdout + stderr).not.toContain('canary')
})

test('what says no more than what is so is left out, and this is said', async () => {
  const { code, stderr } = await runCli(['init', '-backend=true', '-upgrade=false'], { folder: newFolder() })
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^note: -backend=true says what is so anyway: .*\nnote: -upgrade=false says what is so anyway: /)])
})

test.each([
  ['-refresh', 'is read as --refresh'],
  ['-lock', 'says what is so anyway'],
  ['-input', 'says what is so anyway'],
])('%s without a value is true, as everywhere else', async (flag, said) => {
  const { code, stderr } = await runCli(['plan', flag, '--sandbox'], { folder: newFolder() })
  expect([code, stderr]).toEqual([0, expect.stringContaining(`note: ${flag} ${said}: long flags have two dashes here\n`)])
})

test('what stands before the command is read as it is behind it, and this is said', async () => {
  const ran = await runCli(['-chdir=.', '-no-color', 'validate', '-json'], { folder: newFolder() })
  expect(ran.stderr.split('\n').filter((line) => line.startsWith('note: '))).toEqual([
    'note: -chdir is read as --dir: long flags have two dashes here',
    'note: -no-color is read as --no-color: long flags have two dashes here',
    'note: -json is read as --json: long flags have two dashes here',
  ])
})

test('`show -json` means the same behind -chdir', async () => {
  const folder = newFolder()
  expect((await runCli(['plan', '--sandbox', '--out', 'a.plan'], { folder })).code).toBe(0)
  const { stdout } = await runCli(['-chdir=.', 'show', '-json', 'a.plan'], { folder })
  expect(JSON.parse(stdout)).toMatchObject({ format_version: '1.2' })
})
