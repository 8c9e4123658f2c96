// Checking a project to an exit code: shown, written where flags say so, and told.
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { shownSpec } from '../../../engine/plan/change.ts'
import { exitCodeOf } from '../../../engine/plan/checks/guards.ts'
import type { PolicySet } from '../../../engine/plan/checks/policies.ts'
import { policyProblemsOf } from '../../../engine/plan/checks/policies.ts'
import type { Loaded } from '../../../project/load.ts'
import type { Project } from '../../../project/resolving/declared.ts'
import { nobody } from '../../../project/resolving/nobody.ts'
import { filesReport } from '../../apply/files-report.ts'
import { policiesOf } from '../../apply/policies.ts'
import { filesOf, renderingsOf, showReport } from '../../apply/renderings.ts'
import { noteOtherDocuments } from '../../apply/tell-other-documents.ts'
import { assertMayWrite } from '../../apply/written-files.ts'
import type { Given } from '../../arguments/flags.ts'
import type { Context } from '../../context/context.ts'
import { isOwnPlace } from '../../storage/state-place.ts'
import { digestKey, mayHoldSecrets } from '../../unchanged/guessable.ts'
import type { Concluded } from '../../unchanged/looking.ts'
import { misplacedStates } from './misplaced-states.ts'

/** Checks as the flags of `iac validate` say. Throws Failure. */
export async function validateProject(context: Context, given: Given): Promise<Concluded> {
  const renderings = renderingsOf('validate', given.list('format'), context.globals.switch('json'))
  await assertMayWrite(context, filesOf(renderings), given.list('policy'))
  const loaded = await context.load()
  const { project, foreign } = loaded
  const found = [...misplacedStates(context, loaded), ...loaded.diagnostics]
  const diagnostics = project ? [...found, ...brokenBy(project, await policiesOf(context, given, project, false))] : found
  const report = filesReport(context, diagnostics, project)
  if (!context.globals.switch('json')) context.print.diagnostics(diagnostics)
  noteOtherDocuments(context, foreign)
  await showReport(context, report, renderings)
  const isSettled = project !== undefined && !isStateElsewhere(project, loaded) && (digestKey(context) !== '' || !mayHoldSecrets(context, loaded, project))
  return { code: exitCodeOf(diagnostics), isSettled }
}

/** Whether links may have been followed to where a state is, which is no look at a file of the project. */
function isStateElsewhere({ folder, state }: Project, { otherStates = new Map() }: Loaded): boolean {
  const all = [state, ...Array.from(otherStates.values(), (one) => one.settings)]
  return all.some((one) => one.backend === 'local' && !isOwnPlace(one.path, folder))
}

/** What policies say of resources that nobody was asked about. */
function brokenBy({ resources }: Project, policies: PolicySet): readonly Diagnostic[] {
  const known = () =>
    resources.map((one) => {
      const { spec, unresolved } = one.resolve(nobody)
      return { address: one.address, kind: one.kind.name, ...shownSpec(spec), unresolved, protected: one.lifecycle.preventDestroy }
    })
  return policyProblemsOf(known, policies)
}
