// What stands in a manifest by a name that says nothing, or where no field is, may be a secret: no line of it is shown, and nothing of it quoted.
import { expect, test } from 'vitest'
import { load } from '../../../test/builders/project.ts'

const of = (kind: string, rest: string, metadata = 'name: s') => `apiVersion: iac/v1\nkind: ${kind}\nmetadata: { ${metadata} }\n${rest}\n`

test.each([
  ['the name of another tool', of('K3sSecret', 'spec: { stringData: { API: canary } }')],
  ['a key without its field', of('K3sSecret', 'spec:\n  API: canary')],
  ['one before a wrong value', of('Instance', 'spec: { user_data: "canary", nme: 5 }')],
  ['one of a map', of('App', 'spec: { env: { API: canary }, nme: 5 }')],
  ['a short one', of('BgpConfiguration', 'spec: { key: canary, asn: x }')],
  ['the lines of an empty text', of('Instance', 'spec:\n  cloud_init: |\n  runcmd: [echo canary]\n  nam: canary')],
  ['a line outside of an empty text', of('Instance', 'spec:\n  type: PLAN\n  cloud_init: |\nruncmd: [echo canary]')],
  ['what stands below no value', of('Instance', 'spec:\n  cloud_init:\n  nam: canary')],
  ['a list of specs', of('K3sSecret', 'spec: [{ data: { A: canary } }]')],
  ['a list of texts', of('K3sSecret', 'spec: [canary]')],
  ['a spec in a spec', of('K3sSecret', 'spec: { spec: { data: { A: canary } } }')],
  ['a spec in the metadata', of('K3sSecret', '', 'name: s, spec: { data: { A: canary } }')],
  ['a field in the lifecycle', of('K3sSecret', 'spec: {}', 'name: s, lifecycle: { data: { A: canary } }')],
  ['a text for a spec', of('K3sSecret', 'spec: canary')],
  ['a text for a spec of an unknown kind', of('Secret', 'spec: canary')],
  ['the kind of another tool', of('Secret', 'stringData: { API: canary }')],
  ['the kind of another tool with a spec', `{ ${of('Secret', 'spec: { stringData: { A: canary } }').trim().replaceAll('\n', ', ')} }\n`],
  ['a misspelt kind', `{ ${of('K3sSecrets', 'spec: { stringData: { A: canary } }').trim().replaceAll('\n', ', ')} }\n`],
  ['no kind', '{ apiVersion: iac/v1, metadata: { name: s }, spec: { stringData: { A: canary } } }\n'],
  ['an anchor', of('K3sSecret', 'x-common: &c { API: canary }\nspec: { data: *c }')],
])('%s', (_, text) => {
  const { diagnostics } = load(text)
  expect(diagnostics.some((one) => one.severity === 'error')).toBe(true)
  expect(JSON.stringify(diagnostics)).not.toContain('canary')
})

test.each([
  ['a name that resembles a public one', of('K3sSecret', 'spec:\n  API: canary\n  nme: shown')],
  ['a public field of any kind', of('K3sSecrets', 'spec: { API: canary }', 'name: s, nme: shown')],
  ['what is strange to a kind without secrets', of('Vpc', 'spec: { stringData: shown }')],
  ['a text for the spec of one', of('Vpc', 'spec: shown')],
])('%s is shown', (_, text) => {
  const { diagnostics } = load(text)
  expect(JSON.stringify(diagnostics)).toContain('shown')
  expect(JSON.stringify(diagnostics)).not.toContain('canary')
})
