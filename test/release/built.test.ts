// A release as it was built: in the long form one for x64, and with RELEASE_FOLDER that one; what is in it is tried as users would.
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { trackedFiles } from '../../.ci/release/checkout.mjs'
import { libraries } from '../../.ci/release/debian-package.mjs'
import { fuse } from '../../.ci/release/executable.mjs'
import { publishedManifest } from '../../.ci/release/npm-package.mjs'
import type { TargetName } from '../../.ci/release/targets.mjs'
import { fileNames, targets } from '../../.ci/release/targets.mjs'
import packageJson from '../../package.json' with { type: 'json' }
import { commandTable } from '../../src/cli/command-table.ts'
import { installLines } from '../../src/cli/documents/pipelines/pipeline.ts'
import { buildImage } from '../builders/container-build.ts'
import { isLongForm } from '../builders/long-form.ts'

const { version } = packageJson
const run = promisify(execFile)
const NOT_FETCHED = 75
const folder = mkdtempSync(join(tmpdir(), 'iac-release-'))
const release = process.env['RELEASE_FOLDER'] ?? (isLongForm ? await built() : undefined)

/** Builds one; undefined, and said loudly, where node cannot be fetched. */
async function built(): Promise<string | undefined> {
  const out = join(folder, 'release')
  try {
    await run(process.execPath, ['.ci/release.mjs', '--dirty', '--out', out, '--targets', 'linux-x64'])
    return out
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === NOT_FETCHED)) throw error
    console.warn(`\n*** SKIPPED: what a release holds was not tried. ${error.message} ***\n`)
    return undefined
  }
}

const there = (name: TargetName): boolean => release !== undefined && existsSync(join(release, fileNames(version, [name]).archives[name]))
const all = (['linux-x64', 'linux-arm64'] as const).filter(there)
const here = all.find((name) => process.platform === 'linux' && targets[name].arch === process.arch)
const names = fileNames(version, all)
const pathOf = (name: string): string => join(release ?? '', name)

/** Unpacks the archive of a target, once, and gives what it holds below its one folder. */
function unpacked(name: TargetName): string {
  const at = join(folder, name)
  if (existsSync(at)) return at
  mkdirSync(at)
  execFileSync('tar', ['-xzf', pathOf(names.archives[name]), '-C', at, '--strip-components=1'])
  return at
}

/** A home and nothing on the PATH. */
const environment = { PATH: '', HOME: join(folder, 'home'), NO_COLOR: '1' }
mkdirSync(environment.HOME)

