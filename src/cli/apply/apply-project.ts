// Apply and destroy: plan, show, ask, carry out, and tell how it went.
import type { Client } from '../../api/client.ts'
import { compareAddresses } from '../../base/address.ts'
import type { ExitCode } from '../../base/catalogue.ts'
import type { Diagnostic } from '../../base/diagnostic.ts'
import { diagnostic, failure } from '../../base/diagnostic.ts'
import { equalJson } from '../../base/json.ts'
import { few } from '../../base/words/few.ts'
import { applySaved } from '../../engine/apply-saved.ts'
import type { Locking } from '../../engine/apply/locked-run.ts'
import type { Report } from '../../engine/model/events.ts'
import type { Change, Plan } from '../../engine/model/plan-data.ts'
import type { Options } from '../../engine/model/planned-resource.ts'
import type { Run } from '../../engine/model/run.ts'
import { exitCodeOf } from '../../engine/plan/checks/guards.ts'
import type { Prepared } from '../../engine/plan/prepared-plan.ts'
import { refreshState } from '../../engine/record-only.ts'
import type { Applied } from '../../engine/session.ts'
import { applyProject } from '../../engine/session.ts'
import type { Project } from '../../project/resolving/declared.ts'
import type { Flags, Given } from '../arguments/flags.ts'
import { ciFlag, compatFlag, maxDestroyFlag, policyFlags } from '../arguments/plan-flags.ts'
import type { Context } from '../context/context.ts'
import { good, loadGiven } from '../context/load-given.ts'
import { outputLines } from '../render/output-text.ts'
import { differs } from '../render/plan/output-changes.ts'
import { applySentence, destroySentence } from '../render/plan/plan-counts.ts'
import { outcomeLine, outputsLine, planLines, versionLine } from '../render/progress/stream-json.ts'
import { safeLine } from '../render/text/sanitise.ts'
import { sharedFolderAdvice } from '../storage/shared-folder.ts'
import { tellingOfEnd } from '../surroundings/ended-at-once.ts'
import { callerOf, ownerOf } from '../surroundings/owner.ts'
import { maskSecrets, tellActions } from './github-actions.ts'
import { operationOf, policiesOf } from './policies.ts'
import { askYes, assertMayAsk } from './question.ts'
import { onScreen } from './renderings.ts'
import { createReporter } from './reporter.ts'
import { noteUnknownToken, planForPeople, planReport } from './show-plan.ts'
import { keepStreamIn } from './stream-file.ts'
import { noteOtherDocuments, tellOtherDocuments } from './tell-other-documents.ts'
import { assertMayWrite } from './written-files.ts'

export const applyFlags = {
  'auto-approve': { type: 'switch', about: 'do not ask' },
  ...policyFlags,
  ...ciFlag,
  'no-destroy': { type: 'switch', about: 'refuse a plan that deletes or replaces anything' },
  'max-destroy': maxDestroyFlag,
  compat: compatFlag,
  'json-into': { type: 'text', value: 'FILE', about: 'write the lines of --json into a file, as they come, beside what is shown' },
  'fail-fast': { type: 'switch', about: 'begin nothing more after the first failure' },
} as const satisfies Flags

/** Runs an apply or a destroy of the project to its exit code. */
export async function applyAndTell(context: Context, given: Given, options: Options, review?: string): Promise<ExitCode> {
  const approved = given.switch('auto-approve') || review !== undefined
  if (!approved) assertMayAsk(context)
  let shown: Prepared | undefined
  const code = await withRun(context, given, options.destroy ? 'destroy' : 'apply', async ({ run, locking, project, diagnostics, ask, settled }) => {
    const decide = async (prepared: Prepared, problems: readonly Diagnostic[]): Promise<boolean> => {
      shown = prepared
      const isToBe = await show(context, prepared, { problems, approved, options, ask })
      // What is wrong by itself goes before; a guard does not.
      const isSound = [0, 5].includes(exitCodeOf([...problems, ...prepared.plan.diagnostics]))
      if (isSound && review !== undefined) assertReviewed(prepared.plan, review)
      if (isToBe && !options.destroy) await assertStillUndeclared(context, prepared)
      return isToBe
    }
    const request = { ...locking, project, options, diagnostics }
    if (options.refreshOnly) return tell(context, await refreshState(run, request, decide), { settled, destroy: false })
    const applied = await applyProject(run, { ...request, guards: await guardsOf(context, given, project), asks: !approved, decide })
    return tell(context, applied, { settled, destroy: options.destroy })
  })
  if (shown) await tellActions(context, given, planReport(context, shown.plan, { project: shown.input.project }), code)
  return code
}

/**
 * Manifests are read before the lock is had, and the question may stand for hours: nothing is destroyed or forgotten for what they did not say then,
 * and say by now. Throws Failure 6. What came by standard input is gone, and stays as it was.
 */
