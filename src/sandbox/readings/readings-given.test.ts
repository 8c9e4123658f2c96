// Readings by name and value, and by seed.
import { expect, test } from 'vitest'
import { assumptions, readingsOf, strains } from './assumptions.ts'
import { questions } from './questions.ts'
import { checkReadings, checkStrains, drawReadings } from './readings-given.ts'

test('readings are checked by name and value', () => {
  expect(checkReadings([])).toEqual({ readings: {} })
  expect(
    checkReadings([
      ['lists', 'slim'],
      ['accepted', '200'],
      ['rateLimit', 5],
    ]),
  ).toEqual({ readings: { lists: 'slim', accepted: 200, rateLimit: 5 } })
  expect(checkReadings([['Lists', 'slim']])).toMatchObject({ mistake: 'no reading is called Lists', nearest: 'lists' })
  expect(checkReadings([['lists', 'thin']])).toMatchObject({ mistake: 'the reading lists is one of full, slim' })
  for (const value of ['many', '-1', 1.5, ''])
    expect(checkReadings([['rateLimit', value]])).toMatchObject({ mistake: 'the reading rateLimit is a whole number' })
  expect(checkReadings([['lists', 1]])).toHaveProperty('mistake')
})

test('a seed draws one of the readings for each question, always the same, and over some seeds all of them', () => {
  expect(drawReadings(3)).toEqual(drawReadings(3))
  const drawn = Array.from({ length: 200 }, (_, seed) => drawReadings(seed))
  const lists = Object.entries(assumptions).map(([name, { readings }]) => [name, [...readings].toSorted()])
  const seen = lists.map(([name]) => [name, [...new Set(drawn.map((one) => Object.entries(one).find(([key]) => key === name)?.[1]))].toSorted()])
  expect(seen).toEqual(lists)
  expect(Object.keys(drawReadings(1))).toEqual(Object.keys(assumptions))
})

test('a number that no service could work with is refused', () => {
  const refused = [
    ['quotaStatus', 4030],
    ['takenStatus', 200],
    ['accepted', 204],
    ['created', 500],
    ['maxPageSize', 49],
    ['rateUnitBytes', 0],
    ['rateUnitBytesSec', '0'],
  ] as const
  for (const reading of refused) expect(checkReadings([reading])).toMatchObject({ mistake: expect.stringContaining(`the reading ${reading[0]} is`) })
  expect(checkReadings([['maxPageSize', 49]])).toMatchObject({ mistake: 'the reading maxPageSize is a whole number from 50 on' })
  const accepted = [
    ['quotaStatus', '409'],
    ['maxPageSize', 50],
    ['effectLagMs', 0],
  ] as const
  expect(checkReadings(accepted)).toEqual({ readings: { quotaStatus: 409, maxPageSize: 50, effectLagMs: 0 } })
})

test('what the document excludes is a strain: no reading, drawn by no seed, and said with its words', () => {
  expect(Object.keys(strains)).toEqual(['resourceInCreate', 'filters', 'cursors', 'keysetPages', 'monthlyCap', 'listFilters'])
  expect([...Object.keys(assumptions), ...Object.keys(strains)].toSorted()).toEqual(Object.keys(readingsOf()).toSorted())
  expect(Object.keys(questions)).toHaveLength(Object.keys(assumptions).length + Object.keys(strains).length)
  for (const { excluded } of Object.values(strains)) expect(excluded).toMatch(/\w/)
  expect(checkReadings([['cursors', 'keyset']])).toMatchObject({ mistake: 'no reading is called cursors: it is a strain' })
  expect(checkStrains([['lists', 'slim']])).toMatchObject({ mistake: 'no strain is called lists: it is a reading' })
  expect(checkStrains([['cursors', 'none']])).toMatchObject({ mistake: 'the strain cursors is one of all, keyset' })
  expect(checkStrains([['cursors', 'keyset']])).toEqual({ strains: { cursors: 'keyset' } })
  for (let seed = 0; seed < 50; seed += 1) expect(Object.keys(drawReadings(seed)).filter((name) => Object.hasOwn(strains, name))).toEqual([])
})
