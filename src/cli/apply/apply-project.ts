// Apply and destroy: plan, show, ask, carry out, and tell how it went.
import type { Client } from '../../api/client.ts'
import type { ExitCode } from '../../base/catalogue.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic } from '../../base/diagnostic.ts'
import { applySaved } from '../../engine/apply-saved.ts'
import type { Locking } from '../../engine/apply/locked-run.ts'
import { nothingDone } from '../../engine/model/events.ts'
import type { Plan } from '../../engine/model/plan-data.ts'
import type { Options } from '../../engine/model/planned-resource.ts'
import type { Run } from '../../engine/model/run.ts'
import type { Prepared } from '../../engine/plan/prepared-plan.ts'
import { refreshState } from '../../engine/record-only.ts'
import type { Applied } from '../../engine/session.ts'
import { applyProject } from '../../engine/session.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import { maxDestroyFlag } from '../arguments/plan-flags.ts'
import type { Context } from '../context/context.ts'
import { outputLines } from '../render/output-text.ts'
import { differs } from '../render/plan/output-changes.ts'
import { applySentence, destroySentence } from '../render/plan/plan-counts.ts'
import { outcomeLine, outputsLine, planLines, versionLine } from '../render/progress/stream-json.ts'
import { sharedFolderAdvice } from '../storage/shared-folder.ts'
import { tellingOfEnd } from '../surroundings/ended-at-once.ts'
import { ownerOf } from '../surroundings/owner.ts'
import { askYes, assertMayAsk } from './question.ts'
import { createReporter } from './reporter.ts'
import { aroundOf, onScreen, planForPeople } from './show-plan.ts'

export const applyFlags = {
  'auto-approve': { type: 'switch', about: 'do not ask' },
  'no-destroy': { type: 'switch', about: 'refuse a plan that deletes or replaces anything' },
  'max-destroy': maxDestroyFlag,
  'fail-fast': { type: 'switch', about: 'begin nothing more after the first failure' },
} as const satisfies Flags

/** Runs an apply or a destroy of the project to its exit code. */
export async function applyAndTell(context: Context, given: Given, options: Options): Promise<ExitCode> {
  const approved = given.switch('auto-approve')
  if (!approved) assertMayAsk(context)
  return await withRun(context, given, options.destroy ? 'destroy' : 'apply', async ({ run, locking, project, diagnostics, ask }) => {
    const decide = (prepared: Prepared, problems: readonly Diagnostic[]): Promise<boolean> => show(context, prepared, { problems, approved, options, ask })
    const request = { ...locking, project, options, diagnostics }
    if (options.refreshOnly) {
      const document = await refreshState(run, request, decide)
      return document ? tell(context, { outcome: nothingDone, diagnostics: [], document, exitCode: 0 }, false) : 1
    }
    return tell(context, await applyProject(run, { ...request, guards: guardsOf(given, project), asks: !approved, decide }), options.destroy)
  })
}

/** Carries out a saved plan without asking. */
export async function applySavedAndTell(context: Context, given: Given, plan: Plan): Promise<ExitCode> {
  return await withRun(context, given, 'apply', async ({ run, locking, project }) => {
    if (context.globals.switch('json')) for (const line of planLines(plan)) context.print.line(line)
    return tell(context, await applySaved(run, { ...locking, project, plan, guards: guardsOf(given, project) }), false)
  })
}

function guardsOf(given: Given, project: Project) {
  return { noDestroy: given.switch('no-destroy'), maxDestroy: given.number('max-destroy') ?? project.maxDestroy }
}

interface Ready {
  readonly run: Run
  readonly locking: Locking
  readonly project: Project
  readonly diagnostics: readonly Diagnostic[]
  readonly ask: Ask
}

type Ask = (question: Parameters<typeof askYes>[1]) => Promise<boolean>

