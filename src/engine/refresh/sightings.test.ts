// How few lists confirm operations that end one after another.
import { describe, expect, test } from 'vitest'
import { compatSchema } from '../../api/compat.ts'
import { virtualClock } from '../../base/clock.ts'
import type { JsonValue } from '../../base/json.ts'
import { SshKey } from '../../kinds/ssh-key.ts'
import { createSightings } from './sightings.ts'

/** Keys that are asked for at these times, and when lists of them were read. */
async function confirmed(timesMs: readonly number[]) {
  const clock = virtualClock()
  const listedAt: number[] = []
  const made: JsonValue[] = []
  const source = {
    read: async () => made[0],
    text: async () => '',
    async all() {
      listedAt.push(clock.now())
      const there = [...made]
      await clock.sleep(20)
      return there
    },
  }
  const sightings = createSightings({ source, compat: compatSchema.parse({}), clock, digest: (value) => JSON.stringify(value) })
  const ends = timesMs.map(() => sightings.begin('SshKey', null))
  const told = ends.map(async (end, at) => {
    await clock.sleep(timesMs[at] ?? 0)
    made.push({ id: String(at + 1), name: `key-${at}`, public_key: 'ssh-ed25519 AAAA' })
    const { is } = await sightings.look({ kind: SshKey, workspaceId: '1', id: String(at + 1), fields: [], parents: [], group: null })
    end()
    return is
  })
  return { told: new Set(await Promise.all(told)), listedAt }
}

describe('operations that end one after another', () => {
  test('are confirmed together while more of them come', async () => {
    expect(await confirmed(every(30, 10))).toEqual({ told: new Set(['shown']), listedAt: [270] })
  })

  test('wait for 400 ms at most', async () => {
    expect((await confirmed(every(30, 30))).listedAt).toEqual([400, 820])
  })

  test('are not waited for where they are further apart', async () => {
    expect((await confirmed([0, 0, 0, 150, 150, 150])).listedAt).toEqual([100, 150])
  })
})

function every(apartMs: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at * apartMs)
}
