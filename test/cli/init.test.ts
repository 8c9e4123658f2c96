// `iac init`: a project in an empty folder, and beside what stands there already without harm to it.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const network = (name: string): string =>
  `apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: ${name} }\nspec: { name: ${name}, description: d, range: 10.1.0.0/24 }\n`

/** A folder with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

describe('in a folder that holds manifests', () => {
  test.each(['net.yaml', 'net.yml', 'deep/er/net.yaml'])('as %s, init keeps all that was applied', async (path) => {
    const folder = folderWith({ [path]: network('mine') })
    expect((await runCli(['apply', '--sandbox', '--auto-approve'], { folder })).code).toBe(0)
    expect((await runCli(['init'], { folder })).code).toBe(0)
    const planned = await runCli(['plan', '--sandbox', '--detailed-exitcode'], { folder })
    expect(planned).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('No changes.') })
    expect(existsSync(join(folder, 'infra'))).toBe(false)
  })

  test.each([
    ['infra/network.yaml', 'other'],
    ['infra/net.yaml', 'main'],
  ])('as %s with %s, the project is valid afterwards', async (path, name) => {
    const folder = folderWith({ [path]: network(name) })
    const ran = await runCli(['init'], { folder })
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('no first one was written') })
    expect(await runCli(['validate'], { folder })).toMatchObject({ code: 0, stdout: expect.stringContaining('1 resource') })
    expect(readFileSync(join(folder, path), 'utf8')).toBe(network(name))
  })

  test('that are broken, init drops none of them either', async () => {
    const folder = folderWith({ 'net.yaml': `${network('mine')}spec: [\n` })
    await runCli(['init'], { folder })
    expect((await runCli(['validate'], { folder })).stderr).toContain('net.yaml:')
  })

  test('wires the editor to where they stand', async () => {
    const folder = folderWith({ 'net.yaml': network('a'), 'prod/b.yml': network('b'), 'prod/c.yml': network('c'), 'chart.yaml': 'kind: Chart\n' })
    await runCli(['init'], { folder })
    expect(JSON.parse(readFileSync(join(folder, '.vscode/settings.json'), 'utf8'))).toEqual({
      'yaml.schemas': { './schemas/project.schema.json': 'iac.yaml', './schemas/manifest.schema.json': ['net.yaml', 'prod/*.yml'] },
    })
  })
})

test('documents of other tools are no manifests: the project has a first one and lists its folder', async () => {
  const folder = folderWith({ 'chart.yaml': 'kind: Chart\nname: x\n' })
  await runCli(['init'], { folder })
  expect(readFileSync(join(folder, 'iac.yaml'), 'utf8')).toContain('manifests: ["infra/**/*.yaml"]')
  expect((await runCli(['validate'], { folder })).stdout).toContain('1 resource')
})

describe('what is in the way', () => {
  test.each([
    ['infra', 'a file', 'infra is a file, a folder is needed here'],
    ['.vscode', 'a file', '.vscode is a file, a folder is needed here'],
    ['.gitignore/x', 'in a folder', '.gitignore is a folder, a file is needed here'],
    ['iac.yaml/x', 'in a folder', 'iac.yaml is a folder, a file is needed here'],
  ])('%s is said before anything is written', async (path, text, says) => {
    const folder = folderWith({ [path]: text })
    const before = readdirSync(folder)
    const ran = await runCli(['init'], { folder })
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(`error: ${says}`) })
    expect(readdirSync(folder)).toEqual(before)
  })
  test('the folder itself may be a file', async () => {
    const folder = folderWith({ shop: 'a file' })
    expect(await runCli(['init', 'shop'], { folder })).toMatchObject({ code: 3, stderr: expect.stringContaining('shop is a file, a folder is needed here') })
    expect(await runCli(['init', 'shop/inner'], { folder })).toMatchObject({ code: 3, stderr: expect.stringContaining('shop is a file') })
  })
})

test.each(['123', '2026', 'true', 'null', '1.5', '0x1f', '1e3', 'shop-1.0'])('a folder called %s gives the project its name', async (name) => {
  const folder = newFolder()
  expect((await runCli(['init', name], { folder })).code).toBe(0)
  expect(await runCli(['validate', '--dir', name], { folder })).toMatchObject({ code: 0, stderr: '' })
})

test('a place that takes no folders is told at once', async () => {
  const ran = await runCli(['init', '/proc/shop'], { folder: newFolder() })
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('/proc/shop/iac.yaml cannot be written') })
})

test('git is told of what never belongs into a repository', async () => {
  const folder = folderWith({ '.gitignore': '.iac/\nnode_modules' })
  await runCli(['init'], { folder })
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('.iac/\nnode_modules\n*.token\n')
})

