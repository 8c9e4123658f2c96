// The package as npm makes it: what its README leads to is in it, and it runs in an empty folder, without a network and without another package.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parseSync } from 'oxc-parser'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { packNpm } from '../../.ci/release/npm-package.mjs'
import packageJson from '../../package.json' with { type: 'json' }
import * as library from '../../src/library.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

let folder = ''
let files: readonly string[] = []
let warned = ''
const installed = (...path: readonly string[]): string => join(folder, 'node_modules/iac', ...path)
const textOf = (...path: readonly string[]): string => readFileSync(installed(...path), 'utf8')

function filesBelow(at: string, path: string): readonly string[] {
  const entries = readdirSync(join(at, path), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return entries.map((one) => relative(at, join(one.parentPath, one.name)))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'iac-package-'))
  const env = { ...process.env, npm_config_cache: join(folder, 'npm-cache'), npm_config_offline: 'true', npm_config_ignore_scripts: 'false' }
  const paths = ['README.md', 'LICENSE', ...filesBelow(root, 'examples'), ...filesBelow(root, 'schemas')]
  const tarball = await packNpm({ manifest: packageJson, root, paths, distribution: join(root, 'dist'), epoch: 0 }, join(folder, 'npm'), folder)
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}')
  warned = (await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder, env })).stderr
  files = filesBelow(installed(), '.')
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('holds what its README links to', () => {
  const links = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(5)
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/THIRD-PARTY-LICENSES.txt']))
  expect(links.filter((link) => !files.some((path) => path === link || path.startsWith(`${link}/`)))).toEqual([])
})

