// Every kind comes and goes however the service answers all of the document's open questions at once, drawn by seeds.
import { test } from 'vitest'
import { drawReadings } from '../../src/sandbox/readings/readings-given.ts'
import { drawn, longForm, seedFor } from '../builders/long-form.ts'
import { expectLives } from './short-walk.ts'
import { subjects } from './subject.ts'

const first = seedFor('readings')
const seeds = Array.from({ length: longForm(20, 1) }, (_, index) => first + index)

test.each(seeds)(
  'the readings of seed %i',
  async (seed) => expectLives(drawn(subjects, 20, `subjects under the readings of ${seed}`), drawReadings(seed)),
  300_000,
)
