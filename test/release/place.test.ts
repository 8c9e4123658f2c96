// Where a release is written, and what of: asked in small checkouts, in which nothing can be built, so that whatever is not refused before fails then.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { trackedFiles } from '../../.ci/release/checkout.mjs'
import { packNpm, publishedManifest } from '../../.ci/release/npm-package.mjs'
import { intoPlace } from '../../.ci/release/place.mjs'
import packageJson from '../../package.json' with { type: 'json' }

const REFUSED = 3
const EPOCH = 1_790_000_000
const program = resolve('.ci/release.mjs')

function put(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
const newFolder = (files: Readonly<Record<string, string>> = {}): string => put(mkdtempSync(join(tmpdir(), 'iac-place-')), files)

/** A checkout without changes; its program cannot be built. */
function checkout(): string {
  const folder = newFolder({ 'package.json': JSON.stringify({ version: '1.2.0' }), 'examples/a/iac.yaml': 'a: 1\n', 'src/main.ts': 'no program\n' })
  const git = (...words: readonly string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'all')
  return folder
}

function release(folder: string, ...words: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH) } })
}

/** An earlier one, of another version and for another target. */
const earlier = {
  'iac-1.1.0-rc.1-linux-arm64.tar.gz': 'a',
  'iac_1.1.0~rc.1_arm64.deb': 'b',
  Containerfile: 'c',
  SHA256SUMS: 'd',
  'SHA256SUMS.asc': 'e',
}

describe('a folder that holds something else', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['sums of its own', { SHA256SUMS: '', 'thesis.tex': 'years of work' }],
    ['a release and a note', { ...earlier, 'notes.md': 'to keep' }],
    ['a folder that is called as a file of ours', { ...earlier, 'iac-1.1.0.tgz/inside': 'to keep' }],
    ['no sums', { Containerfile: 'of somebody else' }],
  ])('is left alone: %s', (_, files) => {
    const [folder, out] = [checkout(), newFolder(files)]
    const { status, stderr } = release(folder, '--out', out)
    expect([status, stderr]).toEqual([REFUSED, expect.stringContaining(`${out} holds`)])
    for (const [path, text] of Object.entries(files)) expect(readFileSync(join(out, path), 'utf8')).toBe(text)
  })
})

describe('an earlier release', () => {
  test('stays whole where the new one fails, which leaves nothing of itself', () => {
    const [folder, around] = [checkout(), newFolder()]
    const out = put(join(around, 'out'), earlier)
    expect(release(folder, '--out', out).status).toBe(1)
    expect(readdirSync(around)).toEqual(['out'])
    expect(Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]))).toEqual(earlier)
  })

  test('goes once the new one is complete, signature and all', async () => {
    const around = newFolder()
    const out = put(join(around, 'out'), earlier)
    await intoPlace(out, (folder) => {
      expect(readdirSync(out)).toHaveLength(5)
      put(folder, { 'iac-1.2.0.tgz': 'new', SHA256SUMS: 'of it' })
    })
    expect(readdirSync(around)).toEqual(['out'])
    expect(readdirSync(out)).toEqual(['SHA256SUMS', 'iac-1.2.0.tgz'])
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe('of it')
  })

  test('is not touched once something else came beside it meanwhile', async () => {
    const out = newFolder(earlier)
    const made = intoPlace(out, (folder) => {
      put(folder, { SHA256SUMS: 'of it' })
      put(out, { 'notes.md': 'to keep' })
    })
    await expect(made).rejects.toThrow('notes.md')
    expect(readFileSync(join(out, 'SHA256SUMS'), 'utf8')).toBe('d')
  })

  test('makes no difference where there is none', async () => {
    const out = join(newFolder(), 'deep/out')
    await intoPlace(out, (folder) => void put(folder, { SHA256SUMS: 'of it' }))
    expect(readdirSync(out)).toEqual(['SHA256SUMS'])
  })
})

