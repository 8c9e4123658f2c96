// The real file system: links, devices, pipes, sizes and what is left out of listings.
import { execFileSync, spawn } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, posix, win32 } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds, workspaceKind } from '../../kinds/registry.ts'
import { loadProject } from '../load.ts'
import { decodeUtf8 } from './files.ts'
import { isInside, nodeFiles } from './node-files.ts'
import { atOnce } from './turns.ts'

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
  const listing = atOnce(nodeFiles.list(root, () => true))
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
  expect(atOnce(nodeFiles.list(root, (path) => path !== 'sub/deep' && path !== 'up'))).toMatchObject({ files: plain.slice(0, -1), outside: [] })
  expect(atOnce(nodeFiles.list(join(root, 'none'), () => true)).problem).toBe('it does not exist')
  expect(atOnce(nodeFiles.list(join(root, 'a.yaml'), () => true)).problem).toBe('it is not a folder')
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
    expect(['a.yaml', 'sub', 'none', 'a\0b', 'dangling.yaml', 'loop.yaml'].map((path) => nodeFiles.kindOf(`${root}/${path}`))).toEqual([
      'file',
      'folder',
      undefined,
      undefined,
      'file',
      'file',
    ])
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
    return [diagnostics.map((one) => one.summary), project?.resources.map((one) => `${one.position().file} ${one.address}`)]
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
  test.each([
    ['to a folder that is left out by its name', 'current', '.store/five'],
    ['to a file there', 'one.yaml', '.store/five/nfive.yaml'],
  ])('%s is refused where it declares something', (name, at, to) => {
    const summary = `${name.endsWith('there') ? at : `${at}/nfive.yaml`} cannot be read: a link leads to a dot file or into a dot folder`
    expect(place(name, '', [[to, at]])).toEqual([[summary], undefined])
  })
  test('to what other tools keep in dot folders is left alone', () => {
    mkdirSync(join(base, 'foreign/.tool'), { recursive: true })
    writeFileSync(join(base, 'foreign/.tool/x.yaml'), 'token: canary\n')
    expect(place('foreign', '', [['.tool', 'tool']])).toEqual([[], real])
  })
  test('many times over ends with a problem', () => {
    const folder = join(base, 'many')
    for (let at = 0; at < 20; at += 1) {
      mkdirSync(join(folder, `d${at}`), { recursive: true })
      for (const name of ['a', 'b']) symlinkSync(`../d${at + 1}`, join(folder, `d${at}`, name))
    }
    mkdirSync(join(folder, 'd20'))
    expect(atOnce(nodeFiles.list(folder, () => true)).problem).toMatch(/^d\d.*: links lead to more than 10000 folders/)
  })
})

