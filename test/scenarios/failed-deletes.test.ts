// What failed in its making and is deleted: the journal says how it stood, for the run that finds this deletion failed as well.
import { expect, test } from 'vitest'
import { createWorld } from '../builders/world.ts'
import { instance } from './stage.ts'

const deletions = /"removes":true(,"status_before":"failed")?/g

test('the deletion of what failed says so, and that of what is ready says nothing', async () => {
  const world = createWorld()
  const said = new Set<string>()
  world.sandbox.faults.hook = ({ operation }) => {
    if (operation !== 'deleteInstance') return undefined
    const journal = Buffer.from([...world.fileSystem.files()].find(([path]) => path.endsWith('.journal'))?.[1] ?? '').toString()
    for (const [, before = 'nothing'] of journal.matchAll(deletions)) said.add(before)
    return undefined
  }
  world.sandbox.faults.list.push({ operation: 'createInstance', workflow: { outcome: 'FAILED', leaves: 'failed' } })
  expect((await world.apply(instance('web'))).exitCode).toBe(8)
  expect((await world.apply(instance('web'))).exitCode).toBe(0)
  expect([...said]).toEqual([',"status_before":"failed"'])
  said.clear()
  expect((await world.destroy(instance('web'))).exitCode).toBe(0)
  expect([...said]).toEqual(['nothing'])
})
