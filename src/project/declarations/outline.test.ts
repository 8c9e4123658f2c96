// The outline of a resource says what resolving it would say, or nothing.
import { expect, test } from 'vitest'
import { loaded, manifest, resource, scopeOf } from '../../../test/builders/project.ts'

const instance = manifest('Instance', 'web', 'type: PLAN\nplan: ryzen-2\nregion: fra-1')
const vpc = manifest('Vpc', 'main-net', 'description: d\nrange: 10.0.0.0/24')

test('fields, lookups and parent of what is written plainly', () => {
  const project = loaded(
    `${instance}${vpc}${manifest('VpcAttachment', 'join', 'instance: web\nvpc: main-net')}${manifest('VpcAttachment', 'far', 'instance: { id: "7" }\nvpc: { id: "8" }')}`,
  )
  const web = resource(project, 'Instance/web')
  expect(web.outline?.lookups).toEqual([{ kind: 'Plan', name: 'ryzen-2' }])
  expect(web.outline?.fields.toSorted()).toEqual(Object.keys(web.resolve(scopeOf({}, { 'Plan/ryzen-2': '5' })).spec).toSorted())
  expect(resource(project, 'VpcAttachment/join').outline?.parent).toMatchObject({ address: 'Vpc/main-net', output: 'id' })
  expect(resource(project, 'VpcAttachment/far').outline?.parent).toMatchObject({ id: '8' })
})

test('none where an expression over another resource or a lookup has a say', () => {
  const spec = (name: string) => `type: PLAN\nplan: ryzen-2\nregion: fra-1\nos_name: "${name}"`
  const project = loaded(
    `${instance}${manifest('Instance', 'other', spec("${Instance['web'].state}"))}${manifest('Instance', 'third', spec("${lookup('Plan', 'ryzen-2').id}"))}`,
  )
  expect(resource(project, 'Instance/other').outline).toBeUndefined()
  expect(resource(project, 'Instance/third').outline).toBeUndefined()
})

test.each([
  ['asn: 64512', false],
  ["asn: 64512\npassword: 'CANARY'", true],
  ['asn: "${vars.plain}"', false],
  ['asn: "${vars.secret}"', true],
  ['asn: "${sensitive(64512)}"', true],
])('whether it may hold anything sensitive: %j', (spec, hides) => {
  const variables = 'variables: { plain: { type: int, default: 64512 }, secret: { type: int, default: 64513, sensitive: true } }'
  const project = loaded({
    'iac.yaml': `apiVersion: iac/v1\nkind: Project\nname: shop\n${variables}\n`,
    'main.yaml': manifest('BgpConfiguration', 'bgp', spec),
  })
  expect(resource(project, 'BgpConfiguration/bgp').outline?.hides).toBe(hides)
})