test('a name that is not written into a project file that stands there is said to be without effect', async () => {
  const folder = newFolder()
  await runCli(['init'], { folder })
  expect((await runCli(['init', '--name', 'other'], { folder })).stderr).toContain('--name other was not written into it')
})

test('its folders are as open as others that the user makes', async () => {
  const folder = newFolder()
  const before = process.umask(0o022)
  await runCli(['init', 'a/shop'], { folder })
  process.umask(before)
  expect(['a', 'a/shop/infra', 'a/shop/.vscode'].map((path) => statSync(join(folder, path)).mode & 0o777)).toEqual([0o755, 0o755, 0o755])
})

describe('settings of the editor that are there already', () => {
  const path = '.vscode/settings.json'
  test('are left as they are, and the lines that they lack are shown', async () => {
    const folder = folderWith({ [path]: '{ "editor.tabSize": 2 } // mine\n' })
    const ran = await runCli(['init'], { folder })
    expect(ran.stderr).toContain(`${path} was left as it is`)
    expect(ran.stderr).toContain('"./schemas/manifest.schema.json": "infra/**/*.yaml"')
    expect(readFileSync(join(folder, path), 'utf8')).toBe('{ "editor.tabSize": 2 } // mine\n')
  })
  test('are told to machines as skipped', async () => {
    const folder = folderWith({ [path]: '{}' })
    const ran = await runCli(['init', '--json'], { folder })
    expect(ran.stderr).toBe('')
    expect(JSON.parse(ran.stdout)).toEqual({
      folder,
      written: ['iac.yaml', 'infra/network.yaml', 'schemas/manifest.schema.json', 'schemas/project.schema.json', '.gitignore'],
      skipped: [path],
    })
  })
  test('that have the lines need no word', async () => {
    const folder = newFolder()
    await runCli(['init'], { folder })
    expect(await runCli(['init'], { folder })).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('nothing was written') })
  })
})

