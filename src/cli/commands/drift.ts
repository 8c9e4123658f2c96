// `iac drift`: live against state and manifests; changes nothing.
import { blame } from '../../engine/blame.ts'
import { preparePlan } from '../../engine/session.ts'
import { kinds } from '../../kinds/registry.ts'
import { ciFlag, maskSecrets, tellActions } from '../apply/github-actions.ts'
import { filesOf, formatFlag, isShown, renderingsOf, showReport } from '../apply/renderings.ts'
import { nameOfLookedUp, outputsOf, planReport, wordsOf } from '../apply/show-plan.ts'
import { findUnmanaged } from '../apply/unmanaged.ts'
import { assertMayWrite } from '../apply/written-files.ts'
import { compatFlag } from '../arguments/plan-flags.ts'
import { defineCommand } from '../context/command.ts'
import { issuePlace, keepDriftIssue } from '../forges/drift-issue.ts'
import { forgeNames } from '../forges/forge-place.ts'
import { driftDocument } from '../render/drift-json.ts'
import { driftText } from '../render/drift-text.ts'
import { markdown } from '../render/formats/markdown.ts'
import type { Report } from '../render/formats/report.ts'
import { fieldTextOf } from '../render/plan/field-text.ts'

export const driftCommand = defineCommand({
  summary: 'what was changed outside of iac',
  about: 'Compares what is live with what the last apply recorded. Exits with 2 when there is a difference. Changes nothing.',
  arguments: [],
  flags: {
    unmanaged: { type: 'switch', about: 'also list what no manifest manages, with a coverage figure' },
    blame: { type: 'switch', about: 'also name the workflows on what drifted, as far as the service tells' },
    issue: { type: 'choice', value: 'FORGE', choices: forgeNames, about: 'open, update or close one issue that tells of it, in the repository of the job' },
    ...ciFlag,
    format: formatFlag('drift'),
    compat: compatFlag,
    'json-into': { type: 'text', value: 'FILE', about: 'write the machine format into a file beside what is shown' },
  },
  failsInJson: true,
  examples: [
    { text: 'drift', about: 'for people' },
    { text: 'drift --blame', about: 'which workflows may have done it' },
    { text: 'drift --unmanaged --json', about: 'for a nightly job' },
    { text: 'drift --issue github', about: 'one issue of the repository, open as long as something drifted' },
  ],
  async run(context, given) {
    const renderings = renderingsOf('drift', given.list('format'), context.globals.switch('json'), given.text('json-into'))
    await assertMayWrite(context, filesOf(renderings))
    const forge = forgeNames.find((one) => one === given.text('issue'))
    const repository = forge && issuePlace(forge, context.surroundings)
    const { project, diagnostics } = await context.project()
    maskSecrets(context, given, project)
    const store = await context.store(project)
    const run = await context.run(project)
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const { plan, folded, refreshed } = await preparePlan(run, { project, store, options, diagnostics })
    const drift = plan.drift ?? []
    const found = given.switch('unmanaged')
      ? await findUnmanaged(run, { records: [...folded.resources.values()], changes: plan.changes, workspace: project.workspace })
      : undefined
    const blamed = given.switch('blame') ? await blame(run, store, drift, folded) : undefined
    const fieldText = fieldTextOf(kinds, nameOfLookedUp(refreshed))
    const document = driftDocument(drift, found, blamed)
    const report: Report = {
      ...planReport(context, plan, { declared: project.resources }),
      subject: 'drift',
      drift: document,
      differs: document.has_drift,
      document: () => document,
      text: (palette) => driftText(drift, found, { palette, outputsOf, fieldText, words: wordsOf(context) }, blamed),
    }
    await showReport(context, report, renderings)
    const code = document.has_drift ? 2 : 0
    await tellActions(context, given, report, code, isShown(renderings, 'github'))
    if (forge && repository) {
      const drifted = { ...report, planMs: Date.parse(report.createdAt), text: document.has_drift ? markdown(report) : undefined }
      for (const line of await keepDriftIssue(forge, repository, drifted, context.surroundings)) context.print.note(line)
    }
    return code
  },
})
