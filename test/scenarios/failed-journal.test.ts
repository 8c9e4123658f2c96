// A journal that fails as it is written: what it may hold is taken for recorded.
import { expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { all, vpc } from './stage.ts'

test('an import or a refresh that may have written its line to a journal that failed ends with 8', async () => {
  const disk = { fails: false }
  const fault = (operation: string, path: string) => (disk.fails && operation === 'sync' && path.includes('journal') ? 'EIO' : undefined)
  const world = createWorld({ fileSystem: { fault } })
  const made = await world.beside().apply(vpc('other'))
  await world.apply(vpc('main'))
  const { vpcs } = world.sandbox.world.tables
  for (const { id } of vpcs.all()) vpcs.update(id, { description: 'by hand' })
  disk.fails = true
  await expect(world.refresh(vpc('main'))).rejects.toMatchObject({ exitCode: 8 })
  await expect(world.importObject(all(vpc('main'), vpc('other')), 'Vpc/other', made.document.resources[0]?.id ?? '')).rejects.toMatchObject({ exitCode: 8 })
  disk.fails = false
  expect((await world.refresh(vpc('main'))).document.resources[0]?.spec['description']).toBe('by hand')
})