describe('--state', () => {
  test('writes the settings of a shared state, and says what it needs', async () => {
    const folder = newFolder()
    const ran = await runCli(['init', 'shop', '--state', 'postgres'], { folder })
    expect([ran.code, readFileSync(join(folder, 'shop/iac.yaml'), 'utf8')]).toEqual([0, expect.stringContaining('state: { backend: postgres }\n')])
    for (const text of ['IAC_STATE_URL', 'CREATE SCHEMA iac', 'GRANT SELECT']) expect(ran.stderr).toContain(text)
    expect((await runCli(['validate'], { folder: join(folder, 'shop') })).code).toBe(0)
    expect((await runCli(['plan', '--sandbox'], { folder: join(folder, 'shop') })).code).toBe(0)
    // Without an address nothing is planned against nothing.
    const planned = await runCli(['plan'], { folder: join(folder, 'shop'), environment: { IAC_BASE_URL: 'http://127.0.0.1:1' }, token: 't' })
    expect([planned.code, planned.stderr]).toEqual([9, expect.stringContaining('nothing says where the database of the state is')])
  })

  test.each([
    ['postgres', 'its state is called after it'],
    ['s3', 'its state is called after it'],
    ['http', 'a state that another project has there is told by its name'],
  ])('gives projects of folders that are called alike names of their own where their states are in %s', async (backend, why) => {
    const names = await Promise.all(
      ['infra', 'infra', 'инфра'].map(async (called) => {
        const folder = newFolder()
        const ran = await runCli(['init', called, '--state', backend], { folder })
        const [, name = ''] = /^name: (.+)$/m.exec(readFileSync(join(folder, called, 'iac.yaml'), 'utf8')) ?? []
        expect(ran.stderr).toContain(`The project is called ${name}: ${why}`)
        return name
      }),
    )
    expect(names).toEqual(['infra', 'infra', 'project'].map((name) => expect.stringMatching(new RegExp(`^${name}-[0-9a-f]{6}$`))))
    expect(new Set(names).size).toBe(3)
  })

  test('calls the project as --name says, and refuses what is no name', async () => {
    const folder = newFolder()
    const ran = await runCli(['init', 'infra', '--state', 'postgres', '--name', 'shop'], { folder })
    expect([ran.code, readFileSync(join(folder, 'infra/iac.yaml'), 'utf8')]).toEqual([0, expect.stringContaining('\nname: shop\n')])
    expect(ran.stderr).not.toContain('The project is called')
    expect(await runCli(['init', 'other', '--name', 'our shop'], { folder })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no name of a project'),
    })
    expect(readdirSync(folder)).toEqual(['infra'])
  })

  test('in a bucket says which keys and rights it needs, and that the name is still to be written', async () => {
    const folder = newFolder()
    const ran = await runCli(['init', '--state', 's3'], { folder })
    expect(readFileSync(join(folder, 'iac.yaml'), 'utf8')).toContain('backend: s3, bucket: NAME-OF-THE-BUCKET')
    for (const text of ['AWS_ACCESS_KEY_ID', 's3:PutObject', 'IAC_STATE_HOST']) expect(ran.stderr).toContain(text)
  })

  test('on a server says where the environment names it, and who may do what', async () => {
    const folder = newFolder()
    const ran = await runCli(['init', '--state', 'http'], { folder })
    expect(readFileSync(join(folder, 'iac.yaml'), 'utf8')).toContain('state: { backend: http, lock_method: POST, unlock_method: DELETE }\n')
    for (const text of ['TF_HTTP_ADDRESS', 'TF_HTTP_LOCK_ADDRESS', 'TF_HTTP_PASSWORD', 'Maintainer', 'Gitea']) expect(ran.stderr).toContain(text)
    const planned = await runCli(['plan'], { folder, environment: { IAC_BASE_URL: 'http://127.0.0.1:1' }, token: 't' })
    expect([planned.code, planned.stderr]).toEqual([9, expect.stringContaining('nothing says where the state is')])
  })

  test('leaves a project file as it is, with the line that it wants', async () => {
    const folder = folderWith({ 'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: p\n' })
    const ran = await runCli(['init', '--state', 'postgres'], { folder })
    expect(ran.stderr).toContain('it wants this line:\n  state: { backend: postgres }')
  })

  test.each([
    ['postgres', '  name: NAME\n  state: { backend: postgres }\n'],
    ['http', '  state: { backend: http,'],
  ])('adds a name to that where the file has none and the state in %s is called after it', async (backend, lines) => {
    const folder = folderWith({ 'iac.yaml': 'apiVersion: iac/v1\nkind: Project\n' })
    const ran = await runCli(['init', '--state', backend], { folder })
    expect(ran.stderr).toContain(`it wants this line:\n${lines.replace('NAME', basename(folder))}`)
  })

  test.each([
    ['our shop', 'our-shop'],
    ['.infra', 'infra'],
    ['1.5', '"1.5"'],
    ['+', 'project'],
  ])('calls the project of a folder %s %s', async (called, name) => {
    const folder = newFolder()
    expect(await runCli(['init', called], { folder })).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, called, 'iac.yaml'), 'utf8')).toContain(`\nname: ${name}\n`)
  })

  test.each([
    ['postgres', 'state: { backend: postgres, encryption: { keys: [env:IAC_STATE_KEY] } }\n'],
    ['local', 'state: { encryption: { keys: [env:IAC_STATE_KEY] } }\n'],
  ])('with --encrypt says how a key is made, and none is written: %s', async (backend, line) => {
    const folder = newFolder()
    const ran = await runCli(['init', '--state', backend, '--encrypt'], { folder })
    expect([ran.code, readFileSync(join(folder, 'iac.yaml'), 'utf8')]).toEqual([0, expect.stringContaining(line)])
    expect(ran.stderr).toContain('export IAC_STATE_KEY="$(openssl rand -base64 32)"')
    const environment = { IAC_STATE_KEY: randomBytes(32).toString('base64') }
    expect(await runCli(['plan', '--sandbox'], { folder, environment })).toMatchObject({ code: 0, stdout: expect.stringContaining('1 to add') })
  })

  test.each([
    [['--state', 's3'], 'write the name of the bucket into iac.yaml'],
    [['--encrypt'], 'export IAC_STATE_KEY'],
    [['--state', 's3', '--encrypt'], 'write the name of the bucket into iac.yaml, export IAC_STATE_KEY'],
  ])('with %j says what even a first plan needs before', async (words, first) => {
    const { stdout } = await runCli(['init', ...words], { folder: newFolder() })
    expect(stdout).toMatch(new RegExp(`\\nNext: iac plan --sandbox    # before that: ${first}\\n$`))
  })

  test('of no backend is refused', async () => {
    const folder = newFolder()
    expect(await runCli(['init', '--state', 'floppy'], { folder })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('postgres'),
    })
    expect(readdirSync(folder)).toEqual([])
  })
})

test('a folder is named once: as an argument, or by --dir', async () => {
  const folder = newFolder()
  for (const name of ['a', 'b']) mkdirSync(join(folder, name))
  const both = await runCli(['init', '--dir', 'a', 'b'], { folder })
  expect([both.code, both.stderr]).toEqual([3, expect.stringContaining('--dir and FOLDER both name the folder')])
  expect(['a', 'b'].flatMap((name) => readdirSync(join(folder, name)))).toEqual([])
  expect((await runCli(['init', '--dir', 'a'], { folder })).code).toBe(0)
  expect(existsSync(join(folder, 'a/iac.yaml'))).toBe(true)
})
