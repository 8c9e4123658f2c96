// Checking a project to an exit code: shown, written where flags say so, and told.
import { resolve } from 'node:path'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { shownSpec } from '../../../engine/plan/change.ts'
import { exitCodeOf } from '../../../engine/plan/checks/guards.ts'
import type { PolicySet } from '../../../engine/plan/checks/policies.ts'
import { policyProblemsOf } from '../../../engine/plan/checks/policies.ts'
import { projectFileName } from '../../../project/files/find-project.ts'
import type { Loaded } from '../../../project/load.ts'
import type { Project } from '../../../project/resolving/declared.ts'
import { nobody } from '../../../project/resolving/nobody.ts'
import { filesReport } from '../../apply/files-report.ts'
import { policiesOf } from '../../apply/policies.ts'
import { filesOf, renderingsOf, showReport } from '../../apply/renderings.ts'
import { assertMayWrite } from '../../apply/written-files.ts'
import type { Given } from '../../arguments/flags.ts'
import type { Context } from '../../context/context.ts'
import { counted } from '../../render/text/counted.ts'
import { isOwnPlace, statePlaceProblem } from '../../storage/state-place.ts'
import { digestKey, mayHoldSecrets } from '../../unchanged/guessable.ts'
import type { Concluded } from '../../unchanged/looking.ts'

/** Checks as the flags of `iac validate` say. Throws Failure. */
export async function validateProject(context: Context, given: Given): Promise<Concluded> {
  const renderings = renderingsOf('validate', given.list('format'), context.globals.switch('json'))
  await assertMayWrite(context, filesOf(renderings), given.list('policy'))
  const loaded = await context.load()
  const { project, foreign } = loaded
  const found = [...misplacedState(context, loaded), ...loaded.diagnostics]
  const diagnostics = project ? [...found, ...brokenBy(project, await policiesOf(context, given, project, false))] : found
  const report = filesReport(context, diagnostics, project)
  if (!context.globals.switch('json')) context.print.diagnostics(diagnostics)
  if (context.globals.switch('verbose') && foreign > 0)
    context.print.note(`${counted(foreign, 'document')} of other tools ${foreign === 1 ? 'was' : 'were'} left alone`)
  await showReport(context, report, renderings)
  const isSettled = project !== undefined && !isStateElsewhere(project) && (digestKey(context) !== '' || !mayHoldSecrets(context, loaded, project))
  return { code: exitCodeOf(diagnostics), isSettled }
}

/** Whether links may have been followed to where the state is, which is no look at a file of the project. */
function isStateElsewhere({ folder, state }: Project): boolean {
  return state.backend === 'local' && !isOwnPlace(state.path, folder)
}

/** What policies say of resources that nobody was asked about. */
function brokenBy({ resources }: Project, policies: PolicySet): readonly Diagnostic[] {
  const known = () =>
    resources.map((one) => ({
      address: one.address,
      kind: one.kind.name,
      ...shownSpec(one.resolve(nobody).spec),
      protected: one.lifecycle.preventDestroy,
    }))
  return policyProblemsOf(known, policies)
}

/** What every command that opens the state refuses: a path that leads elsewhere, or to what the project is read from. */
function misplacedState({ folder, surroundings }: Context, { state, project }: Loaded): readonly Diagnostic[] {
  if (state?.settings.backend !== 'local') return []
  const { path } = state.settings
  const problem = statePlaceProblem(path, folder, surroundings) ?? takenPlace(path, folder, project && manifestPaths(project, surroundings.workingFolder))
  return problem ? [{ ...problem, position: state.position('path') }] : []
}

function takenPlace(path: string, folder: string, manifests: ReadonlySet<string> = new Set()): Diagnostic | undefined {
  const place = resolve(folder, path)
  const what = place === resolve(folder, projectFileName) ? 'the project file' : manifests.has(place) ? 'a manifest of the project' : undefined
  return what === undefined ? undefined : diagnostic('invalid_value', `state.path: ${path} is ${what}`, { hint: 'keep it in .iac' })
}

/** Absolute; files that the command line names are told relative to where it was typed. */
function manifestPaths({ folder, partial, resources }: Project, workingFolder: string): ReadonlySet<string> {
  const files = new Set(resources.map((one) => one.position.file))
  return new Set(Array.from(files, (file) => resolve(partial ? workingFolder : folder, file)))
}
