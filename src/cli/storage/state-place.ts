// Where a project may keep its state: in its own folder, or below the one that the environment names.
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { diagnostic, Failure } from '../../base/diagnostic.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { realPlace } from '../../base/files/real-place.ts'
import type { Surroundings } from '../surroundings/surroundings.ts'

type Around = Pick<Surroundings, 'environment' | 'workingFolder'>

/** The absolute path of a local state; throws a Failure 3 for one outside of the project folder and of `IAC_STATE_DIR`, links followed. */
export function statePlace(path: string, folder: string, around: Around): string {
  const problem = statePlaceProblem(path, folder, around)
  if (problem) throw new Failure(3, [problem])
  return resolve(folder, path)
}

/** Why a local state may not lie there; undefined where it may. Nothing is read but where links lead. */
export function statePlaceProblem(path: string, folder: string, { environment, workingFolder }: Around): Diagnostic | undefined {
  const named = folderForStates({ environment, workingFolder })
  const roots = [folder, ...(named === undefined ? [] : [named])]
  const place = resolve(folder, path)
  // Links in the tool's own folder are looked at where that is opened, with the reason why they are refused.
  const isOwn = isOwnPlace(path, folder)
  const root = roots.find((one) => isBelow(place, one) && (isOwn || isBelow(realPlace(place), realPlace(one))))
  if (root === undefined)
    return diagnostic('invalid_value', `state.path: ${path} lies outside of the project folder${named === undefined ? '' : ' and of IAC_STATE_DIR'}`, {
      hint: 'keep it in the project folder, or let IAC_STATE_DIR name the folder for states',
    })
  // Whatever lies there is git's, and some of it is obeyed.
  if (
    relative(root, place)
      .split(sep)
      .some((part) => part.toLowerCase() === '.git')
  )
    return diagnostic('invalid_value', `state.path: ${path} lies in a folder of git's own`, { hint: 'keep it in .iac' })
  return undefined
}

/** The folder beside the project's that `IAC_STATE_DIR` names; undefined for none. */
export function folderForStates({ environment, workingFolder }: Around): string | undefined {
  const named = environment['IAC_STATE_DIR'] ?? ''
  return named === '' ? undefined : resolve(workingFolder, named)
}

/** Whether a local state may not lie there only because no `IAC_STATE_DIR` is set. */
export function isOnlyUnnamed(path: string, folder: string, around: Around): boolean {
  const named = { ...around, environment: { IAC_STATE_DIR: dirname(resolve(folder, path)) } }
  return folderForStates(around) === undefined && !!statePlaceProblem(path, folder, around) && !statePlaceProblem(path, folder, named)
}

/** Whether a state lies in the tool's own folder of a project. */
export function isOwnPlace(path: string, folder: string): boolean {
  return relative(folder, resolve(folder, path)).split(sep)[0] === '.iac'
}

/** Whether a path lies in a folder, and is not the folder itself. */
export function isBelow(path: string, root: string): boolean {
  const way = relative(root, path)
  return way !== '' && !isAbsolute(way) && way.split(sep)[0] !== '..'
}
