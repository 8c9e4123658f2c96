// The short walk of kinds under one set of readings, and which readings a kind's walk meets at all.
import type { Readings } from '../../src/sandbox/readings/assumptions.ts'
import { routes } from '../../src/sandbox/served-routes.ts'
import { expectLife } from './life.ts'
import { createPlace } from './place.ts'
import type { Subject } from './subject.ts'

/** Makes, finds, imports and destroys each subject at a service of its own; throws all that went wrong at once. */
export async function expectLives(subjects: readonly Subject[], readings: Partial<Readings>): Promise<void> {
  const wrong: Error[] = []
  for (const subject of subjects) {
    const place = await createPlace({ title: '', http: false, readings }, subject)
    try {
      await expectLife(place, subject)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      error.message = `${subject.title}: ${error.message}`
      wrong.push(error)
    } finally {
      await place.close()
    }
  }
  if (wrong.length > 0) throw new AggregateError(wrong, wrong.map((one) => one.message).join('\n'))
}

/** A few of the subjects that show every kind which all of them show, as what they are about or beside it. */
export function coverOf(all: readonly Subject[]): readonly Subject[] {
  const open = new Set(all.flatMap(kindsOf))
  const chosen: Subject[] = []
  for (const subject of all.toSorted((a, b) => new Set(kindsOf(b)).size - new Set(kindsOf(a)).size)) {
    if (!kindsOf(subject).some((name) => open.has(name))) continue
    chosen.push(subject)
    for (const name of kindsOf(subject)) open.delete(name)
  }
  return chosen
}

function kindsOf({ kind, example }: Subject): readonly string[] {
  return [kind.name, ...(example.beside ?? []).map((one) => one.kind)]
}

/** The names of the readings that the service asks for while the subject is walked. */
export async function readingsMet(subject: Subject): Promise<ReadonlySet<string>> {
  const place = await createPlace({ title: '', http: false, readings: {} }, subject)
  const { world, log } = place.sandbox
  const met = new Set<string>()
  const get = (target: object, name: string | symbol): unknown => {
    met.add(String(name))
    return Reflect.get(target, name)
  }
  Object.defineProperty(world, 'readings', { value: new Proxy({ ...world.readings }, { get }) })
  try {
    await expectLife(place, subject)
  } finally {
    await place.close()
  }
  // These two are asked for once, when the paths are laid out.
  const called = log.list().flatMap((entry) => entry.operation ?? [])
  if (called.some((name) => routes[name].methods.length > 1)) met.add('openMethods')
  if (called.includes('detachIp')) met.add('detachPath')
  return met
}
