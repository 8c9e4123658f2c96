// A holder of a shared state that is stopped for longer than its lease, as a laptop that sleeps: another run takes over, and the first one wakes up to nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaign, drawn, seedFor } from '../builders/long-form.ts'
import { randomOf } from '../builders/random-of.ts'
import type { StatePlace } from '../builders/state-places.ts'
import { sharedPlaces } from '../builders/state-places.ts'
import { until } from './fleet.ts'
import { apply, countEffects, isEffect, shortLease, startShared, wrongAfter } from './outlived.ts'
import type { World } from './world.ts'

/** How often a holder is stopped, each time at another effect. */
const stops = campaign(4, 1, 1)

// At the same time: nearly all of it is waiting for leases.
describe.concurrent.each(drawn(sharedPlaces, 1, 'places of states that are taken over'))(
  'a run whose state lies in %s, stopped beyond its lease',
  { timeout: 300_000, tags: ['longer'] },
  (title, { open }) => {
    let place: StatePlace
    beforeAll(async () => void (place = await open()), 60_000)
    afterAll(() => place.close())

    test('begins nothing more and overwrites nothing once it wakes up, and ends with 8', async () => {
      const effects = await countEffects(place)
      const random = randomOf(seedFor(`stopped beside ${title}`))
      for (let stop = 0; stop < stops; stop += 1) {
        const at = 1 + Math.floor(random() * effects)
        const world = await startShared(place, `stopped${stop}`)
        expect([at, ...(await problemsOfStopped(world, place, at))]).toEqual([at])
        await world.close()
      }
    })
  },
)

/** Stops an apply at its effect of this number, lets another one do all there is to do, and wakes the first. */
async function problemsOfStopped(world: World, place: StatePlace, at: number): Promise<readonly string[]> {
  const first = world.start(apply, shortLease)
  let [sent, isStopped] = [0, false]
  world.sandbox.faults.hook = (request) => {
    sent += isEffect(request) ? 1 : 0
    if (isStopped || sent < at) return undefined
    isStopped = process.kill(first.pid, 'SIGSTOP')
    return undefined
  }
  await until('it is stopped', () => isStopped)
  const second = await world.run([...apply, '--lock-timeout', '60s'])
  const [before, kept] = [sent, place.dump()]
  process.kill(first.pid, 'SIGCONT')
  const { code, stderr } = await first.ended
  return [
    ...(second.code === 0 ? [] : [`the second ended with ${second.code}: ${second.stderr}`]),
    ...(code === 8 ? [] : [`the first ended with ${code}: ${stderr}`]),
    ...(sent === before ? [] : [`the first sent ${sent - before} requests that change something`]),
    ...(place.dump() === kept ? [] : ['the first wrote where the state lies']),
    ...Object.values(await wrongAfter(world, place)).flat(),
  ]
}
