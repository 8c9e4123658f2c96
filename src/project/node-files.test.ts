// The real file system: links, devices, pipes, sizes and what is left out of listings.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds, workspaceKind } from '../kinds/registry.ts'
import { decodeUtf8 } from './files.ts'
import { loadProject } from './load.ts'
import { nodeFiles } from './node-files.ts'

const base = mkdtempSync(join(tmpdir(), 'iac-files-'))
const root = join(base, 'project')

beforeAll(() => {
  for (const folder of ['', 'sub', 'sub/deep', '.hidden', 'node_modules/x', 'real']) mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['a.yaml', 'sub/b.yaml', 'sub/deep/c.yaml', '.hidden/d.yaml', 'node_modules/x/e.yaml', '../secret.yaml', 'real/r.yaml'])
    writeFileSync(join(root, file), `# ${file}`)
  symlinkSync('a.yaml', join(root, 'inside.yaml'))
  symlinkSync('../secret.yaml', join(root, 'outside.yaml'))
  symlinkSync('nowhere', join(root, 'dangling.yaml'))
  symlinkSync('loop.yaml', join(root, 'loop.yaml'))
  symlinkSync('/dev/zero', join(root, 'device.yaml'))
  symlinkSync(base, join(root, 'up'))
  symlinkSync('real', join(root, 'alias'))
  execFileSync('mkfifo', [join(root, 'pipe.yaml')])
  writeFileSync(join(root, 'large.yaml'), '')
  truncateSync(join(root, 'large.yaml'), 2000)
})
afterAll(() => rmSync(base, { recursive: true }))

test('lists what is below, in order, and what links lead to beside where it stands', () => {
  const listing = nodeFiles.list(root, () => true)
  const plain = [
    'a.yaml',
    'alias/r.yaml',
    'dangling.yaml',
    'device.yaml',
    'inside.yaml',
    'large.yaml',
    'loop.yaml',
    'outside.yaml',
    'pipe.yaml',
    'real/r.yaml',
    'sub/b.yaml',
    'sub/deep/c.yaml',
  ]
  expect(listing).toEqual({
    files: plain,
    outside: ['up'],
    linked: new Map([
      ['alias/r.yaml', 'real/r.yaml'],
      ['inside.yaml', 'a.yaml'],
    ]),
  })
  expect(nodeFiles.list(root, (path) => path !== 'sub/deep' && path !== 'up')).toMatchObject({ files: plain.slice(0, -1), outside: [] })
  expect(nodeFiles.list(join(root, 'none'), () => true).problem).toBe('it does not exist')
})

