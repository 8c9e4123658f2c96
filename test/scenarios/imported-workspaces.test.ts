// A workspace that is taken over: what stands in it is there, for this plan as for every later one.
import { expect, test } from 'vitest'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, brief, effects, project, said, saved, vpc } from './stage.ts'

const ways: readonly (readonly [string, (id: string) => string])[] = [
  ['its id', (id) => `import: { id: "${id}" }`],
  ['its name', () => 'import: { name: shop }'],
]

const bgp = (spec: string, metadata = ''): string => manifest('BgpConfiguration', 'main', spec, metadata)

/** A workspace with a network and a session that no state of the other folder holds, and how its project begins. */
async function made() {
  const world = createWorld()
  const texts = (...more: string[]) => ({ 'iac.yaml': project('provider: { workspace: shop }\n'), 'main.yaml': all(...more) })
  const { document } = await world.apply(texts(manifest('Workspace', 'shop', 'name: shop'), vpc('main'), bgp('asn: 64512')))
  const idOf = (address: string): string => document.resources.find((one) => one.address === address)?.id ?? ''
  return { world, other: world.beside(), idOf, texts }
}

test.each(ways)('by %s, with what stands in it', async (_, by) => {
  const { world, other, idOf, texts } = await made()
  const shop = manifest('Workspace', 'shop', 'name: shop', by(idOf('Workspace/shop')))
  const within = texts(shop, vpc('main', undefined, 'import: { name: main-net }'), bgp('asn: 64512', `import: { id: "${idOf('BgpConfiguration/main')}" }`))
  const sent = effects(world)
  const { plan } = await other.plan(within)
  expect(said(plan)).toEqual([])
  expect(brief(plan).toSorted()).toEqual(['import BgpConfiguration/main (new): ', 'import Vpc/main (new): ', 'import Workspace/shop (new): '])
  expect(await other.applySaved(within, saved(plan))).toMatchObject({ exitCode: 0, outcome: { imported: 3, added: 0, changed: 0 } })
  expect(sent).toEqual([])
  expect(brief((await other.plan(within)).plan)).toEqual([])
})

test.each(ways)('by %s: what stands in it already is told, and what is new is made there', async (_, by) => {
  const { world, other, idOf, texts } = await made()
  const shop = manifest('Workspace', 'shop', 'name: shop', by(idOf('Workspace/shop')))
  const { plan } = await other.plan(texts(shop, bgp('asn: 64513')))
  expect(said(plan)).toEqual([expect.stringMatching(/^exists BgpConfiguration\/main: /)])
  const more = texts(shop, vpc('next', '10.30.0.0/24'))
  const next = await other.plan(more)
  expect(brief(next.plan)).toEqual(['import Workspace/shop (new): ', 'create Vpc/next (new): create'])
  expect(await other.applySaved(more, saved(next.plan))).toMatchObject({ exitCode: 0, outcome: { imported: 1, added: 1 } })
  expect(world.sandbox.world.tables.vpcs.all().map((one) => one.workspaceId)).toEqual([idOf('Workspace/shop'), idOf('Workspace/shop')])
})

test('one that is not there is the only mistake', async () => {
  const { other, texts } = await made()
  const { plan } = await other.plan(texts(manifest('Workspace', 'shop', 'name: shop', 'import: { id: "77" }'), vpc('next', '10.30.0.0/24')))
  expect(said(plan)).toEqual(['import_conflict Workspace/shop: there is no Workspace with id 77'])
})
