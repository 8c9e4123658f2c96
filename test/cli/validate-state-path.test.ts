// `iac validate` accepts no place for the state that other commands refuse, and refuses none that they take.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'
import type { Ran } from './run-cli.ts'

const vpc = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec: { name: main-net, description: d, range: 10.0.0.0/24 }\n'

interface Made {
  readonly folder: string
  run(...words: string[]): Promise<Ran>
  runIn(environment: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran>
}

function project(lines: string, manifest = vpc): Made {
  const folder = join(newFolder(), 'project')
  mkdirSync(folder)
  writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\n${lines}`)
  writeFileSync(join(folder, 'main.yaml'), manifest)
  return { folder, run: (...words) => runCli(words, { folder }), runIn: (environment, ...words) => runCli(words, { folder, environment }) }
}

describe('validate', () => {
  test.each(['../x.json', '/tmp/x.json', '..', '.', '.git/config', 'below/.GIT/x', 'out/x.json'])(
    'says of %s what other commands say, and where',
    async (path) => {
      const { folder, run } = project(`state: { path: ${path} }\n`)
      symlinkSync(dirname(folder), join(folder, 'out'))
      const [validated, listed] = [await run('validate'), await run('state', 'list')]
      expect([validated.code, listed.code]).toEqual([3, 3])
      expect(validated.stderr.split('\n')[0]).toBe(listed.stderr.split('\n')[0])
      expect(validated.stderr).toMatch(/iac\.yaml:4:16\n/)
      expect(validated.stdout).not.toContain('Success')
    },
  )
  test('says so of the environment that is chosen, and warns of the others where IAC_STATE_DIR may name another folder there', async () => {
    const { run } = project('state: { path: s.json }\ndefault_environment: a\nenvironments:\n  a: {}\n  b: { state: { path: ../../b.json } }\n')
    const [unchosen, other] = [await run('validate'), await run('validate', '-e', 'a')]
    expect([unchosen.code, other.code, other.stderr]).toEqual([0, 0, ''])
    expect(unchosen.stderr).toMatch(/^warning: state\.path: \.\.\/\.\.\/b\.json lies outside of the project folder\n.*iac\.yaml:8:23\n[^]*-e b is refused/)
    const refused = await run('validate', '-e', 'b')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/b\.json lies outside of the project folder\n.*iac\.yaml:8:23\n/)])
  })
  test('refuses the path of every environment that no IAC_STATE_DIR makes right, or this one does not', async () => {
    const { run, runIn } = project(
      'environments:\n  a: { state: { path: ../states/a.json } }\n  b: { state: { path: ../b.json } }\n  c: { state: { path: .git/c } }\n',
    )
    const inClear = await run('validate')
    expect([inClear.code, inClear.stderr.match(/^(?:warning|error): .*$/gm)]).toEqual([
      3,
      [
        'warning: state.path: ../states/a.json lies outside of the project folder',
        'warning: state.path: ../b.json lies outside of the project folder',
        "error: state.path: .git/c lies in a folder of git's own",
      ],
    ])
    const named = await runIn({ IAC_STATE_DIR: '../states' }, 'validate')
    expect([named.code, named.stderr.match(/^(?:warning|error): .*$/gm)]).toEqual([
      3,
      ['error: state.path: ../b.json lies outside of the project folder and of IAC_STATE_DIR', "error: state.path: .git/c lies in a folder of git's own"],
    ])
    expect(named.stderr.match(/^ {2}A run .*$/gm)).toEqual(['  A run with -e b is refused.', '  A run with -e c is refused.'])
    expect((await runIn({ IAC_STATE_DIR: '../states' }, 'validate', '-e', 'a')).code).toBe(0)
  })
  test('tells of one path once, however many environments have theirs from it', async () => {
    const { run } = project('state: { path: ../x.json }\nenvironments: { a: {}, b: {}, c: { state: { path: main.yaml } } }\n')
    expect((await run('validate')).stderr.match(/^(?:warning|error): .*$/gm)).toEqual([
      'error: state.path: ../x.json lies outside of the project folder',
      'error: state.path: main.yaml is a manifest of the project',
    ])
    expect((await run('validate', '--sandbox')).code).toBe(0)
  })
  test('is no different from other commands, which say where it stands, too', async () => {
    const { run } = project('environments: { a: { state: { path: ../a.json } } }\n')
    const [validated, planned, listed] = [await run('validate', '-e', 'a'), await run('plan', '-e', 'a'), await run('state', 'list', '-e', 'a')]
    expect(validated.stderr).toMatch(/iac\.yaml:4:37\n/)
    expect([planned, listed].map(({ code, stderr }) => [code, stderr])).toEqual([
      [3, validated.stderr],
      [3, validated.stderr],
    ])
  })
  test("says so of the project's path with the environment's name", async () => {
    const { run } = project('state: { path: ../x.json }\nenvironments: { a: {}, b: { state: { path: b.json } } }\n')
    expect((await run('validate', '-e', 'a')).stderr).toMatch(/state\.path: \.\.\/x-a\.json lies outside[^]*iac\.yaml:4:16\n/)
    expect((await run('validate', '-e', 'b')).code).toBe(0)
    expect((await run('validate', '-e', 'c')).stderr).not.toContain('lies outside')
  })
  test('says so beside other mistakes, and to machines', async () => {
    const { run } = project('state: { path: ../x.json }\n', vpc.replace('range:', 'labels: {}, range:'))
    const report = JSON.parse((await run('validate', '--json')).stdout)
    expect([report.valid, report.error_count]).toEqual([false, 2])
    expect(report.diagnostics).toMatchObject([
      { code: 'invalid_value', range: { filename: 'iac.yaml', start: { line: 4, column: 16 } }, hint: expect.stringContaining('IAC_STATE_DIR') },
      { code: 'unknown_field' },
    ])
  })
  test.each([
    [{}, 3],
    [{ IAC_STATE_DIR: '../states' }, 0],
    [{ IAC_STATE_DIR: '../elsewhere' }, 3],
  ])('agrees with other commands under %j', async (environment, code) => {
    const { runIn } = project('state: { path: ../states/x.json }\n')
    expect([(await runIn(environment, 'validate')).code, (await runIn(environment, 'state', 'list')).code]).toEqual([code, code])
  })
  test('says nothing of it where the sandbox keeps the state, or another backend', async () => {
    expect((await project('state: { path: ../x.json }\n').run('validate', '--sandbox')).code).toBe(0)
    expect((await project('state: { backend: postgres }\n').run('validate')).code).toBe(0)
  })
  test.each([
    ['iac.yaml', 'is the project file'],
    ['./below/../main.yaml', 'is a manifest of the project'],
  ])('refuses %s, which no state can be', async (path, words) => {
    const { run } = project(`state: { path: ${path} }\n`)
    const [validated, listed] = [await run('validate'), await run('state', 'list')]
    expect([validated.code, validated.stderr, listed.code]).toEqual([3, expect.stringMatching(new RegExp(`${words}\\n.*iac\\.yaml:4:16\\n`)), 9])
  })
  test('refuses a manifest that is named, too', async () => {
    const { folder } = project('state: { path: main.yaml }\n')
    const named = await runCli(['validate', '--dir', folder, '-f', 'project/main.yaml'], { folder: dirname(folder) })
    expect([named.code, named.stderr]).toEqual([3, expect.stringContaining('is a manifest of the project')])
  })
  test.each(['other.yaml', 'x.json', '.iac/state.json', 'none/yet.json'])('takes %s', async (path) => {
    expect((await project(`state: { path: ${path} }\n`).run('validate')).code).toBe(0)
  })
})
