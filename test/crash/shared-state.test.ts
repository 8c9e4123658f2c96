// A state that machines share: runs that are killed, on a machine whose disk goes with them, and the next one from another folder.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaign, drawn, seedFor } from '../builders/long-form.ts'
import { randomOf } from '../builders/random-of.ts'
import type { StatePlace } from '../builders/state-places.ts'
import { sharedPlaces } from '../builders/state-places.ts'
import { apply, countEffects, drawBlows, outlive, startShared } from './outlived.ts'

/** `npm run crash` tries more. */
const tries = campaign(6, 3, 3)
/** At a time: with more of them a lease of 5 s may be over for want of a processor. */
const WIDTH = 3

describe.each(drawn(sharedPlaces, 1, 'places of states that outlive kills'))('a state in %s', { timeout: 900_000, tags: ['longer'] }, (title, { open }) => {
  let place: StatePlace
  beforeAll(async () => void (place = await open()), 60_000)
  afterAll(() => place.close())

  test('outlives kill -9 at any effect, again and again, with the disk of the machine', async () => {
    const effects = await countEffects(place)
    expect(effects).toBeGreaterThan(5)
    const random = randomOf(seedFor(`kills beside ${title}`))
    const all = Array.from({ length: tries }, (_, number) => ({ project: `p${number}`, blows: drawBlows(random, effects) }))
    const problems: string[] = []
    let killed = 0
    for (let from = 0; from < tries; from += WIDTH) {
      const tried = all.slice(from, from + WIDTH).map(async ({ project, blows }) => {
        const { kills, runs: _, ...wrong } = await outlive(place, project, blows)
        killed += kills
        for (const text of Object.values(wrong).flat()) problems.push(`${JSON.stringify(blows)}: ${text}`)
      })
      await Promise.all(tried)
    }
    expect(problems).toEqual([])
    expect(killed).toBeGreaterThan(tries / 2)
  })

  test('is there for everybody, with its lock, its history and nothing in the folder', async () => {
    const world = await startShared(place, 'everybody')
    expect((await world.look('status')).stdout).toContain('State: none yet')
    expect((await world.run(apply)).code).toBe(0)
    expect((await world.look('state', 'list')).stdout).toContain('Disk/data')
    expect((await world.look('state', 'history')).stdout).toMatch(/^\s*\d+/m)
    expect((await world.run(['destroy', '--auto-approve'])).code).toBe(0)
    expect(world.sandbox.world.tables.instances.all()).toEqual([])
    await world.close()
  })
})
