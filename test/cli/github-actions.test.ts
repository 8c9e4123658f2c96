// What a run leaves behind for GitHub Actions: outputs, a summary, annotations, and masks before anything else.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { newFolder, runCli, surroundingsFor } from './run-cli.ts'

const secret = 'first-line-of-it\nsecond%line'

function step(iac = 'variables: { key: { type: string, sensitive: true } }\n') {
  const folder = newFolder()
  const [output, summary] = [join(folder, 'output'), join(folder, 'summary')]
  mkdirSync(join(folder, 'infra'))
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nmanifests: [infra/*.yaml]\n${iac}`)
  writeFileSync(join(folder, 'infra/main.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: net, range: 10.0.0.0/24 }\n')
  const environment = { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary, IAC_VAR_key: secret }
  const run = (...words: string[]) => runCli([...words, '--sandbox'], { folder, environment })
  const outputs = (): Record<string, string> =>
    Object.fromEntries(
      readFileSync(output, 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
    )
  return { folder, output, summary, run, outputs }
}

describe('with GITHUB_ACTIONS', () => {
  test('a plan tells its numbers, its review and its exit code, and hides what is secret first', async () => {
    const { run, outputs, summary } = step()
    const done = await run('plan', '--detailed-exitcode')
    expect(done.code, done.stderr).toBe(2)
    expect(outputs()).toMatchObject({
      changes: 'true',
      to_add: '1',
      to_change: '0',
      to_destroy: '0',
      to_replace: '0',
      to_import: '0',
      drift: 'false',
      exitcode: '2',
      review: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const lines = done.stderr.split('\n')
    expect(lines.slice(0, 2)).toEqual(['::add-mask::first-line-of-it', '::add-mask::second%25line'])
    expect(readFileSync(summary, 'utf8')).toContain('1 to add')
  })
  test('an apply goes on with the review of its plan, and a drift tells of drift', async () => {
    const { run, outputs } = step()
    await run('plan')
    const { review = '' } = outputs()
    const done = await run('apply', '--expect-review', review)
    expect(done.code, done.stderr).toBe(0)
    expect(outputs()).toMatchObject({ exitcode: '0', to_add: '1' })
    expect((await run('drift')).code).toBe(0)
    expect(outputs()).toMatchObject({ drift: 'false' })
  })
  test('a run that fails before there is a plan tells its exit code, where it failed, and why', async () => {
    const { run, outputs, summary, folder } = step()
    writeFileSync(join(folder, 'infra/main.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { description: net, range: nonsense }\n')
    const done = await run('plan', '--format', `sarif=${join(folder, 'found.sarif')}`, '--format', `html=${join(folder, 'plan.html')}`)
    expect(done.code).toBe(3)
    expect(outputs()).toEqual({ exitcode: '3' })
    expect(done.stderr).toMatch(/^::error file=infra\/main\.yaml,line=4,col=\d+[^\n]*::/m)
    expect(readFileSync(summary, 'utf8')).toContain('Nothing was planned: 1 error.')
    expect(JSON.parse(readFileSync(join(folder, 'found.sarif'), 'utf8'))).toMatchObject({ runs: [{ results: [{ level: 'error' }] }] })
    expect(existsSync(join(folder, 'plan.html'))).toBe(false)
    for (const command of ['apply', 'destroy', 'drift']) {
      writeFileSync(join(folder, 'output'), '')
      expect((await run(command, ...(command === 'drift' ? [] : ['--auto-approve']))).code).toBe(3)
      expect(outputs()).toEqual({ exitcode: '3' })
    }
  })
  test('a run that fails after its reports were written leaves them, and tells why it ended', async () => {
    const { run, outputs, folder } = step()
    const done = await run(
      'plan',
      '--format',
      `sarif=${join(folder, 'found.sarif')}`,
      '--format',
      `junit=${join(folder, 'plan.xml')}`,
      '--out',
      '/proc/iac.plan',
    )
    expect([done.code, outputs().exitcode]).toEqual([1, '1'])
    expect(readFileSync(join(folder, 'plan.xml'), 'utf8')).toContain('Vpc/main')
    expect(readFileSync(join(folder, 'found.sarif'), 'utf8')).not.toContain('cannot be written')
  })
  test('a name that no file can have is a mistake of the command line', async () => {
    const { run, outputs, folder } = step()
    const done = await run('plan', '--out', join(folder, 'x'.repeat(300)))
    expect([done.code, done.stderr, outputs()]).toEqual([3, expect.stringContaining('cannot be written: its name is too long'), { exitcode: '3' }])
  })
  test('a run that is stopped tells the exit code that it ends with', async () => {
    const { folder, output, outputs } = step()
    writeFileSync(join(folder, 'infra/main.yaml'), 'kind: [')
    const environment = { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: output }
    const surroundings = surroundingsFor({ folder, environment }, { stdout: '', stderr: '' })
    expect(await runCommand(['plan', '--sandbox'], { ...surroundings, stop: AbortSignal.abort() })).toBe(130)
    expect(outputs()).toEqual({ exitcode: '130' })
  })
  test('a run that may not write where it was to writes nothing there', async () => {
    const { run, outputs, folder } = step()
    const manifest = readFileSync(join(folder, 'infra/main.yaml'), 'utf8')
    expect((await run('plan', '--format', `sarif=${join(folder, 'infra/main.yaml')}`)).code).toBe(3)
    expect(readFileSync(join(folder, 'infra/main.yaml'), 'utf8')).toBe(manifest)
    expect(outputs()).toEqual({ exitcode: '3' })
  })
  test('diagnostics are annotations where they stand, and nothing of them is on standard output with --json', async () => {
    const { run } = step('policies:\n  - { name: none, each: change, assert: "false", message: "::error::not so" }\n')
    const done = await run('plan')
    expect(done.code).toBe(5)
    expect(done.stderr).toMatch(/^::error .*file=.*iac\.yaml,line=6/m)
    expect(done.stderr.match(/^::error::/m)).toBeNull()
    expect(done.stdout).not.toContain('::')
    const json = await run('plan', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ format: 'iac-plan/v1' })
    expect(json.stderr).toMatch(/^::error /m)
  })
  test('--no-ci, or another runner, writes nothing', async () => {
    const { run, output, summary } = step()
    const done = await run('plan', '--no-ci')
    expect(done.stdout + done.stderr).not.toContain('::add-mask')
    expect([existsSync(output), existsSync(summary)]).toEqual([false, false])
  })
  test('files that cannot be written are a warning', async () => {
    const { folder } = step()
    const done = await runCli(['plan', '--sandbox'], {
      folder,
      environment: { GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: join(folder, 'no', 'folder'), IAC_VAR_key: 'abcdef' },
    })
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining('could not be written')])
  })
})
