// kill -9 at every effect of every kind: what is there afterwards is what the manifests say, once, and recorded.
import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/kinds/registry.ts'
import { countedKinds } from './checks.ts'
import { expectedSteps } from './project.ts'
import { allPoints, dryRuns, missingFrom, oneOfEach, tableOf, tryAll } from './points.ts'
import type { Moment } from './world.ts'

/** Everything takes several minutes; by default each step of each kind is killed once per moment. */
const takesAll = process.env['IAC_CRASH'] === 'all'
const moments: readonly Moment[] = takesAll ? ['before', 'after', 'answered'] : ['before', 'after']

describe('a run that is killed', () => {
  test('is gone on with by the next one, without a double, an orphan or a manual step', { timeout: 1_800_000 }, async () => {
    const startedMs = performance.now()
    const all = allPoints(await dryRuns(), moments)
    const points = takesAll ? all : oneOfEach(all)
    const tried = await tryAll(points, 8)
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(`${tableOf(tried, expectedSteps, moments)}\n${tried.length} of ${all.length} points in ${seconds} s`)
    const bad = tried.filter((one) => one.problems.length > 0)
    expect(bad.map(({ walked, effect, moment, problems }) => `${walked.phase.name}: ${effect.label}, ${moment}:\n${problems.join('\n')}`)).toEqual([])
    expect(missingFrom(tried, expectedSteps, moments)).toEqual([])
  })

  test('is tried for every kind that is managed', () => {
    const managed = kinds.filter((one) => one.managed).map((one) => one.name)
    expect(Object.keys(expectedSteps).toSorted()).toEqual(managed.toSorted())
    expect(countedKinds.toSorted()).toEqual(managed.toSorted())
  })
})
