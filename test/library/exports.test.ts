// What the package exports, and loading as other programs use it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Loaded, LoadOptions } from '../../src/library.ts'
import * as library from '../../src/library.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'iac-library-'))
  writeFileSync(join(folder, 'iac.yaml'), 'apiVersion: iac/v1\nkind: Project\nname: shop\nvariables:\n  key:\n    type: string\n    sensitive: true\n')
  writeFileSync(join(folder, 'vpc.yaml'), 'apiVersion: iac/v1\nkind: Vpc\nmetadata:\n  name: main\nspec:\n  description: private\n  range: 10.0.0.0/24\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

function load(options: Partial<Record<keyof LoadOptions | 'environmnt', unknown>>): Loaded {
  const variables = { flags: [], files: [], environment: { IAC_VAR_key: 'hunter2' } }
  const given = {
    files: library.nodeFiles,
    folder,
    kinds: library.kinds,
    workspaceKind: 'Workspace',
    environment: null,
    variables,
    named: undefined,
    sandbox: false,
  }
  // As from JavaScript, where no type stands in the way.
  return Reflect.apply(library.loadProject, undefined, [{ ...given, ...options }])
}

test('the package exports what can be used by itself', () => {
  expect(Object.keys(library).toSorted()).toEqual(['createSandbox', 'kinds', 'loadProject', 'nodeFiles'])
})

test('a project is loaded, with what is sensitive in it', () => {
  const { project, diagnostics } = load({})
  expect([project?.name, project?.resources.map((one) => one.address), diagnostics]).toEqual(['shop', ['Vpc/main'], []])
  expect(project?.variables).toMatchObject({ key: { value: 'hunter2', sensitive: true } })
})

test('the environment of the process can be given as it is', () => {
  const { diagnostics } = load({ variables: { flags: [], files: [], environment: process.env } })
  expect(diagnostics.map((one) => one.summary)).toEqual([expect.stringContaining('key')])
})

test.each([
  [{ folder: 'shop' }, 'an absolute path'],
  [{ folder: undefined }, 'at folder'],
  [{ workspaceKind: 'Nope' }, 'workspaceKind: no kind is called Nope'],
  [{ workspaceKind: 'Workspce' }, 'did you mean Workspace?'],
  [{ kinds: undefined }, 'at kinds'],
  [{ files: {} }, 'at files.list'],
  [{ environment: undefined }, 'at environment'],
  [{ variables: { flags: {}, files: [], environment: {} } }, 'at variables.flags'],
  [{ named: { paths: [{ path: 'a.yaml', shown: 'a.yaml' }], stdin: undefined } }, 'at named.paths[0].path'],
  [{ sandbox: 'no' }, 'at sandbox'],
  [{ environmnt: 'dev' }, 'environmnt'],
])('%j loads no project', (options, message) => {
  expect(() => load(options)).toThrow(TypeError)
  expect(() => load(options)).toThrow(message)
})

test('a folder relative to where the program runs is refused, though it is there', () => {
  expect(() => load({ folder: relative(process.cwd(), folder) })).toThrow(TypeError)
})