describe('what is in no commit', () => {
  test.each([
    ['a new file', 'examples/a/.env'],
    ['a changed one', 'examples/a/iac.yaml'],
  ])('keeps a release from being made, unless it is asked for: %s', (_, path) => {
    const folder = put(checkout(), { [path]: 'TOKEN=secret\n' })
    const refused = release(folder, '--out', newFolder())
    expect([refused.status, refused.stderr]).toEqual([REFUSED, expect.stringContaining(path)])
    expect(refused.stderr).toContain('--dirty')
    expect(release(folder, '--dirty', '--out', newFolder()).status).toBe(1)
  })

  test('does not count where it is a release, or was left by one that was killed', () => {
    const folder = put(checkout(), { 'built/here/SHA256SUMS': '', 'built/here.fresh-abc/SHA256SUMS': '' })
    expect(release(folder, '--out', 'built/here').status).toBe(1)
  })

  test('is not among what is published', async () => {
    const folder = put(checkout(), { 'examples/a/.env': 'TOKEN=secret\n', 'examples/deploy.token': 'secret' })
    expect(await trackedFiles(['examples'], folder)).toEqual(['examples/a/iac.yaml'])
  })
})

test('outside of a checkout, and in that of something else, nothing says what belongs to a release', async () => {
  const files = { 'package.json': JSON.stringify({ version: '1.2.0' }) }
  const foreign = checkout()
  for (const folder of [newFolder(files), put(join(foreign, 'inside'), files)]) {
    const { status, stderr } = release(folder, '--dirty', '--out', newFolder())
    expect([status, stderr]).toEqual([REFUSED, expect.stringMatching(/^outside of a git checkout/)])
  }
})

test.each(['toString', 'linux-x64,', 'darwin-x64'])('%s is no target', (name) => {
  const { status, stderr } = release(newFolder(), '--targets', name)
  expect([status, stderr]).toEqual([REFUSED, expect.stringContaining('is no target')])
})

describe('the package for npm', () => {
  const files = { 'README.md': '# a\n', LICENSE: 'of tests\n', 'examples/a/iac.yaml': 'a: 1\n' }

  /** Packed from files that somebody with other habits wrote. */
  async function packed(mask: number): Promise<Buffer> {
    const before = process.umask(mask)
    try {
      const [at, work] = [newFolder({ ...files, 'dist/main.js': '#!/usr/bin/env node\n', 'dist/chunks/a.cjs': '' }), newFolder()]
      if (mask === 0) chmodSync(join(at, 'examples/a/iac.yaml'), 0o777)
      const from = { manifest: packageJson, paths: Object.keys(files), distribution: join(at, 'dist'), epoch: EPOCH }
      return readFileSync(await packNpm({ ...from, root: at }, join(work, 'npm'), work))
    } finally {
      process.umask(before)
    }
  }

  test('is the same bytes whoever makes it', async () => {
    const bytes = await packed(0o077)
    for (const mask of [0o022, 0]) expect((await packed(mask)).equals(bytes)).toBe(true)
  })

  test('says what its users need, and nothing of how it is made', () => {
    const { name, version: _, ...rest } = publishedManifest(packageJson)
    expect(name).toBe('iac')
    expect(Object.keys(rest)).toEqual(['description', 'license', 'type', 'bin', 'exports', 'engines', 'files'])
  })

  test('has no secrets of examples in it, even where it is packed by hand', () => {
    const secrets = ['.env', 'a/.env', 'a/.env.local', 'deploy.token', 'a/deploy.token', 'a/tonight.plan', 'a/.iac/state.json']
    const folder = newFolder({
      'package.json': JSON.stringify({ name: 'a', version: '1.0.0', files: packageJson.files }),
      'examples/a/iac.yaml': 'a: 1\n',
      ...Object.fromEntries(secrets.map((path) => [`examples/${path}`, 'secret'])),
    })
    const told = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' })
    expect([...told.matchAll(/"path": "(.+)"/g)].map(([, path]) => path)).toEqual(['examples/a/iac.yaml', 'package.json'])
  })
})
