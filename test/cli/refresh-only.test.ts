// Refresh-only by the command line: nothing is created, and the sentence says so.
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const nothing = 'Apply complete! Resources: 0 added, 0 changed, 0 destroyed.'

test('records what is live, at once and from a saved plan', async () => {
  const folder = newFolder()
  const run = (...words: string[]): ReturnType<typeof runCli> => runCli([...words, '--sandbox'], { folder })
  await runCli(['init'], { folder })
  expect(await run('apply', '--refresh-only', '--auto-approve')).toMatchObject({ code: 0, stdout: expect.stringContaining(nothing) })
  expect((await run('plan', '--refresh-only')).stdout).not.toContain('will be created')
  await run('apply', '--auto-approve')
  const id = (await run('output', '--raw', 'network_id')).stdout
  await run('api', 'PATCH', `/v1/vpcs/${id}`, '-f', 'description=by hand')
  const shown = await run('plan', '--refresh-only', '--out', 'live.plan')
  expect(shown.code).toBe(0)
  expect(shown.stdout).toContain('Objects have changed outside of iac')
  expect(shown.stdout).not.toContain('No changes')
  expect(shown.stdout.trimEnd().split('\n').at(-1)).toMatch(/^This is a refresh-only plan: /)
  expect(await run('apply', 'live.plan')).toMatchObject({ code: 0, stdout: expect.stringContaining(nothing) })
  expect((await run('state', 'show', 'Vpc/main')).stdout).toContain('by hand')
  const again = await run('plan', '--refresh-only', '--detailed-exitcode')
  expect(again).toMatchObject({ code: 0, stdout: 'No changes. What is live matches what was last applied.\n' })
})

test.each([
  [['--target', 'Vpc/nosuch'], 3],
  [[], 0],
])('ends as a plain apply does: %j', async (words, code) => {
  const folder = newFolder()
  await runCli(['init'], { folder })
  const run = (...more: string[]): ReturnType<typeof runCli> => runCli(['apply', ...more, ...words, '--auto-approve', '--sandbox'], { folder })
  expect([(await run()).code, (await run('--refresh-only')).code]).toEqual([code, code])
})
