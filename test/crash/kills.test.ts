// kill -9 at every effect of every kind: what is there afterwards is what the manifests say, once, and recorded.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { campaign, drawn, isLongForm, sample, seedFor } from '../builders/long-form.ts'
import { randomOf } from '../builders/random-of.ts'
import { allPoints, dryRuns, shareOf, missingFrom, oneOfEach, tableOf, tryAll } from './points.ts'
import type { Tried, Walked } from './points.ts'
import { stepsOfKinds } from './steps.ts'
import type { Moment } from './world.ts'

const moments: readonly Moment[] = ['before', 'after', 'answered']
const expectedSteps = stepsOfKinds()
const WIDTH = 8
let walked: readonly Walked[] = []

describe('a run that is killed', { timeout: 3_600_000 }, () => {
  beforeAll(async () => void (walked = await dryRuns(expectedSteps)), 300_000)
  afterAll(() => {
    for (const { stage } of walked) if (stage) rmSync(stage.folder, { recursive: true })
  })

  test('is gone on with by the next one, without a double, an orphan or a manual step', { tags: ['longer'] }, async () => {
    const startedMs = performance.now()
    const all = allPoints(walked, moments)
    const tried = await tryAll(isLongForm ? shareOf(all, campaign(10, 40, 40)) : drawn(oneOfEach(all), 3, 'kills'), WIDTH)
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.log(`${tableOf(tried, expectedSteps, moments)}\n${tried.length} of ${all.length} points in ${seconds} s`)
    expect(textOf(tried)).toEqual([])
    // Each step is among those that are drawn from.
    if (isLongForm) expect(missingFrom(all, expectedSteps, moments)).toEqual([])
  })

  test.runIf(isLongForm)('is gone on with when that one is killed, too, at its first effect', { tags: ['longer'] }, async () => {
    expect(textOf(await tryAll(sample(allPoints(walked, ['before', 'after']), 16, randomOf(seedFor('killed twice'))), WIDTH, true))).toEqual([])
  })
})

/** What went wrong, by the point that was tried. */
function textOf(tried: readonly Tried[]): readonly string[] {
  const bad = tried.filter((one) => one.problems.length > 0)
  return bad.map((one) => `${one.walked.phase.name}: ${one.effect.label}, ${one.moment}:\n${one.problems.join('\n')}`)
}
