// `iac fmt`: rewrites in place, lists, and leaves alone; what is planned stays the same.
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder, runCli } from './run-cli.ts'

const crooked = 'kind: "Vpc"\napiVersion: iac/v1\nspec:\n    name: "main" # the name\n    range: 10.0.0.0/24\nmetadata: {name: main}\n'
const straight = 'apiVersion: iac/v1\nkind: Vpc\nmetadata: { name: main }\nspec:\n  name: main # the name\n  range: 10.0.0.0/24\n'
const foreign = 'kind:   Pod\napiVersion:   v1\n'

function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = newFolder()
  mkdirSync(join(folder, 'infra'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}

test('rewrites the manifests of the project, keeps their modes, and lists them', async () => {
  const folder = projectOf({
    'infra/a.yaml': crooked,
    'infra/b.yaml': straight,
    'other.yaml': crooked,
    'iac.yaml': 'apiVersion: iac/v1\nkind: Project\nname: p\nmanifests: ["infra/*.yaml"]\n',
  })
  chmodSync(join(folder, 'infra/a.yaml'), 0o640)
  expect(await runCli(['fmt', '--check'], { folder })).toEqual({ code: 2, stdout: 'infra/a.yaml\n', stderr: '' })
  expect(readFileSync(join(folder, 'infra/a.yaml'), 'utf8')).toBe(crooked)
  expect(await runCli(['fmt'], { folder })).toEqual({ code: 0, stdout: 'infra/a.yaml\n', stderr: '' })
  expect(readFileSync(join(folder, 'infra/a.yaml'), 'utf8')).toBe(straight)
  expect(statSync(join(folder, 'infra/a.yaml')).mode & 0o777).toBe(0o640)
  expect(readFileSync(join(folder, 'other.yaml'), 'utf8')).toBe(crooked)
  expect(await runCli(['fmt', '--check'], { folder })).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('takes files and folders by name, links to where they lead', async () => {
  const folder = projectOf({ 'infra/a.yaml': crooked, 'infra/b.yaml': crooked, 'c.yaml': crooked })
  symlinkSync(join(folder, 'c.yaml'), join(folder, 'd.yaml'))
  expect((await runCli(['fmt', 'infra/a.yaml', 'd.yaml', '--json'], { folder })).stdout).toContain('"infra/a.yaml",\n    "d.yaml"')
  expect(['infra/a.yaml', 'infra/b.yaml', 'c.yaml', 'd.yaml'].map((path) => readFileSync(join(folder, path), 'utf8') === straight)).toEqual([
    true,
    false,
    true,
    true,
  ])
  expect(await runCli(['fmt', 'infra'], { folder })).toMatchObject({ code: 0, stdout: 'infra/b.yaml\n' })
  expect(await runCli(['fmt', 'none.yaml'], { folder })).toMatchObject({ code: 3, stdout: '' })
})

test('leaves alone what is broken or of other tools, and names it', async () => {
  const broken = `${crooked}---\nkind: [\n---\n${foreign}---\n${crooked}`
  const folder = projectOf({ 'a.yaml': broken })
  const ran = await runCli(['fmt'], { folder })
  expect(ran).toEqual({
    code: 0,
    stdout: 'a.yaml\n',
    stderr: 'a.yaml:8: left as it is, since it is no sound manifest (`iac validate` says why)\nleft as they are, of other tools: a.yaml:10\n',
  })
  expect(readFileSync(join(folder, 'a.yaml'), 'utf8')).toBe(`${straight}---\nkind: [\n---\n${foreign}---\n${straight}`)
})

test('a byte order mark is none of the form; other tools keep theirs', async () => {
  const [marked, theirs] = [`\uFEFF${straight}`, `\uFEFF${foreign}`]
  const folder = projectOf({ 'a.yaml': marked, 'b.yaml': theirs })
  expect(await runCli(['fmt', '--check'], { folder })).toMatchObject({ code: 2, stdout: 'a.yaml\n' })
  expect(await runCli(['fmt'], { folder })).toMatchObject({ code: 0, stdout: 'a.yaml\n' })
  expect(['a.yaml', 'b.yaml'].map((path) => readFileSync(join(folder, path), 'utf8'))).toEqual([straight, theirs])
  expect(await runCli(['fmt', '--check'], { folder })).toMatchObject({ code: 0, stdout: '' })
  expect(await runCli(['fmt', '-', '--check'], { folder, stdin: marked })).toMatchObject({ code: 2 })
  expect(await runCli(['fmt', '-'], { folder, stdin: marked })).toEqual({ code: 0, stdout: straight, stderr: '' })
})

test('standard input goes to standard output', async () => {
  const folder = newFolder()
  expect(await runCli(['fmt', '-'], { folder, stdin: crooked })).toEqual({ code: 0, stdout: straight, stderr: '' })
  expect(await runCli(['fmt', '-', '--check'], { folder, stdin: crooked })).toEqual({ code: 2, stdout: '', stderr: '' })
  expect(await runCli(['fmt', '-', 'a.yaml'], { folder, stdin: crooked })).toMatchObject({ code: 3 })
})

test.each<[string, readonly string[]]>([
  ['is empty', []],
  ['holds a project file and texts', ['iac.yaml', 'readme.md']],
])('a folder that %s is nothing to do; what is not there is a mistake', async (_, names) => {
  const folder = projectOf(Object.fromEntries(names.map((name) => [`infra/${name}`, 'kind: Project\n'])))
  expect(await runCli(['fmt', 'infra'], { folder })).toEqual({ code: 0, stdout: '', stderr: 'infra holds no manifest\n' })
  expect(await runCli(['fmt', '--check', '-f', 'infra', '--json'], { folder })).toMatchObject({ code: 0, stdout: '{\n  "changed": [],\n  "left": []\n}\n' })
  expect(await runCli(['fmt', 'infra', 'infar'], { folder })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('infar cannot be read: it does not exist'),
  })
  expect(await runCli(['fmt', ''], { folder })).toMatchObject({ code: 3 })
})