async function assertStillUndeclared(context: Context, { plan, input }: Prepared): Promise<void> {
  const declared = new Set(input.project.resources.map((one) => one.address))
  const isLeaving = ({ action, deposed, address }: Change): boolean => (action === 'delete' || action === 'forget') && !deposed && !declared.has(address)
  const leaving = new Set(plan.changes.flatMap((one) => (isLeaving(one) ? [one.address] : [])))
  if (leaving.size === 0 || context.globals.list('file').includes('-')) return
  const { project } = good(await loadGiven(context))
  const back = project.resources.find(({ address }) => leaving.has(address))
  const detail = 'The project has changed since it was read. Nothing was changed.'
  if (back) {
    const { address, position } = back
    throw failure('plan_stale', `${address} has a manifest by now, and the plan is made without one`, {
      address,
      position: position(),
      detail,
      hint: 'run again',
    })
  }
  if (blocksOf(project) === blocksOf(input.project)) return
  throw failure('plan_stale', 'moved or removed blocks have changed, by which the plan decides on what has no manifest', { detail, hint: 'run again' })
}

function blocksOf({ moved, removed }: Project): string {
  return JSON.stringify([moved.map(({ from, to }) => [from, to]), removed])
}

/** Carries out a saved plan without asking. */
export async function applySavedAndTell(context: Context, given: Given, plan: Plan): Promise<ExitCode> {
  const code = await withRun(context, given, 'apply', async ({ run, locking, project, settled }) => {
    for (const line of planLines(plan)) context.print.line(line)
    context.print.diagnostics(otherVariables(plan, project))
    tellOtherDocuments(context, plan)
    const applied = await applySaved(run, { ...locking, project, plan, guards: await guardsOf(context, given, project) })
    return tell(context, applied, { settled, destroy: false })
  })
  await tellActions(context, given, planReport(context, plan), code)
  return code
}

/** A plan that nobody signed brings no variables: what outputs are made of is this run's, and may be something else. */
function otherVariables({ variables }: Plan, project: Project): readonly Diagnostic[] {
  const isOther = ([name, { value, sensitive }]: readonly [string, Project['variables'][string]]): boolean => {
    const planned = Object.hasOwn(variables, name) ? variables[name] : undefined
    return !sensitive && planned !== undefined && !equalJson(planned, value)
  }
  return Object.entries(project.variables)
    .filter(isOther)
    .map(([name]) =>
      diagnostic('advice', `the plan was made with another value of ${name} than this run has`, {
        hint: `outputs are made of this run's: give the same, or sign plans with IAC_PLAN_KEY, which then bring their own`,
      }),
    )
}

/** Throws Failure 6 unless a plan does what a reviewer saw. */
export function assertReviewed({ review }: Pick<Plan, 'review'>, expected: string): void {
  if (review === expected) return
  throw failure('plan_stale', 'the plan is not the one that was reviewed', {
    detail: `Expected was the review ${expected}, and this plan has ${review}. Nothing was changed.`,
    hint: 'review this plan: what is live, the state, a variable or a manifest has changed since',
  })
}

async function guardsOf(context: Context, given: Given, project: Project) {
  const policies = await policiesOf(context, given, project)
  return {
    noDestroy: given.switch('no-destroy'),
    maxDestroy: given.number('max-destroy') ?? project.maxDestroy,
    maxMonthlyIncrease: project.maxMonthlyIncrease,
    policies,
  }
}

interface Ready {
  readonly run: Run
  readonly locking: Locking
  readonly project: Project
  readonly diagnostics: readonly Diagnostic[]
  readonly ask: Ask
  readonly settled: Settled
}

/** What was settled of an earlier run so far: it is in no plan any more, and counted by itself. */
interface Settled {
  destroyed: number
}

type Ask = (question: Parameters<typeof askYes>[1]) => Promise<boolean>

/** What every run that changes something stands in: the stream's head, the reporter, the graceful stop. */
async function withRun(context: Context, given: Given, operation: string, work: (ready: Ready) => Promise<ExitCode>): Promise<ExitCode> {
  const { print, globals, surroundings } = context
  await beginStream(context, given)
  const { project, diagnostics } = await context.project()
  maskSecrets(context, given, project)
  const store = await context.store(project)
  print.diagnostics([...(await sharedFolderAdvice(store)), ...(store.advice ?? [])])
  let client: Pick<Client, 'load'> | undefined
  const keepQuiet = tellingOfEnd(
    surroundings,
    () => client,
    () => '`iac status` shows what is unfinished, and the next run goes on',
  )
  const reporter = createReporter(context)
  const settled = { destroyed: 0 }
  const report: Report = (event) => {
    if (event.type === 'recovered' && event.end === 'gone') settled.destroyed += 1
    reporter.report(event)
  }
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
    const run = await context.run(project, { report, shown: reporter.shown, failFast: given.switch('fail-fast') })
    client = run.client
    const locking = {
      store,
      owner: ownerOf(surroundings, operationOf(operation, given, callerOf(surroundings))),
      lockTimeoutMs: globals.number('lock-timeout') ?? 0,
    }
    const code = await work({ run: { ...run, report }, locking, project, diagnostics, ask, settled })
    return code === 1 && surroundings.stop.aborted ? 130 : code
  } finally {
    surroundings.graceful(false)
    surroundings.stop.removeEventListener('abort', onStop)
    reporter.stop()
    keepQuiet()
  }
}

