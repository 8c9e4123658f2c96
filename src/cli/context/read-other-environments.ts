// What the other environments of the project manage: their states, read without a lock where there is something to ask them.
import { Failure } from '../../base/diagnostic.ts'
import { otherEnvironmentsIn } from '../../engine/model/other-environments.ts'
import type { OtherEnvironments, OtherState } from '../../engine/model/other-environments.ts'
import { projectFileName } from '../../project/files/find-project.ts'
import { fold } from '../../state/fold.ts'
import type { Given } from '../arguments/flags.ts'
import { placeFlags } from '../arguments/place-flags.ts'
import { openStore, placeOf } from '../storage/open-store.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { statesIn } from './load-given.ts'
import type { StatesOf } from './load-given.ts'

interface Around {
  readonly folder: string
  readonly globals: Given
  readonly surroundings: Surroundings
}

/** Reads what iac.yaml declares beside the environment of the run, and the project's own state; undefined where there is nothing beside. */
export async function readOtherEnvironments(context: Around): Promise<OtherEnvironments | undefined> {
  const { folder, globals, surroundings } = context
  const states = await statesIn({ folder, name: projectFileName, isNeeded: false }, globals, surroundings)
  const others = [null, ...states.environments].filter((environment) => environment !== states.environment)
  if (others.length === 0) return undefined
  const own = await opened(context, states, states.environment)
  const all = await Promise.all(
    others.map(async (environment): Promise<readonly OtherState[]> => {
      const isReached = environment !== null || states.defaultEnvironment === null
      const there = { environment, flags: isReached ? placeFlags(globals, environment) : undefined }
      try {
        const { store, place } = await opened(context, states, environment)
        if (place === own.place) return []
        const { document, entries } = await store.read()
        return [{ ...there, found: fold(document, entries) }]
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return [{ ...there, found: { problem: error.message } }]
      }
    }),
  )
  return otherEnvironmentsIn(all.flat())
}

async function opened({ folder, surroundings }: Around, { stateFor }: StatesOf, environment: string | null) {
  const settings = stateFor(environment)
  const store = await openStore(settings, folder, surroundings)
  return { store, place: placeOf(store, settings, surroundings) }
}
