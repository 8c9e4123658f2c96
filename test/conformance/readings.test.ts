// Every kind comes and goes however the service answers each of the document's open questions, one at a time.
import { beforeAll, describe, expect, test } from 'vitest'
import { compatSchema } from '../../src/api/calls/compat.ts'
import { assumptions, strains } from '../../src/sandbox/readings/assumptions.ts'
import { compatFor } from '../../src/sandbox/readings/reading-compat.ts'
import { checkReadings, checkStrains } from '../../src/sandbox/readings/readings-given.ts'
import { drawn, longForm } from '../builders/long-form.ts'
import { coverOf, expectLives, readingsMet } from './short-walk.ts'
import { subjects } from './subject.ts'
import type { Subject } from './subject.ts'

const met = new Map<Subject, ReadonlySet<string>>()
/** Whoever meets a reading, meets it in its kind, and each kind is among those that cover them all. */
const walked = longForm(subjects, coverOf(subjects))
const others = Object.entries(assumptions).flatMap(([name, { readings }]) => readings.slice(1).map((value) => [name, value] as const))

function readingOf(name: string, value: unknown) {
  const checked = checkReadings([[name, value]])
  if (!('readings' in checked)) throw new Error(checked.mistake)
  return checked.readings
}

describe('each reading by itself', () => {
  beforeAll(async () => {
    for (const subject of walked) met.set(subject, await readingsMet(subject))
  })
  test.each(drawn(others, 3, 'readings'))('%s is %s', async (name, value) => {
    const asking = walked.filter((subject) => met.get(subject)?.has(name))
    await expectLives(coverOf(asking), readingOf(name, value))
  })
  test('the walk meets what lists, details and wrapped answers leave open', () => {
    const all = new Set([...met.values()].flatMap((names) => [...names]))
    const general = ['lists', 'details', 'emptyMembers', 'wrapper', 'openMethods', 'arrayQuery', 'effectLagMs', 'readLagMs', 'liveParts', 'deletion']
    expect([...all]).toEqual(expect.arrayContaining(general))
  })
})

describe('each strain by itself', () => {
  const strained = Object.entries(strains).flatMap(([name, { readings }]) => readings.slice(1).map((value) => [name, value] as const))
  test.each(drawn(strained, 2, 'strains'))('%s is %s', async (name, value) => {
    const checked = checkStrains([[name, value]])
    if (!('strains' in checked)) throw new Error(checked.mistake)
    await expectLives(coverOf(subjects), checked.strains)
  })
})

describe('what a reading asks of provider.compat', () => {
  const asking = others.filter(([name, value]) => Object.keys(compatFor(readingOf(name, value))).length > 0)

  test.each(asking)('%s is %s: settings that are there, none at its default', (name, value) => {
    const asked = compatFor(readingOf(name, value))
    const settings: Readonly<Record<string, unknown>> = compatSchema.parse(asked)
    const defaults: Readonly<Record<string, unknown>> = compatSchema.parse({})
    for (const key of Object.keys(asked)) expect(settings[key]).not.toEqual(defaults[key])
  })
  test('defaults ask for nothing, and two readings may share a setting', () => {
    const defaults = Object.entries(assumptions).map(([name, { readings }]) => compatFor(readingOf(name, readings[0])))
    expect(defaults.filter((one) => Object.keys(one).length > 0)).toEqual([])
    expect(compatFor({ ipMembers: 'words', detachPath: 'detach' })).toMatchObject({ detach_ip: { ip: 'address', path: '/v1/commands/detach' } })
  })
})
