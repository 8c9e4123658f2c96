// What a cloned repository can bring along: links, data that is not the user's, states and plans in strange places. Nothing of it is written to or believed.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { trackedBelow } from '../../src/cli/storage/git-index.ts'
import { newFolder, runCli } from './run-cli.ts'

const git = (() => {
  try {
    return execFileSync('git', ['--version']).length > 0
  } catch {
    console.error('SKIPPED: what git tracks, since there is no git here')
    return false
  }
})()

let home = ''
let folder = ''
const at = (path: string): string => join(folder, path)
const victim = (): string => join(home, '.bashrc')
const run = (...words: string[]) => runCli(words, { folder })

beforeEach(() => {
  home = newFolder()
  folder = join(home, 'project')
  mkdirSync(at('data'), { recursive: true })
  writeFileSync(victim(), 'precious\n')
  writeFileSync(at('iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\n')
  writeFileSync(at('vpc.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata: {name: main}\nspec: {description: one, range: 10.0.0.0/24}\n')
})
afterEach(() => {
  if (readFileSync(victim(), 'utf8') !== 'precious\n') throw new Error('a file outside of the project was overwritten')
  rmSync(home, { recursive: true })
})

describe('the sandbox of a project', () => {
  test.each(['snapshot.json.new', 'snapshot.json.0123456789abcdef.new', 'log-1.jsonl', 'origin.json.new', 'clock.json.new'])(
    'writes nothing through %s, wherever that leads',
    async (name) => {
      mkdirSync(at('.iac/sandbox'), { recursive: true, mode: 0o700 })
      symlinkSync(victim(), at(`.iac/sandbox/${name}`))
      expect((await run('plan', '--sandbox')).code).toBe(0)
      expect((await run('plan', '--sandbox')).code).toBe(0)
    },
  )
  test.each(['snapshot.json', 'origin.json', 'clock.json', 'lock', 'log-1.jsonl'])('reads nothing through %s', async (name) => {
    expect((await run('plan', '--sandbox')).code).toBe(0)
    rmSync(at(`.iac/sandbox/${name}`), { force: true })
    symlinkSync(victim(), at(`.iac/sandbox/${name}`))
    const refused = await run('plan', '--sandbox')
    expect([refused.code === 0, refused.stderr.includes('precious')]).toEqual([false, false])
  })
  test.each(['.iac', '.iac/sandbox'])('is refused where %s is a link', async (name) => {
    mkdirSync(join(home, 'elsewhere/sandbox'), { recursive: true })
    if (name !== '.iac') mkdirSync(at('.iac'), { mode: 0o700 })
    symlinkSync(join(home, 'elsewhere'), at(name))
    const refused = await run('plan', '--sandbox')
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining(`${at(name)} is a link`)])
    expect(readdirSync(join(home, 'elsewhere/sandbox'))).toEqual([])
  })
  test('is refused where others can write to its folder', async () => {
    mkdirSync(at('.iac'))
    chmodSync(at('.iac'), 0o777)
    const refused = await run('plan', '--sandbox')
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringMatching(/can be written by others[^]*chmod go-w/)])
  })
  test('is refused in a folder that is given and is a link', async () => {
    rmSync(at('data'), { recursive: true })
    symlinkSync(home, at('data'))
    const refused = await run('sandbox', '--data', 'data')
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining('data is a link')])
  })
})

describe('a state', () => {
  test.each(['state.json', 'state.json.journal', 'state.json.lock', 'state.json.history'])('is not read through %s', async (name) => {
    mkdirSync(at('.iac'), { mode: 0o700 })
    symlinkSync(name.endsWith('history') ? home : victim(), at(`.iac/${name}`))
    const refused = await run('state', name.endsWith('history') ? 'history' : 'list')
    expect(refused.code).not.toBe(0)
    expect(refused.stdout + refused.stderr).not.toContain('precious')
  })
  test.each(['../outside.json', '/tmp/outside.json', 'out/state.json'])('does not lie at %s', async (path) => {
    symlinkSync(home, at('out'))
    writeFileSync(at('iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nstate: {path: ${path}}\n`)
    const refused = await run('state', 'list')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/lies outside of the project folder[^]*IAC_STATE_DIR/)])
  })
  test('lies where the user says', async () => {
    writeFileSync(at('iac.yaml'), `apiVersion: iac/v1\nkind: Project\nname: shop\nstate: {path: ${home}/states/shop.json}\n`)
    expect((await runCli(['state', 'list'], { folder, environment: { IAC_STATE_DIR: join(home, 'states') } })).code).toBe(0)
    expect((await runCli(['state', 'list'], { folder, environment: { IAC_STATE_DIR: 'elsewhere' } })).code).toBe(3)
  })
})

describe('files that are written', () => {
  test.each([
    ['a link', () => symlinkSync(victim(), at('out.plan')), 'out.plan', /is a link/],
    [
      'a folder that is a link',
      () => {
        mkdirSync(join(home, 'other'))
        symlinkSync(join(home, 'other'), at('plans'))
      },
      'plans/out.plan',
      /plans is a link/,
    ],
    ['a device', () => undefined, '/dev/null', /no regular file/],
  ])('--out does not go through %s', async (_, prepare, out, words) => {
    prepare()
    for (const flags of [
      ['--out', out],
      ['--format', `json=${out}`],
    ]) {
      const refused = await run('plan', '--sandbox', ...flags)
      expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(words)])
    }
    expect(existsSync(join(home, 'other/out.plan'))).toBe(false)
  })
  test.each(['.gitignore', 'schemas', '.vscode', 'iac.yaml'])('init does not go through %s', async (name) => {
    rmSync(at('vpc.yaml'))
    rmSync(at('iac.yaml'))
    mkdirSync(join(home, 'other'))
    symlinkSync(name.startsWith('.git') || name.endsWith('yaml') ? victim() : join(home, 'other'), at(name))
    const refused = await run('init')
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('is a link')])
    expect(readdirSync(join(home, 'other'))).toEqual([])
  })
})

