// Which project files are kept in the parse cache: none in which a secret may stand.
import { expect, test } from 'vitest'
import { createSource } from '../findings/source.ts'
import { readYaml } from '../yaml/documents.ts'
import { isPublicProject } from './public-project.ts'

const head = 'apiVersion: iac/v1\nkind: Project\n'

test.each([
  ['a name', true, 'name: shop'],
  ['files, guards and renames', true, 'manifests: [infra/*.yaml]\nguards: { max_destroy: 2 }\nmoved: [{ from: Vpc/a, to: Vpc/b }]'],
  ['variables without values', true, 'variables: { password: { type: string, sensitive: true } }'],
  ['a default', false, 'variables: { password: { default: hunter2 } }'],
  ['a default that is null', false, 'variables: { password: { default: null } }'],
  ['values of an environment', false, 'environments: { prod: { variables: { password: hunter2 } } }'],
  ['a state', false, 'state: { path: state.json }'],
  ['an output', false, "outputs: { password: { value: 'hunter2' } }"],
  ['a field that is none', false, 'password: hunter2'],
  ['a value in the place of another', false, 'variables: { password: hunter2 }'],
  ['what looks like a secret', false, 'manifests: ["https://me:hunter2@host/x"]'],
])('%s: %s', (_, isPublic, rest) => {
  const text = head + rest
  const [document] = readYaml(createSource('iac.yaml', text), { all: true }).documents
  expect(isPublicProject(document?.value ?? null, text)).toBe(isPublic)
})
