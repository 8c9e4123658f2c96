// A name that was to be that of a secret field is told without the line that it stands in.
import { expect, test } from 'vitest'
import { load, manifest } from '../../../test/builders/project.ts'

test.each([
  ['K3sSecret', 'dat: { PASSWORD: canary }', true],
  ['Instance', 'cloud_ini: canary', true],
  ['Vpc', 'descripton: canary', false],
] as const)('%s with %s: hidden is %j', (kind, line, isHidden) => {
  const { diagnostics } = load(manifest(kind, 'main', line))
  const found = diagnostics.find((one) => one.code === 'unknown_field')
  expect(found).toBeDefined()
  expect(!JSON.stringify(found).includes('canary')).toBe(isHidden)
})

const head = 'apiVersion: iac/v1, kind: K3sSecret, metadata: { name: s }'

test.each([
  ['another unknown field', 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec: { dat: { A: canary }, nme: x }\n'],
  ['a wrong value', 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec: { dta: { A: canary }, namespace: 5 }\n'],
  ['a field before lines of it', 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec: { data: {\n  A: canary }, nme: x }\n'],
  ['a field behind its last line', 'apiVersion: iac/v1\nkind: Instance\nmetadata: { name: s }\nspec: { cloud_inti: "a\n  canary", nme: x }\n'],
  ['a wrong head', `{ ${head.replace('name: s', 'name: 5')}, spec: { dat: { A: canary } } }\n`],
  ['a wrong kind', `{ ${head.replace('K3sSecret', 'K3sSecrt')}, spec: { dat: { A: canary } } }\n`],
  ['a wrong version', `{ ${head.replace('/v1', '/v2')}, spec: { data: { A: canary } } }\n`],
  ['no version', `{ ${head.replace('apiVersion: iac/v1, ', '')}, spec: { dat: { A: canary } } }\n`],
  ['a wrong edge', `{ ${head.replace('name: s', 'name: s, depends_on: [Vpc/x]')}, spec: { data: { A: canary } } }\n`],
  ['no spec', 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\ndata: { A: canary }\n'],
  ['a misspelt spec', 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspce: { data: { A: canary } }\n'],
  ['what is no YAML', 'apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec: { dat: { A: canary }, name: [ }\n'],
])('beside %s the line is not shown', (_, text) => {
  const { diagnostics } = load(text)
  expect(diagnostics.some((one) => one.severity === 'error')).toBe(true)
  expect(JSON.stringify(diagnostics)).not.toContain('canary')
})

test('a line beside it is shown, and one that holds nothing but names', () => {
  const spec = 'spec:\n  dat: { A: canary }\n  nme: shown\n'
  const beside = load(`apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\n${spec}`)
  expect(JSON.stringify(beside.diagnostics)).toContain('nme: shown')
  const named = load('apiVersion: iac/v1\nkind: K3sSecret\nmetadata: { name: s }\nspec: { data: { A: "${vars.x}" }, nme: shown }\n')
  expect(JSON.stringify(named.diagnostics)).toContain('nme: shown')
})