describe('what a project may not read', () => {
  const folder = join(base, 'hostile')
  const loadWith = (description: string, files: Readonly<Record<string, string>> = {}) => {
    const header = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\n'
    for (const [path, text] of Object.entries({ 'm.yaml': `${header}spec: { description: "${description}", range: 10.0.0.0/24 }\n`, ...files }))
      writeFileSync(join(folder, path), text)
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
    return { description: project?.resources[0]?.position().file, told: diagnostics.map((one) => JSON.stringify(one)) }
  }
  beforeAll(() => {
    for (const one of ['.ssh', 'deep/.private', 'plain', '..2024_05_01_12_00_00.123456789']) mkdirSync(join(folder, one), { recursive: true })
    for (const one of ['.env', '.ssh/id', 'deep/.private/x', 'plain/x', '../hostile-outside', '..2024_05_01_12_00_00.123456789/mounted'])
      writeFileSync(join(folder, one), 'canary')
    symlinkSync('.env', join(folder, 'link'))
    symlinkSync('deep/.private', join(folder, 'plain/below'))
    symlinkSync('../deep/.private', join(folder, 'plain/linked'))
    symlinkSync('plain/../link', join(folder, 'twice'))
    symlinkSync('..2024_05_01_12_00_00.123456789', join(folder, '..data'))
    symlinkSync('..data/mounted', join(folder, 'mounted'))
    linkSync(join(folder, '../hostile-outside'), join(folder, 'hard'))
  })
  test.each(['.env', '.ssh/id', 'deep/.private/x', './.env', 'plain/../.env', 'link', 'twice', 'plain/linked/x'])('by file(%s)', (path) => {
    const { told } = loadWith(`\${file('${path}')}`)
    expect(told).toEqual([expect.stringMatching(/cannot be read: (?:dot files and|a link leads)/)])
    expect(told.join('')).not.toContain('canary')
  })
  test.each(['plain/x', 'mounted'])('while file(%s) stays', (path) => {
    expect(loadWith(`\${file('${path}')}`)).toEqual({ description: 'm.yaml', told: [] })
  })
  test('without a word where others have a name for it', () => {
    expect(loadWith(`\${file('hard') + file('hard')}`).told).toEqual([expect.stringContaining('file \\"hard\\" has another name')])
    linkSync(join(folder, 'm.yaml'), join(base, 'hostile-m.yaml'))
    expect(loadWith('a text').told).toEqual([expect.stringContaining('file \\"m.yaml\\" has another name')])
  })
  test('as its own file, no line of which is shown', () => {
    symlinkSync('.env', join(folder, 'iac.yaml'))
    const { told } = loadWith('a text')
    expect(told).toEqual([expect.stringContaining('iac.yaml cannot be read: a link leads to a dot file')])
    expect(told.join('')).not.toContain('canary')
  })
  test.each([
    ['a link out of it', 'out.yaml', '../hostile-outside', 'it lies outside of the project'],
    ['a link to what is hidden', 'in.yaml', '.env', 'a link leads to a dot file or into a dot folder'],
    ['what is named so', '.env', undefined, undefined],
  ])('where the command line names %s', (_, name, to, problem) => {
    if (to !== undefined) symlinkSync(to, join(folder, name))
    expect(nodeFiles.read(join(folder, name), { guard: folder, limitBytes: 100 }).problem).toBe(problem)
  })
  test("while what lies elsewhere is the command line's own", () => {
    symlinkSync('hostile/.env', join(base, 'elsewhere'))
    expect(nodeFiles.read(join(base, 'elsewhere'), { guard: folder, limitBytes: 100 }).problem).toBeUndefined()
    symlinkSync(folder, join(base, 'alias'))
    const problems = ['alias/link', 'alias/.env'].map((path) => nodeFiles.read(join(base, path), { guard: folder, limitBytes: 100 }).problem)
    expect(problems).toEqual(['a link leads to a dot file or into a dot folder', undefined])
  })
  test('also while a folder on the way becomes a link and a folder again', async () => {
    const [inside, outside] = [join(base, 'swapped'), join(base, 'secrets')]
    for (const [at, text] of [
      [join(inside, 'a'), 'inside'],
      [outside, 'canary'],
    ] as const) {
      mkdirSync(at, { recursive: true })
      writeFileSync(join(at, 'x'), text)
    }
    symlinkSync(outside, join(inside, 'link'))
    const turns = `const { renameSync: r } = require('node:fs'); for (;;) { r('a', 'kept'); r('link', 'a'); r('a', 'link'); r('kept', 'a') }`
    const child = spawn(process.execPath, ['-e', turns], { cwd: inside, stdio: 'ignore' })
    const seen = new Set<string>()
    for (const end = Date.now() + 2000; Date.now() < end;) {
      const { bytes } = nodeFiles.read(join(inside, 'a/x'), { root: inside, limitBytes: 100 })
      if (bytes) seen.add(new TextDecoder().decode(bytes))
    }
    child.kill()
    expect([...seen]).toEqual(['inside'])
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

test.each([
  ['/p', '/p', true],
  ['/p', '/p/..a/b', true],
  ['/p', '/', false],
  ['/p', '/pp', false],
])('in %s lies %s: %s', (folder, path, expected) => {
  expect([isInside(folder, path), isInside(folder, path, posix)]).toEqual([expected, expected])
})

test.each([
  ['C:\\proj', 'C:\\proj\\a.yaml', true],
  ['C:\\proj', 'c:\\PROJ\\a.yaml', true],
  ['C:\\proj', 'C:\\secrets\\k.pem', false],
  ['C:\\proj', 'D:\\secrets\\k.pem', false],
  ['C:\\proj', '\\\\host\\share\\k.pem', false],
])('on Windows, in %s lies %s: %s', (folder, path, expected) => {
  expect(isInside(folder, path, win32)).toBe(expected)
})
