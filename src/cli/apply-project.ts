// Apply and destroy: plan, show, ask, carry out, and tell how it went.
import type { ExitCode } from '../catalogue.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Options } from '../engine/planned.ts'
import type { Prepared } from '../engine/prepare.ts'
import type { Applied } from '../engine/session.ts'
import { applyProject } from '../engine/session.ts'
import type { Context } from './context.ts'
import type { Flags, Given } from './flags.ts'
import { ownerOf } from './owner.ts'
import { askYes, assertMayAsk } from './question.ts'
import { applySentence, destroySentence, hasChanges, planSentence } from './render/plan-counts.ts'
import { outputLines } from './render/output-text.ts'
import { outcomeLine, outputsLine, planLines, versionLine } from './render/stream-json.ts'
import { createReporter } from './reporter.ts'
import { planForPeople } from './show-plan.ts'

export const applyFlags = {
  'auto-approve': { type: 'switch', about: 'do not ask' },
  'no-destroy': { type: 'switch', about: 'refuse a plan that deletes or replaces anything' },
  'max-destroy': { type: 'integer', value: 'N', least: 0, most: 1_000_000, about: 'most deletes and replacements' },
  'fail-fast': { type: 'switch', about: 'begin nothing more after the first failure' },
} as const satisfies Flags

/** Runs an apply or a destroy of the project to its exit code. */
export async function applyAndTell(context: Context, given: Given, options: Options): Promise<ExitCode> {
  const { print, globals } = context
  const approved = given.switch('auto-approve')
  if (!approved) assertMayAsk(context)
  const json = globals.switch('json')
  if (json) {
    print.beginStream()
    print.line(versionLine(context.surroundings.version))
  }
  const { project, diagnostics } = await context.project()
  const store = await context.store(project)
  const reporter = createReporter(context)
  try {
    const run = await context.run(project, { report: reporter.report, failFast: given.switch('fail-fast') })
    const applied = await applyProject(run, {
      project,
      store,
      options,
      diagnostics,
      owner: ownerOf(context.surroundings, options.destroy ? 'destroy' : 'apply'),
      lockTimeoutMs: globals.number('lock-timeout') ?? 0,
      guards: { noDestroy: given.switch('no-destroy'), maxDestroy: given.number('max-destroy') ?? project.maxDestroy },
      decide: (prepared, problems) => decide(context, prepared, problems, approved, options.destroy),
    })
    reporter.stop()
    tell(context, applied, options.destroy)
    return applied.exitCode
  } finally {
    reporter.stop()
  }
}

/** Shows the plan; asks where something would change and nothing forbids it. */
async function decide(context: Context, prepared: Prepared, problems: readonly Diagnostic[], approved: boolean, destroy: boolean): Promise<boolean> {
  const { print, globals } = context
  const { plan } = prepared
  if (globals.switch('json')) for (const line of planLines(plan)) print.line(line)
  else if (!globals.switch('quiet') || !approved) print.result(planForPeople(plan, print.palette))
  print.diagnostics(plan.diagnostics)
  const refused = problems.length > 0 || plan.diagnostics.some((one) => one.severity === 'error')
  if (refused) return false
  if (approved || !hasChanges(plan.changes)) return true
  const said = await askYes(context, destroy ? destroyQuestion : applyQuestion)
  if (!said) print.note(`\n${destroy ? 'Destroy' : 'Apply'} cancelled.`)
  return said
}

const applyQuestion = { title: 'Do you want to perform these actions?', lines: ['iac will perform the actions described above.'] }
const destroyQuestion = {
  title: 'Do you really want to destroy all resources?',
  lines: ['iac will destroy all your managed infrastructure, as shown above.', 'There is no undo.'],
}

function tell(context: Context, applied: Applied, destroy: boolean): void {
  const { print, globals } = context
  const { outcome, document, diagnostics } = applied
  print.diagnostics([...diagnostics, ...(outcome?.failed ?? [])])
  if (!outcome) return
  const sentence = destroy ? destroySentence(outcome) : applySentence(outcome)
  if (globals.switch('json')) {
    print.line(outcomeLine(outcome, sentence, destroy ? 'destroy' : 'apply'))
    print.line(outputsLine(document.outputs))
    return
  }
  if (applied.exitCode !== 0) {
    const counts = planSentence(applied.plan.summary)
    print.note(`Incomplete (${counts.slice(0, -1)}): what was done is recorded; run again to go on.`)
  }
  const said = applied.exitCode === 0 ? sentence : sentence.replace(/^(Apply|Destroy) complete!/, '$1 incomplete.')
  print.result(`\n${print.palette.bold(applied.exitCode === 0 ? print.palette.green(said) : said)}\n`)
  const outputs = destroy ? [] : outputLines(document.outputs, print.palette)
  if (outputs.length > 0) print.result(`\n${print.palette.bold('Outputs:')}\n\n${outputs.join('\n')}\n`)
}
