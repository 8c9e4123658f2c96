// Whose state it is: names that are compared, and names that say nothing.
import { describe, expect, test } from 'vitest'
import { loaded } from '../../../test/builders/project.ts'
import { emptyDocument } from '../../state/document.ts'
import { checkOwner, checkOwnerOfFile } from './state-owner.ts'

const about = { lineage: 'l', salt: 'c2FsdA==', toolVersion: '1' }
const check = (file: string | undefined, recorded: { readonly project: string; readonly environment?: string }, environment: string | null = null) => {
  const project = loaded(file === undefined ? {} : { 'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${file}` }, { environment })
  checkOwner(project, emptyDocument({ environment: null, ...recorded, ...about }), '/p/state.json')
}
const staging = 'environments: { staging: { state: { path: .iac/state.json } } }'
const ways = (members: string, flags = '') => `\`iac state pull${flags} > FILE\`, write ${members} in it, \`iac state push FILE${flags}\``

describe('a state is refused', () => {
  const shop = { project: 'shop' }
  test.each([
    ['of another project', 'name: store', shop, null, '"project": "store"', ''],
    ['of the project without an environment', `name: shop\n${staging}`, shop, 'staging', '"environment": "staging"', ' -e staging'],
    ['of an environment', 'name: shop', { ...shop, environment: 'staging' }, null, '"environment": null', ''],
    ['of an environment of a project without a name', staging, { project: 'p' }, 'staging', '"environment": "staging"', ' -e staging'],
    ['of both', `name: store\n${staging}`, shop, 'staging', '"project": "store", "environment": "staging"', ' -e staging'],
  ] as const)('%s', (_, file, recorded, environment, members, flags) => {
    const hint = expect.stringContaining(ways(members, flags))
    expect(() => check(file, recorded, environment)).toThrow(expect.objectContaining({ exitCode: 9, diagnostics: [expect.objectContaining({ hint })] }))
  })
  test.each([
    ['path', '{ path: ../state.json }'],
    ['name', '{ backend: postgres, name: ours }'],
    ['key', '{ backend: s3, bucket: states, key: ours.json }'],
    ['address', '{ backend: http, address: "https://host/ours" }'],
  ])('of another project, where a folder gives the name: the name is the way back, or another state.%s', (setting, state) => {
    const hint = `give each a state.${setting} of its own in iac.yaml; if it is the same one under another name: write \`name: shop\` into iac.yaml`
    expect(() => check(`state: ${state}`, shop)).toThrow(expect.objectContaining({ exitCode: 9, diagnostics: [expect.objectContaining({ hint })] }))
  })
  test('with words that name both', () => {
    const text = '/p/state.json is the state of the project "shop" without an environment, and this is the environment "staging" of the project "store"'
    expect(() => check(`name: store\n${staging}`, shop, 'staging')).toThrow(text)
  })
})

test.each([
  ['name: store', '"project": "store"'],
  ['state: { backend: postgres, name: ours }', 'name: shop'],
])('a file of another project is refused with the way to take it: %s', (file, way) => {
  const project = loaded({ 'iac.yaml': `apiVersion: iac/v1\nkind: Project\n${file}` })
  const hint = expect.stringMatching(new RegExp(`^if it is the same one under another name: write .?${way}`))
  const refusal = expect.objectContaining({ exitCode: 9, diagnostics: [expect.objectContaining({ code: 'state_foreign', hint })] })
  expect(() => checkOwnerOfFile(project, emptyDocument({ environment: null, project: 'shop', ...about }), 'copy.json')).toThrow(refusal)
})

describe('a state is taken', () => {
  test.each([
    ['that is the project’s', 'name: shop', 'shop', null],
    ['that was made before it said whose it is', `name: shop\n${staging}`, '', 'staging'],
    ['of a folder that was moved', undefined, 'before', null],
    ['of a folder whose project has got a name', 'name: shop', 'p', null],
  ] as const)('%s', (_, file, project, environment) => {
    expect(() => check(file, { project }, environment)).not.toThrow()
  })
})
