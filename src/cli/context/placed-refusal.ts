// Where the project file says what is refused of a state's path.
import { Failure } from '../../base/diagnostic.ts'
import { environmentOf } from '../../project/configuration/environments.ts'
import { readProjectFileInTurns } from '../../project/configuration/project-file.ts'
import { placedState } from '../../project/configuration/state-settings.ts'
import type { Files } from '../../project/files/files.ts'
import type { StateSettings } from '../../project/resolving/declared.ts'
import type { Given } from '../arguments/flags.ts'
import { statePlaceProblem } from '../storage/state-place.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'
import { readingInTurns } from '../surroundings/taking-turns.ts'

interface Around {
  readonly folder: string
  readonly globals: Given
  readonly surroundings: Surroundings
  readonly files: Files
}

/** Why a state was not opened: with the place in iac.yaml where that is its path, and the path stands there. */
export async function placedRefusal(error: unknown, state: StateSettings, { folder, globals, surroundings, files }: Around): Promise<unknown> {
  if (!(error instanceof Failure) || state.backend !== 'local' || !statePlaceProblem(state.path, folder, surroundings)) return error
  const { file } = await readingInTurns(({ whole }) => readProjectFileInTurns(files, { folder }, whole), surroundings)
  const environment = environmentOf(globals.text('env') ?? null, file?.fields)
  const placed = file && placedState(file, { name: '', environment, sandbox: globals.switch('sandbox') })
  if (placed?.settings.backend !== 'local' || placed.settings.path !== state.path) return error
  const position = placed.position('path')
  return new Failure(
    error.exitCode,
    error.diagnostics.map((one) => ({ ...one, position })),
  )
}