/** What a file imports, exports or requires by anything but a path. */
function bareNames(path: string, text: string): string[] {
  const required = [...text.matchAll(/\b(?:__)?require\(["'`]([^"'`]+)["'`]\)/g)].map(([, name = '']) => name)
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module
  const still = [...staticImports, ...staticExports.flatMap((one) => one.entries)].flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])
  const later = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1))
  return [...still, ...later, ...required].filter((name) => !/^\.{0,2}\//.test(name))
}

/** The packages that the sources name, for values or types. */
function packagesOfSources(): string[] {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const named = paths.flatMap((path) => bareNames(path, readFileSync(join(root, 'src', path), 'utf8')))
  const names = named.filter((name) => !name.startsWith('node:')).map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
  // Types alone, which nothing is bundled of.
  return [...new Set(names)].filter((name) => existsSync(join(root, 'node_modules', name)) || !existsSync(join(root, 'node_modules/@types', name)))
}

describe('installed alone', () => {
  const iac = (...words: readonly string[]) => run(process.execPath, [installed('dist/main.js'), ...words], { cwd: folder, env: { PATH: '', HOME: folder } })

  test('it brings no other package, and nothing that runs at installing', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['iac'])
    const manifest = z.record(z.string(), z.unknown()).parse(JSON.parse(textOf('package.json')))
    expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([])
    const scripts = z.record(z.string(), z.string()).parse(manifest['scripts'] ?? {})
    expect(Object.keys(scripts).filter((name) => /install$|^(?:pre|post)?(?:prepare|publish|prepublish|prepublishOnly|pack|prepack)$/.test(name))).toEqual([])
    expect(warned).toBe('')
  })

  test('its manifest is what bundlers, node and compilers expect', async () => {
    const { messages } = await publint({ pkgDir: installed(), pack: false, strict: true })
    expect(messages).toEqual([])
  })

  test('it runs, with the whole service in it', async () => {
    expect((await iac('version')).stdout).toMatch(/^iac \d+\.\d+\.\d+\n$/)
    await iac('init', 'shop')
    expect((await iac('plan', '--sandbox', '--dir', 'shop')).stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy.')
    expect((await iac('apply', '--sandbox', '--dir', 'shop', '--auto-approve')).stdout).toContain('Apply complete! Resources: 1 added')
  }, 60_000)

  test('it exports what its source does, and none of its inner names', async () => {
    const { stdout } = await run(process.execPath, ['--eval', `import('iac').then((all) => console.log(Object.keys(all).join(' ')))`], { cwd: folder })
    expect(stdout.trim().split(' ').toSorted()).toEqual(Object.keys(library).toSorted())
  })

  test('it is a library, and its types are whole by themselves', async () => {
    const program = `import { createSandbox, kinds, type Sandbox, type Plan } from 'iac'
      const sandbox: Sandbox = createSandbox({ token: 'of-tests' })
      const response: Response = await sandbox.fetch('/v1/plans', { headers: { authorization: 'Bearer of-tests' } })
      // @ts-expect-error what it gives is typed
      const wrong: number = sandbox.token
      export type Price = Plan['cost']
      console.log(response.status, kinds.length > 10, wrong)\n`
    writeFileSync(join(folder, 'consumer.ts'), program)
    writeFileSync(join(folder, 'consumer.js'), program.replaceAll(/, type \w+|^\s*export type.*$|(?<=const \w+): \w+/gm, ''))
    expect((await run(process.execPath, ['consumer.js'], { cwd: folder })).stdout).toBe('200 true of-tests\n')
    const options = { strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: [], noEmit: true, skipLibCheck: false }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }))
    await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder, '--singleThreaded'])
  }, 60_000)

  test('no file of it asks for a package by name', () => {
    const scripts = files.filter((path) => path.startsWith('dist/') && /\.c?js$/.test(path))
    expect(scripts.length).toBeGreaterThan(10)
    const named = scripts.flatMap((path) => bareNames(path, textOf(path)))
    expect(named).toContain('node:path')
    const foreign = named.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    expect(foreign).toEqual([])
  })

  test('the licence of every package that is bundled is in it, word for word', () => {
    const texts = textOf('dist/THIRD-PARTY-LICENSES.txt')
    const words = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
    for (const name of [...packagesOfSources(), 'rolldown']) {
      const folderOf = join(root, 'node_modules', name)
      const licence = readdirSync(folderOf).find((file) => /^licen[cs]e/i.test(file)) ?? ''
      const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(folderOf, 'package.json'), 'utf8')))
      expect(texts).toContain(`${name} ${version} (`)
      expect(words(texts)).toContain(words(readFileSync(join(folderOf, licence), 'utf8')))
    }
    // Inside of undici, which brings no text for it.
    expect(texts).toContain('Copyright Fedor Indutny, 2018.')
  })
})

describe('licences', () => {
  let packages = ''
  beforeAll(() => (packages = mkdtempSync(join(tmpdir(), 'iac-licences-'))))
  afterAll(() => rmSync(packages, { recursive: true, force: true }))

  /** Puts a package there; gives the path of its module. */
  function add(name: string, texts: Readonly<Record<string, string>>): string {
    const at = join(packages, 'node_modules', name)
    const all = { 'package.json': JSON.stringify({ name, version: '1.0.0', license: 'MIT' }), 'lib/part/a.js': '', ...texts }
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(join(at, path, '..'), { recursive: true })
      writeFileSync(join(at, path), text)
    }
    return join(at, 'lib/part/a.js')
  }
  async function licencesOf(...paths: readonly string[]): Promise<string> {
    const program = `import { licencesOf } from '${pathToFileURL(join(root, '.ci/licences.mjs')).href}'
      process.stdout.write(await licencesOf(JSON.parse(process.argv[1])))`
    return (await run(process.execPath, ['--input-type=module', '--eval', program, '--', JSON.stringify(paths)])).stdout
  }

  test('are those of the whole, of its parts, and notices, in the same order whatever comes first', async () => {
    const one = add('@a/one', {
      'LICENSE-MIT.txt': 'of one\r\n',
      'lib/part/LICENCE': 'of the part',
      NOTICE: 'notice of one',
      'lib/other/LICENSE': 'of another part',
    })
    const two = add('two', { COPYING: 'of two' })
    const text = await licencesOf(two, one, join(packages, 'src/ours.js'))
    expect(text).toContain('@a/one 1.0.0 (MIT)\n\nof one\n\nnotice of one\n\nof the part\n')
    expect(text).toMatch(/of the part\n\n=+\ntwo 1\.0\.0 \(MIT\)\n\nof two\n$/)
    expect(await licencesOf(one, one, two)).toBe(text)
  })

  test.each<[string, Readonly<Record<string, string>>]>([
    ['none', {}],
    ['a notice alone', { NOTICE: 'x' }],
    ['that of a part alone', { 'lib/part/LICENSE': 'x' }],
    ['an empty one', { LICENSE: ' \n' }],
    ['a module of that name', { 'license.js': 'x' }],
  ])('stop the build where there is %s', async (what, texts) => {
    await expect(licencesOf(add(`without-${what.replaceAll(' ', '-')}`, texts))).rejects.toThrow(/no licence text|is empty/)
  })
})