describe.skipIf(release === undefined)('a release', { tags: ['longer'] }, () => {
  test('its sums are right, and name every file', () => {
    const checked = execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: release, encoding: 'utf8' })
    const files = readdirSync(release ?? '').filter((name) => name !== 'SHA256SUMS')
    expect(checked.trim().split('\n').toSorted()).toEqual(files.map((name) => `${name}: OK`).toSorted())
  })

  test('its bill of materials is right by the schema, and names what the licences are of', async () => {
    const text = readFileSync(pathOf(names.bill), 'utf8')
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
    const copyright = readFileSync(join(unpacked(all[0] ?? 'linux-x64'), 'share/doc/iac/copyright'), 'utf8')
    const titles = [...copyright.matchAll(/^={80}\n(\S+ \d\S*) \(/gm)].map(([, title = '']) => title)
    expect(titles.length).toBeGreaterThan(20)
    for (const title of titles) expect(text).toContain(`"pkg:npm/${title.replace('@', '%40').replace(' ', '@')}"`)
    expect(copyright).toContain('Apache License')
    expect(copyright).toContain('OpenSSL')
  })

  test('its manual has a page for each command, and completions', () => {
    const listed = execFileSync('tar', ['-tzf', pathOf(names.manual)], { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(listed.filter((path) => path.endsWith('.1.gz'))).toHaveLength(Object.keys(commandTable).length + 1)
    for (const path of ['share/bash-completion/completions/iac', 'share/fish/vendor_completions.d/iac.fish', 'share/zsh/site-functions/_iac'])
      expect(listed).toContain(`iac-${version}-manual/${path}`)
  })

  test('its package for npm runs on node', async () => {
    const at = join(folder, 'npm')
    mkdirSync(at)
    execFileSync('tar', ['-xzf', pathOf(names.library), '-C', at])
    const ran = await run(process.execPath, [join(at, 'package/dist/main.js'), 'version'], { env: environment })
    expect(ran.stdout).toBe(`iac ${version}\n`)
    expect(JSON.parse(readFileSync(join(at, 'package/package.json'), 'utf8'))).toEqual(publishedManifest(packageJson))
    const entries = readdirSync(join(at, 'package'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
    const paths = entries.map((one) => relative(join(at, 'package'), join(one.parentPath, one.name))).filter((path) => !path.startsWith('dist/'))
    const known = await trackedFiles(['README.md', 'LICENSE', 'examples', 'schemas'])
    expect(paths.toSorted()).toEqual([...known, 'package.json'].toSorted())
  })
})

describe.each(all)('the files for %s', { tags: ['longer'] }, (name) => {
  test('hold an executable of that architecture, which asks for no library but those that every system has', () => {
    const program = join(unpacked(name), 'bin/iac')
    const bytes = readFileSync(program)
    expect([bytes.toString('latin1', 1, 4), bytes[4], bytes.readUInt16LE(18)]).toEqual(['ELF', 2, targets[name].machine])
    // Burnt: node looks for a program in itself.
    expect(bytes.includes(`${fuse}:1`)).toBe(true)
    const needed = [...execFileSync('readelf', ['--dynamic', program], { encoding: 'utf8' }).matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, library]) => library)
    expect(needed.length).toBeGreaterThan(3)
    expect(
      needed.filter(
        (library) =>
          !Object.values(libraries)
            .flat()
            .includes(library ?? ''),
      ),
    ).toEqual([])
    const symbols = execFileSync('readelf', ['--version-info', program], { encoding: 'utf8' })
    const newest = [...symbols.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
    expect(Math.max(...newest)).toBeLessThanOrEqual(28)
  })

  test('hold a package that dpkg reads, with the sums of what it installs', () => {
    const root = join(folder, `${name}-root`)
    const file = pathOf(names.packages[name])
    expect(execFileSync('dpkg-deb', ['--info', file], { encoding: 'utf8' })).toContain(`Architecture: ${targets[name].debian}\n`)
    execFileSync('dpkg-deb', ['--extract', file, root])
    execFileSync('dpkg-deb', ['--control', file, join(root, 'control')])
    expect(spawnSync('md5sum', ['--check', '--quiet', '--strict', 'control/md5sums'], { cwd: root, encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
    for (const path of ['bin/iac', 'share/doc/iac/copyright', 'share/man/man1/iac-plan.1.gz', 'share/zsh/vendor-completions/_iac'])
      expect(existsSync(join(root, 'usr', path)), path).toBe(true)
    expect(execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' })).not.toMatch(/^.{10} (?!root\/root )/m)
    if (name === here) expect(execFileSync(join(root, 'usr/bin/iac'), ['version'], { env: environment, encoding: 'utf8' })).toBe(`iac ${version}\n`)
  })
})

/** Debian's own libraries for another architecture (libstdc++6-arm64-cross), and what runs its programs (qemu-user). */
const foreign = '/usr/aarch64-linux-gnu'
const runsForeign = existsSync(`${foreign}/lib/libstdc++.so.6`) && spawnSync('qemu-aarch64', ['--version']).status === 0
test.runIf(here === 'linux-x64' && all.includes('linux-arm64') && runsForeign)('the executable for arm64 runs', () => {
  const program = join(unpacked('linux-arm64'), 'bin/iac')
  expect(execFileSync('qemu-aarch64', ['-L', foreign, program, 'version'], { encoding: 'utf8', env: { ...environment, PATH: process.env['PATH'] } })).toBe(
    `iac ${version}\n`,
  )
})

describe.runIf(here !== undefined)('the executable, in an empty folder and without a node', { tags: ['longer'] }, () => {
  const program = (): string => join(unpacked(here ?? 'linux-x64'), 'bin/iac')
  const at = join(folder, 'project')
  mkdirSync(at)
  const iac = async (...words: readonly string[]): Promise<string> => (await run(program(), words, { cwd: at, env: environment })).stdout

  test('makes a project, plans and applies it, draws it, and looks for drift', async () => {
    expect(await iac('version')).toBe(`iac ${version}\n`)
    await iac('init')
    await iac('validate')
    expect(await iac('plan', '--sandbox')).toContain('Plan: 1 to add, 0 to change, 0 to destroy.')
    expect(await iac('apply', '--sandbox', '--auto-approve')).toContain('Apply complete! Resources: 1 added')
    expect(await iac('graph', '--sandbox', '--format', 'svg')).toMatch(/^<svg .*<\/svg>\s*$/s)
    expect(await iac('drift', '--sandbox')).toContain('No drift.')
    expect(await iac('completion', 'bash')).toContain('complete ')
  })

  test('takes the code that was compiled when it was built, so that it need not keep any', () => {
    expect(readdirSync(join(environment.HOME, '.cache/iac/compiled'))).toEqual([])
  })

  test('serves the service with a preset, which it holds, too', async () => {
    const server = spawn(program(), ['sandbox', '--preset', 'small-team', '--port', '0'], { cwd: at, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const told = await new Promise<string>((done, fail) => {
        let text = ''
        server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (/IAC_TOKEN=\w+/.test(text)) done(text)
        })
        server.on('close', (code) => fail(new Error(`it ended with ${code}: ${text}`)))
      })
      const [, url = ''] = /IAC_BASE_URL=(\S+)/.exec(told) ?? []
      const [, token = ''] = /IAC_TOKEN=(\w+)/.exec(told) ?? []
      const answer = await fetch(`${url}/v1/workspaces`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(200)
      expect(JSON.stringify(await answer.json())).toContain('name')
    } finally {
      server.kill('SIGKILL')
    }
  })

  test('is what pipelines install, by their own lines', async () => {
    const curl = `curl() { cp '${pathOf(names.archives[here ?? 'linux-x64'])}' "$place/iac.tar.gz"; }`
    const lines = readFileSync(pathOf('SHA256SUMS'), 'utf8').split('\n')
    const sum = lines.find((line) => line.endsWith(names.archives[here ?? 'linux-x64'])) ?? ''
    const script = [curl, ...installLines('"$place/bin/iac" version')].join('\n')
    const env = { ...process.env, IAC_RELEASE_URL: 'https://releases.example/iac.tar.gz', IAC_RELEASE_SHA256: sum.slice(0, 64) }
    expect((await run('bash', ['-euo', 'pipefail', '-c', script], { env })).stdout).toContain(`iac ${version}\n`)
  })

  test('is in the image that the Containerfile makes', async () => {
    const image = buildImage(pathOf(names.container), release ?? '', join(folder, 'image'))
    const [entry = ''] = image.entrypoint
    expect((await run(join(image.root, entry), ['version'], { env: environment })).stdout).toBe(`iac ${version}\n`)
  })
})

describe.runIf(here !== undefined)('the page on installing', { tags: ['longer'] }, () => {
  const blocks = [...readFileSync('schemas/reference/install.md', 'utf8').matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block)
  const home = join(folder, 'user')
  const bin = join(home, 'stubs')
  mkdirSync(bin, { recursive: true })
  // An administrator is not at hand: the package is unpacked below this user's home, as apt-get would below /.
  writeFileSync(join(bin, 'sudo'), `#!/bin/sh\n[ "$1 $2" = 'apt-get install' ] && dpkg-deb --extract "$3" '${home}/root'\n`, { mode: 0o755 })
  symlinkSync(process.execPath, join(bin, 'node'))
  const started = `export RELEASES='file://${release}'\nexport VERSION=${version}\n`
  const shell = async (script: string): Promise<string> => {
    const env = {
      ...process.env,
      HOME: home,
      npm_config_prefix: join(home, 'npm'),
      PATH: `${bin}:${home}/root/usr/bin:${home}/npm/bin:${process.env['PATH'] ?? ''}`,
    }
    const at = mkdtempSync(join(folder, 'at-'))
    return (await run('bash', ['--norc', '-euo', 'pipefail', '-c', `${started}${script}`], { cwd: at, env })).stdout
  }

  test('leads through the executable, the package for Debian and that for node, and away again', async () => {
    const [, executable = '', debian = '', npm = '', uninstall = ''] = blocks
    expect(blocks).toHaveLength(5)
    for (const block of [executable, debian, npm]) expect(await shell(block)).toMatch(new RegExp(`OK\\n[^]*iac ${version.replaceAll('.', '\\.')}\\n$`))
    expect(existsSync(join(home, '.local/share/man/man1/iac.1.gz'))).toBe(true)
    await shell(uninstall)
    expect(readdirSync(join(home, '.local'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())).toEqual([])
  })
})
