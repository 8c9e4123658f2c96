// Every kind comes and goes however the service answers all of the document's open questions at once, drawn by seeds.
import { test } from 'vitest'
import { drawReadings } from '../../src/sandbox/readings/readings-given.ts'
import { expectLives } from './short-walk.ts'
import { subjects } from './subject.ts'

// IAC_READINGS_SEEDS=N draws N times in place of 20.
const seeds = Array.from({ length: Number(process.env['IAC_READINGS_SEEDS'] ?? 20) }, (_, index) => index + 1)

test.each(seeds)('the readings of seed %i', async (seed) => expectLives(subjects, drawReadings(seed)), 300_000)