/** The stream's head, on standard output with --json, and in the file of --json-into. */
async function beginStream(context: Context, given: Given): Promise<void> {
  const { print, globals, surroundings } = context
  const file = given.text('json-into')
  if (file === undefined && !globals.switch('json')) return
  await assertMayWrite(context, [file], [...given.list('policy'), ...given.arguments])
  print.beginStream(file === undefined ? undefined : keepStreamIn(context, file))
  print.line(versionLine(surroundings.version))
}

/** Shows the plan; asks where something would change and nothing forbids it. */
async function show(
  context: Context,
  prepared: Prepared,
  asked: { readonly problems: readonly Diagnostic[]; readonly approved: boolean; readonly options: Options; readonly ask: Ask },
): Promise<boolean> {
  const { print, globals, surroundings } = context
  const { plan } = prepared
  const { problems, approved, options, ask } = asked
  for (const line of planLines(plan)) print.line(line)
  if (!globals.switch('json') && (!globals.switch('quiet') || !approved))
    print.result(onScreen(context, planForPeople(context, plan, print.palette, prepared.input.project)))
  print.diagnostics(plan.diagnostics)
  noteOtherDocuments(context, prepared.input.project.foreign)
  noteUnknownToken(context, prepared)
  print.diagnostics(problems.filter((one) => one.severity !== 'error'))
  if ([...problems, ...plan.diagnostics].some((one) => one.severity === 'error')) return false
  const idle = options.refreshOnly ? (plan.drift ?? []).length === 0 : !differs(plan) && plan.lifted === undefined
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
function tell(
  context: Context,
  applied: Omit<Applied, 'plan'>,
  { settled, destroy }: { readonly settled: Readonly<Settled>; readonly destroy: boolean },
): ExitCode {
  const { print, globals } = context
  const { outcome, document, diagnostics, byHand = [] } = applied
  // Which of them ended first means nothing.
  const failed = (outcome?.failed ?? []).toSorted((a, b) => compareAddresses(a.address ?? '', b.address ?? ''))
  print.diagnostics([...diagnostics, ...failed.map(asAsked)])
  const before = settled.destroyed === 0 ? '' : `Settled first, of an earlier run: ${settled.destroyed} destroyed.`
  if (!outcome) {
    if (before !== '') print.note(before)
    return applied.exitCode
  }
  const sentence = endSentence(destroy ? destroySentence(outcome) : applySentence(outcome), applied.exitCode)
  print.line(outcomeLine(outcome, settled, { sentence, operation: destroy ? 'destroy' : 'apply' }))
  print.line(outputsLine(document.outputs))
  if (globals.switch('json')) return applied.exitCode
  const isGone = diagnostics.some((one) => one.code === 'state_gone')
  if (applied.exitCode !== 0 && !isGone) print.note(incompleteLine(applied.exitCode === 8 ? byHand : []))
  print.result(
    onScreen(context, `\n${before === '' ? '' : `${before}\n`}${print.palette.bold(applied.exitCode === 0 ? print.palette.green(sentence) : sentence)}\n`),
  )
  const outputs = destroy ? [] : outputLines(document.outputs)
  if (outputs.length > 0) print.result(onScreen(context, `\n${print.palette.bold('Outputs:')}\n\n${outputs.join('\n')}\n`))
  return applied.exitCode
}

/** What goes on from here: another run, or first what no run does. */
function incompleteLine(byHand: readonly string[]): string {
  const commands = few([...new Set(byHand)].toSorted().map(safeLine))
  const way = commands === '' ? 'run again to go on' : `running again ends so, too, until what stays open is settled by ${commands}`
  return `Incomplete: what was done is recorded; ${way}.`
}

/** Complete is what ended with 0 alone. */
function endSentence(sentence: string, code: ExitCode): string {
  return code === 0 ? sentence : sentence.replace(/^(Apply|Destroy) complete!/, '$1 incomplete.')
}

/** Who stopped a run is told what was stopped by it; nothing of that went wrong. */
function asAsked(one: Diagnostic): Diagnostic {
  return one.code === 'interrupted' ? { ...one, severity: 'note' } : one
}
