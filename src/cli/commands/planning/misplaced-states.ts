// Paths of states that no command opens: those that lead elsewhere, or to what the project is read from.
import { resolve } from 'node:path'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import type { PlacedState } from '../../../project/configuration/state-settings.ts'
import { projectFileName } from '../../../project/files/find-project.ts'
import type { Loaded } from '../../../project/load.ts'
import type { Project } from '../../../project/resolving/declared.ts'
import type { Context } from '../../context/context.ts'
import { isOnlyUnnamed, statePlaceProblem } from '../../storage/state-place.ts'

/** What every command that opens the state refuses; where no environment is asked for, of those that the run is not for, too. */
export function misplacedStates(context: Context, { state, otherStates, project }: Loaded): readonly Diagnostic[] {
  const manifests = project && manifestPaths(project, context.surroundings.workingFolder)
  const own = state ? misplaced(context, state, manifests) : undefined
  const others = context.globals.text('env') === undefined ? Array.from(otherStates ?? []) : []
  const all = others.map(([environment, one]) => misplaced(context, one, manifests, environment))
  // What several have from one line of the project is told once.
  const byPlace = new Map<string, Diagnostic>()
  for (const one of [own, ...all]) {
    const place = `${one?.position?.line}:${one?.position?.column}`
    if (one && !byPlace.has(place)) byPlace.set(place, one)
  }
  return Array.from(byPlace.values())
}

function misplaced({ folder, surroundings }: Context, state: PlacedState, manifests: ReadonlySet<string> | undefined, other?: string): Diagnostic | undefined {
  if (state.settings.backend !== 'local') return undefined
  const { path } = state.settings
  const problem = statePlaceProblem(path, folder, surroundings) ?? takenPlace(path, folder, manifests)
  if (!problem) return undefined
  const position = state.position('path')
  if (other === undefined) return { ...problem, position }
  const refused = `A run with -e ${other} is refused`
  if (!isOnlyUnnamed(path, folder, surroundings)) return { ...problem, position, detail: `${refused}.` }
  // Whoever runs in that environment may have the variable set.
  return diagnostic('advice', problem.summary, { position, detail: `${refused} where IAC_STATE_DIR is not set.`, hint: problem.hint })
}

function takenPlace(path: string, folder: string, manifests: ReadonlySet<string> = new Set()): Diagnostic | undefined {
  const place = resolve(folder, path)
  const what = place === resolve(folder, projectFileName) ? 'the project file' : manifests.has(place) ? 'a manifest of the project' : undefined
  return what === undefined ? undefined : diagnostic('invalid_value', `state.path: ${path} is ${what}`, { hint: 'keep it in .iac' })
}

/** Absolute; files that the command line names are told relative to where it was typed. */
function manifestPaths({ folder, partial, resources }: Project, workingFolder: string): ReadonlySet<string> {
  const files = new Set(resources.map((one) => one.headPosition('').file))
  return new Set(Array.from(files, (file) => resolve(partial ? workingFolder : folder, file)))
}