describe('reads', () => {
  const read = (path: string) => nodeFiles.read(join(root, path), { root, limitBytes: 1000 })
  test.each(['a.yaml', 'inside.yaml', 'alias/r.yaml', 'sub/../a.yaml'])('%s', (path) => {
    expect(new TextDecoder().decode(read(path).bytes)).toMatch(/^# /)
  })

  test.each([
    ['outside.yaml', 'it lies outside of the project'],
    ['up/secret.yaml', 'it lies outside of the project'],
    ['../secret.yaml', 'it lies outside of the project'],
    ['device.yaml', 'it lies outside of the project'],
    ['dangling.yaml', 'the link leads nowhere'],
    ['pipe.yaml', 'it is not a regular file'],
    ['sub', 'it is a folder'],
    ['none.yaml', 'it does not exist'],
    ['a.yaml/x', 'it is not a folder'],
    ['large.yaml', 'it has 2000 bytes, the limit is 1000'],
    ['a\0.yaml', 'the path holds a NUL character'],
  ])('not %s', (path, problem) => {
    expect(nodeFiles.read(`${root}/${path}`, { root, limitBytes: 1000 })).toEqual({ problem })
  })

  test('not a link to itself, nor a device without a root', () => {
    expect(read('loop.yaml').problem).toBe('the link leads nowhere')
    expect(nodeFiles.read('/dev/zero', { limitBytes: 1000 })).toEqual({ problem: 'it is not a regular file' })
  })

  test('and what stands somewhere', () => {
    expect(['a.yaml', 'sub', 'none', 'a\0b'].map((path) => nodeFiles.kindOf(`${root}/${path}`))).toEqual(['file', 'folder', undefined, undefined])
  })
})

test('a project with all of them: every one named once', () => {
  const variables = { flags: [], files: [], environment: {} }
  const { diagnostics } = loadProject({ files: nodeFiles, folder: root, kinds, workspaceKind, environment: null, variables, named: undefined, sandbox: false })
  expect(diagnostics.map((one) => `${one.code} ${one.position?.file}`)).toEqual(
    ['dangling.yaml', 'device.yaml', 'loop.yaml', 'outside.yaml', 'pipe.yaml', 'up'].map((file) => `file_unreadable ${file}`),
  )
})

describe('a link to a folder inside of the project', () => {
  const manifest = (name: string) =>
    `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}-net, description: d, range: 10.0.0.0/24 }\n`
  const place = (name: string, patterns: string, links: readonly (readonly [string, string])[]) => {
    const folder = join(base, name)
    for (const one of ['mods/infra/deep', '.store/five', 'empty']) mkdirSync(join(folder, one), { recursive: true })
    writeFileSync(join(folder, 'iac.yaml'), `apiVersion: iac/v1\nkind: Project\n${patterns}`)
    for (const file of ['mods/infra/none', 'mods/infra/deep/ntwo', '.store/five/nfive']) writeFileSync(join(folder, `${file}.yaml`), manifest(basename(file)))
    for (const [to, at] of links) symlinkSync(to, join(folder, at))
    const variables = { flags: [], files: [], environment: {} }
    const { project, diagnostics } = loadProject({
      files: nodeFiles,
      folder,
      kinds,
      workspaceKind,
      environment: null,
      variables,
      named: undefined,
      sandbox: false,
    })
    return [diagnostics.map((one) => one.summary), project?.resources.map((one) => `${one.position.file} ${one.address}`)]
  }
  const real = ['mods/infra/none.yaml Vpc/none', 'mods/infra/deep/ntwo.yaml Vpc/ntwo']
  test.each([
    [
      'is followed where a pattern leads through it',
      'manifests: [infra/**/*.yaml]',
      [['mods/infra', 'infra']],
      ['infra/none.yaml Vpc/none', 'infra/deep/ntwo.yaml Vpc/ntwo'],
    ],
    [
      'through several links',
      'manifests: [infra/**/*.yaml]',
      [
        ['mods', 'm'],
        ['m/infra', 'infra'],
      ],
      ['infra/none.yaml Vpc/none', 'infra/deep/ntwo.yaml Vpc/ntwo'],
    ],
    [
      'is read once, where it stands',
      '',
      [
        ['mods/infra', 'infra'],
        ['mods', 'also'],
      ],
      real,
    ],
    [
      'is read once where two links lead to it',
      'manifests: [a/**/*.yaml, b/**/*.yaml]',
      [
        ['mods/infra', 'a'],
        ['mods/infra', 'b'],
      ],
      ['a/none.yaml Vpc/none', 'a/deep/ntwo.yaml Vpc/ntwo'],
    ],
    [
      'and other patterns than the folder has',
      'manifests: [mods/infra/none.yaml, "i/deep/*.yaml"]',
      [['mods/infra', 'i']],
      ['mods/infra/none.yaml Vpc/none', 'i/deep/ntwo.yaml Vpc/ntwo'],
    ],
    [
      'in a circle ends',
      '',
      [
        ['..', 'mods/up'],
        ['.', 'self'],
        ['infra', 'mods/again'],
        ['../..', 'mods/infra/top'],
      ],
      real,
    ],
    ['to a folder that is left out by its name is read', '', [['.store/five', 'current']], ['current/nfive.yaml Vpc/nfive', ...real]],
    [
      'of a file is read once, where that stands',
      '',
      [
        ['mods/infra/none.yaml', 'a.yaml'],
        ['../mods/infra/none.yaml', 'empty/z.yaml'],
      ],
      real,
    ],
  ] as const)('%s', (name, patterns, links, resources) => {
    expect(place(name, patterns, links)).toEqual([[], resources])
  })
  test('many times over ends with a problem', () => {
    const folder = join(base, 'many')
    for (let at = 0; at < 20; at += 1) {
      mkdirSync(join(folder, `d${at}`), { recursive: true })
      for (const name of ['a', 'b']) symlinkSync(`../d${at + 1}`, join(folder, `d${at}`, name))
    }
    mkdirSync(join(folder, 'd20'))
    expect(nodeFiles.list(folder, () => true).problem).toMatch(/^d\d.*: links lead to more than 10000 folders/)
  })
})

describe('texts', () => {
  const bytes = (...values: number[]) => new Uint8Array(values)
  test('UTF-8, its mark left out or kept', () => {
    expect(decodeUtf8(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa4))).toEqual({ text: 'ä' })
    expect(decodeUtf8(bytes(0xef, 0xbb, 0xbf, 0x61), { keepBom: true })).toEqual({ text: '\uFEFFa' })
  })

  test.each([
    [[0x61, 0xff], /byte 2 /],
    [[0x61, 0xc3], /byte 3 |byte 2 /],
    [[0xed, 0xa0, 0x80], /byte [12] /],
    [[0xff, 0xfe, 0x61, 0], /UTF-16/],
    [[0xfe, 0xff, 0, 0x61], /UTF-16/],
    [[0x61, 0, 0x62, 0], /UTF-16/],
    [[0, 0x61, 0, 0x62], /UTF-16/],
  ])('%j', (values, words) => {
    expect(decodeUtf8(bytes(...values)).problem).toMatch(words)
  })
})