describe.skipIf(!git)('what a repository tracks', () => {
  const inGit = (...words: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder, stdio: 'pipe' })
  function track(...settings: string[]): void {
    mkdirSync(at('.iac/sandbox'), { recursive: true, mode: 0o700 })
    writeFileSync(at('.iac/sandbox/snapshot.json'), '{}')
    for (let count = 0; count < 50; count += 1) writeFileSync(at(`data/file-${count}.txt`), '')
    inGit('init', '-q')
    inGit('add', '-A', '-f')
    inGit(...settings)
  }

  test.each([
    ['version 2', ['update-index', '--index-version', '2']],
    ['version 4', ['update-index', '--index-version', '4']],
    ['a split index', ['update-index', '--split-index']],
  ])('is refused as data of ours, with an index of %s', async (_, settings) => {
    track(...settings)
    for (const words of [
      ['plan', '--sandbox'],
      ['state', 'list'],
      ['sandbox', 'env'],
    ]) {
      const refused = await run(...words)
      expect([refused.code, refused.stderr]).toEqual([9, expect.stringMatching(/came with the repository: it tracks \.iac\/sandbox\/snapshot\.json/)])
    }
  })
  test('is found where the repository lies elsewhere, by what the environment says of it', async () => {
    track('update-index', '--index-version', '2')
    const [gitFolder, index] = [join(home, 'elsewhere.git'), join(home, 'index')]
    renameSync(at('.git'), gitFolder)
    const refused = [9, expect.stringContaining('it tracks .iac/sandbox/snapshot.json')]
    for (const environment of [{ GIT_DIR: gitFolder }, { GIT_DIR: gitFolder, GIT_WORK_TREE: folder }, { GIT_DIR: relative(folder, gitFolder) }]) {
      const ran = await runCli(['plan', '--sandbox'], { folder, environment })
      expect([ran.code, ran.stderr]).toEqual(refused)
    }
    renameSync(join(gitFolder, 'index'), index)
    inGit('init', '-q')
    const ran = await runCli(['plan', '--sandbox'], { folder, environment: { GIT_INDEX_FILE: index } })
    expect([ran.code, ran.stderr]).toEqual(refused)
    expect(trackedBelow(folder, '.iac', { environment: { GIT_DIR: gitFolder, GIT_WORK_TREE: home }, workingFolder: folder })).toBeUndefined()
  })
  test('is fine where it is not below .iac', async () => {
    inGit('init', '-q')
    inGit('add', '-A')
    expect((await run('plan', '--sandbox')).code).toBe(0)
    expect((await run('plan', '--sandbox')).code).toBe(0)
  })
  test('is found from a project deeper in the repository, and nothing of its neighbours', () => {
    for (const path of ['a', 'a/.iac', 'b', 'b/.iacs']) mkdirSync(at(path))
    for (const path of ['a/.iac/state.json', 'b/.iacs/state.json']) writeFileSync(at(path), '{}')
    inGit('init', '-q')
    inGit('add', '-A', '-f')
    expect([trackedBelow(at('a'), '.iac'), trackedBelow(at('b'), '.iac'), trackedBelow(folder, '.iac')]).toEqual(['.iac/state.json', undefined, undefined])
  })
  test('is found where the project is reached over a link, which a pull request can put in the place of its folder', async () => {
    mkdirSync(at('app/.iac/sandbox'), { recursive: true, mode: 0o700 })
    writeFileSync(at('app/.iac/sandbox/snapshot.json'), '{}')
    for (const name of ['iac.yaml', 'vpc.yaml']) renameSync(at(name), at(`app/${name}`))
    symlinkSync('app', at('infra'))
    inGit('init', '-q')
    inGit('add', '-A', '-f')
    const refused = await run('plan', '--sandbox', '--dir', 'infra')
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringMatching(/came with the repository: it tracks \.iac\/sandbox\/snapshot\.json/)])
  })
  test.each(['2', '4'])('is found in any letter case, since a file system may take it for ours, with an index of version %s', (version) => {
    for (const path of ['App', 'App/.IAC']) mkdirSync(at(path))
    writeFileSync(at('App/.IAC/state.json'), '{}')
    inGit('init', '-q')
    inGit('add', '-A', '-f')
    inGit('update-index', '--index-version', version)
    mkdirSync(at('app'), { recursive: true })
    expect([trackedBelow(at('App'), '.iac'), trackedBelow(at('app'), '.iac')]).toEqual([
      expect.stringContaining('.IAC/state.json'),
      expect.stringContaining('.IAC/state.json'),
    ])
  })
  test('is not read from what is no index', () => {
    inGit('init', '-q')
    for (const bytes of ['', 'DIRC', 'DIRC\0\0\0\x02\xff\xff\xff\xff.iac', 'x'.repeat(100)]) {
      writeFileSync(at('.git/index'), bytes)
      expect(trackedBelow(folder, '.iac')).toBeUndefined()
    }
  })
})
