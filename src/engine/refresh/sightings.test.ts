// How few lists confirm operations that end one after another.
import { describe, expect, test } from 'vitest'
import type { Call } from '../../api/calls/call.ts'
import { compatSchema } from '../../api/calls/compat.ts'
import { virtualClock } from '../../base/clock.ts'
import type { JsonValue } from '../../base/json.ts'
import { FirewallRule } from '../../kinds/firewall-rule.ts'
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

/** Rules of instances 1, 2, … that are asked for at these times: when each instance's rules were told, how many lists were read, and how many rules singly. */
async function confirmedBelow(timesMs: readonly (readonly number[])[]) {
  const clock = virtualClock()
  const live = { type: 'IPv4', action: 'ACCEPT', protocol: 'TCP', port_start: 22, port_end: 22, priority: 1, remote: '0.0.0.0/0', description: '' }
  const made: Record<string, { readonly id: string }[]> = {}
  let [reads, lists] = [0, 0]
  const source = {
    async read() {
      reads += 1
      await clock.sleep(20)
      return { id: '1', ...live }
    },
    text: async () => '',
    async all({ params }: Call) {
      lists += 1
      const there = [...(made[params['iid'] ?? ''] ?? [])]
      await clock.sleep(20)
      return there.map((one) => ({ ...one, ...live }))
    },
  }
  const sightings = createSightings({ source, compat: compatSchema.parse({}), clock, digest: (value) => JSON.stringify(value) })
  const rules = timesMs.flatMap((times, at) => times.map((ms, index) => ({ instance: String(at + 1), ms, id: `${at + 1}${index}` })))
  const begun = rules.map((one) => ({ ...one, end: sightings.begin('FirewallRule', `Instance/${one.instance}`) }))
  const toldAt: Record<string, Set<string>> = {}
  await Promise.all(
    begun.map(async ({ instance, ms, id, end }) => {
      await clock.sleep(ms)
      ;(made[instance] ??= []).push({ id })
      const target = { kind: FirewallRule, workspaceId: '1', id, fields: [], parents: [instance], group: `Instance/${instance}` }
      const { is } = await sightings.look(target)
      end()
      ;(toldAt[instance] ??= new Set()).add(`${is} at ${clock.now()}`)
    }),
  )
  return { toldAt, reads, lists }
}

describe('operations below several parents', () => {
  test('wait for those below their own alone, and one single read tells what all of them carry', async () => {
    const { toldAt, reads } = await confirmedBelow([
      [0, 0, 0],
      [0, 0, 90],
      [0, 0, 0, 0],
    ])
    expect(toldAt).toEqual({ 1: new Set(['shown at 20']), 2: new Set(['shown at 110']), 3: new Set(['shown at 20']) })
    expect(reads).toBe(1)
  })

  test('wait for those that are further apart as long as others of the kind come meanwhile', async () => {
    const { toldAt, reads, lists } = await confirmedBelow([
      [0, 110, 220],
      [60, 170, 280],
    ])
    expect(toldAt).toEqual({ 1: new Set(['shown at 240']), 2: new Set(['shown at 300']) })
    expect([reads, lists]).toEqual([1, 2])
  })
})

function every(apartMs: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => at * apartMs)
}
