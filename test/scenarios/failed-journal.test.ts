// A journal that fails as it is written: what it may hold is taken for recorded.
import { expect, test } from 'vitest'
import { Failure } from '../../src/base/diagnostic.ts'
import { manifest } from '../builders/project.ts'
import { createWorld } from '../builders/world.ts'
import { all, effects, files, instance, vpc } from './stage.ts'

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

test.each(['sync', 'write'])(
  'from whichever %s of it on that fails, an apply that has sent something ends with 8, the last look at its outputs included',
  async (what) => {
    const lines = `outputs:\n  many: { value: "\${string(size(Instance['web'].ips))}" }`
    const text = files(lines, instance('web'), manifest('FloatingIp', 'a', 'type: IPv4\nregion: fra-1\nddos: false\ninstance: web'))
    const ends: number[] = []
    for (let [left, isWhole] = [0, false]; !isWhole; left += 1) {
      let done = 0
      const isStruck = (operation: string, path: string): boolean => operation === what && path.includes('journal') && (done += 1) > left
      const world = createWorld({ fileSystem: { fault: (operation, path) => (isStruck(operation, path) ? 'EIO' : undefined) } })
      const sent = effects(world)
      const code = await world.apply(text).then(
        (applied) => applied.exitCode,
        (error: unknown) => (error instanceof Failure ? error.exitCode : -1),
      )
      isWhole = done <= left
      ends.push(code)
      if (sent.length > 0) expect([left, code]).toEqual([left, isWhole ? 0 : 8])
    }
    expect(ends.length).toBeGreaterThan(5)
  },
)
