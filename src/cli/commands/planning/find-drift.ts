// Finding what was changed outside of iac, to an exit code: shown, written where flags say so, and told.
import { catalogue } from '../../../base/catalogue.ts'
import type { Code } from '../../../base/catalogue.ts'
import { diagnostic } from '../../../base/diagnostic.ts'
import type { Diagnostic } from '../../../base/diagnostic.ts'
import { blame } from '../../../engine/blame.ts'
import { exitCodeOf } from '../../../engine/plan/checks/guards.ts'
import { isTimeless } from '../../../engine/plan/prepared-plan.ts'
import { preparePlan } from '../../../engine/session.ts'
import type { StateStore } from '../../../state/store.ts'
import { maskSecrets, tellActions } from '../../apply/github-actions.ts'
import { filesOf, isShown, renderingsOf, showReport } from '../../apply/renderings.ts'
import { outputsOf, planReport, wordsOf } from '../../apply/show-plan.ts'
import { findUnmanaged } from '../../apply/unmanaged.ts'
import { assertMayWrite } from '../../apply/written-files.ts'
import type { Given } from '../../arguments/flags.ts'
import type { Context } from '../../context/context.ts'
import { issuePlace, keepDriftIssue } from '../../forges/drift-issue.ts'
import { forgeNames } from '../../forges/forge-place.ts'
import { driftDocument } from '../../render/drift-json.ts'
import { driftText } from '../../render/drift-text.ts'
import { markdown } from '../../render/formats/markdown.ts'
import type { Report } from '../../render/formats/report.ts'
import { appliedBefore, placeOfState } from '../../render/plan/state-lines.ts'
import type { Concluded } from '../../unchanged/looking.ts'

/** Looks as the flags of `iac drift` say. Throws Failure. */
export async function findDrift(context: Context, given: Given): Promise<Concluded> {
  const renderings = renderingsOf('drift', given.list('format'), context.globals.switch('json'), given.text('json-into'))
  await assertMayWrite(context, filesOf(renderings))
  const forge = forgeNames.find((one) => one === given.text('issue'))
  const repository = forge && issuePlace(forge, context.surroundings)
  const { project, diagnostics } = await context.project()
  maskSecrets(context, given, project)
  const store = await context.store(project)
  const run = await context.run(project)
  const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
  const prepared = await preparePlan(run, { project, store, options, diagnostics })
  const { plan, folded } = prepared
  const drift = plan.drift ?? []
  const found = given.switch('unmanaged')
    ? await findUnmanaged(run, { records: [...folded.resources.values()], changes: plan.changes, workspace: project.workspace })
    : undefined
  const blamed = given.switch('blame') ? await blame(run, store, drift, folded) : undefined
  const noStateAt = plan.state.lineage === null && folded.lineage === undefined ? placeOfState(project.state) : null
  // Where a migration starts there is none yet; an issue tells of a comparison.
  const isNeeded = forge !== undefined || (project.state.backend !== 'local' && !found)
  const missing = noStateAt !== null && isNeeded ? [missingState(store)] : []
  const document = driftDocument(drift, found, blamed, noStateAt)
  const planned = planReport(context, plan, { declared: project.resources, guarded: missing })
  const { fieldText } = planned
  const report: Report = {
    ...planned,
    subject: 'drift',
    drift: document,
    differs: document.has_drift,
    document: () => document,
    text: (palette) => driftText(drift, found, { palette, outputsOf, fieldText, words: wordsOf(context), noStateAt }, blamed),
  }
  await showReport(context, report, renderings)
  const errors = plan.diagnostics.filter(({ severity, code }) => severity === 'error' && !isOfChanges(code))
  context.print.diagnostics([...errors, ...missing])
  const wrong = exitCodeOf([...errors, ...missing])
  const code = wrong !== 0 ? wrong : document.has_drift ? 2 : 0
  await tellActions(context, given, report, code, isShown(renderings, 'github'))
  if (forge && repository && noStateAt === null) {
    const drifted = { ...report, folder: context.folder, planMs: Date.parse(report.createdAt), text: document.has_drift ? markdown(report) : undefined }
    for (const line of await keepDriftIssue(forge, repository, drifted, context.surroundings)) context.print.note(line)
  }
  return { code, isSettled: code === 0 && isTimeless(prepared) }
}

/** Nothing tells a place that is new from a wrong one: a job that looks for drift must not stay green there. */
function missingState({ where }: StateStore): Diagnostic {
  return diagnostic('state_command', `nothing was compared: ${where} is not there yet`, {
    hint: `the first apply that changes anything makes it. ${appliedBefore}`,
  })
}

/** Whether an error is of what a plan would do, and not of what its manifests say: nothing is done here, and what drifted may be its reason. */
function isOfChanges(code: Code): boolean {
  return catalogue[code].exit === 5 || ['unsupported_change', 'plan_impossible', 'exists', 'import_replaced'].includes(code)
}