/** What every run that changes something stands in: the stream's head, the reporter, the graceful stop. */
async function withRun(context: Context, given: Given, operation: string, work: (ready: Ready) => Promise<ExitCode>): Promise<ExitCode> {
  const { print, globals, surroundings } = context
  if (globals.switch('json')) {
    print.beginStream()
    print.line(versionLine(surroundings.version))
  }
  const { project, diagnostics } = await context.project()
  const store = await context.store(project)
  print.diagnostics([...(await sharedFolderAdvice(store)), ...(store.advice ?? [])])
  let client: Pick<Client, 'load'> | undefined
  const keepQuiet = tellingOfEnd(surroundings, () => client, '`iac status` shows what is unfinished, and the next run goes on')
  const reporter = createReporter(context)
  surroundings.graceful(true)
  let asking = false
  const ask: Ask = async (question) => {
    asking = true
    const said = await askYes(context, question)
    asking = false
    return said
  }
  const onStop = (): void => {
    const text = 'stopping: nothing more is begun, what runs is waited for; ^C again ends at once, which loses nothing'
    if (!asking) reporter.report({ type: 'note', diagnostic: diagnostic('note', text) })
  }
  surroundings.stop.addEventListener('abort', onStop, { once: true })
  try {
    const run = await context.run(project, { report: reporter.report, shown: reporter.shown, failFast: given.switch('fail-fast') })
    client = run.client
    const locking = { store, owner: ownerOf(surroundings, operation), lockTimeoutMs: globals.number('lock-timeout') ?? 0 }
    const code = await work({ run: { ...run, report: reporter.report }, locking, project, diagnostics, ask })
    return code === 1 && surroundings.stop.aborted ? 130 : code
  } finally {
    surroundings.graceful(false)
    surroundings.stop.removeEventListener('abort', onStop)
    reporter.stop()
    keepQuiet()
  }
}

/** Shows the plan; asks where something would change and nothing forbids it. */
async function show(
  context: Context,
  prepared: Prepared,
  asked: { readonly problems: readonly Diagnostic[]; readonly approved: boolean; readonly options: Options; readonly ask: Ask },
): Promise<boolean> {
  const { print, globals, surroundings } = context
  const { plan } = prepared
  const around = aroundOf(prepared)
  const { problems, approved, options, ask } = asked
  if (globals.switch('json')) for (const line of planLines(plan)) print.line(line)
  else if (!globals.switch('quiet') || !approved) print.result(onScreen(context, planForPeople(context, plan, print.palette, around)))
  print.diagnostics(plan.diagnostics)
  if (problems.length > 0 || plan.diagnostics.some((one) => one.severity === 'error')) return false
  const idle = options.refreshOnly ? (plan.drift ?? []).length === 0 : !differs(plan, around.recordedOutputs ?? {})
  const { aborted } = surroundings.stop
  if (!aborted && (approved || idle)) return true
  const said = !aborted && (await ask(options.destroy ? destroyQuestion : options.refreshOnly ? refreshQuestion : applyQuestion))
  if (!said) print.note(`\n${options.destroy ? 'Destroy' : 'Apply'} cancelled.`)
  return said
}

const applyQuestion = { title: 'Do you want to perform these actions?', lines: ['iac will perform the actions described above.'] }
const destroyQuestion = {
  title: 'Do you really want to destroy all resources?',
  lines: ['iac will destroy all your managed infrastructure, as shown above.', 'There is no undo.'],
}
const refreshQuestion = {
  title: 'Would you like to update the state to what is live?',
  lines: ['iac will record what is live. Nothing is changed at the service.'],
}

/** Says how it went; the exit code that the run ends with. */
function tell(context: Context, applied: Omit<Applied, 'plan'>, destroy: boolean): ExitCode {
  const { print, globals } = context
  const { outcome, document, diagnostics } = applied
  print.diagnostics([...diagnostics, ...(outcome?.failed ?? []).map(asAsked)])
  if (!outcome) return applied.exitCode
  const sentence = destroy ? destroySentence(outcome) : applySentence(outcome)
  if (globals.switch('json')) {
    print.line(outcomeLine(outcome, sentence, destroy ? 'destroy' : 'apply'))
    print.line(outputsLine(document.outputs))
    return applied.exitCode
  }
  if (applied.exitCode !== 0) print.note(`Incomplete: what was done is recorded; run again to go on.`)
  const said = applied.exitCode === 0 ? sentence : sentence.replace(/^(Apply|Destroy) complete!/, '$1 incomplete.')
  print.result(`\n${print.palette.bold(applied.exitCode === 0 ? print.palette.green(said) : said)}\n`)
  const outputs = destroy ? [] : outputLines(document.outputs)
  if (outputs.length > 0) print.result(`\n${print.palette.bold('Outputs:')}\n\n${outputs.join('\n')}\n`)
  return applied.exitCode
}

/** Who stopped a run is told what was stopped by it; nothing of that went wrong. */
function asAsked(one: Diagnostic): Diagnostic {
  return one.code === 'interrupted' ? { ...one, severity: 'note' } : one
}
