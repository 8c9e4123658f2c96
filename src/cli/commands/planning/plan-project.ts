// Planning a project to its exit code: shown, written where flags say so, and told.
import { shellWord } from '../../../base/words/shell-word.ts'
import { kindFinder } from '../../../engine/model/kind-finder.ts'
import { exitCodeOf, guardProblems } from '../../../engine/plan/checks/guards.ts'
import type { Prepared } from '../../../engine/plan/prepared-plan.ts'
import { isTimeless } from '../../../engine/plan/prepared-plan.ts'
import { preparePlan } from '../../../engine/session.ts'
import { maskSecrets, tellActions } from '../../apply/github-actions.ts'
import { planKeyOf, savedText } from '../../apply/plan-file.ts'
import { policiesOf } from '../../apply/policies.ts'
import { filesOf, isShown, renderingsOf, showReport } from '../../apply/renderings.ts'
import { noteUnknownToken, planReport } from '../../apply/show-plan.ts'
import { noteOtherDocuments } from '../../apply/tell-other-documents.ts'
import { assertMayWrite } from '../../apply/written-files.ts'
import type { Given } from '../../arguments/flags.ts'
import { placeFlags } from '../../arguments/place-flags.ts'
import { selectionOf } from '../../arguments/plan-flags.ts'
import { usageFailure } from '../../arguments/usage.ts'
import type { Context } from '../../context/context.ts'
import { showNeeds } from '../../export/needed-token.ts'
import { stateSealing } from '../../storage/state-sealing.ts'
import { writePrivate } from '../../surroundings/write-private.ts'
import type { Concluded } from '../../unchanged/looking.ts'

/** Plans as the flags of `iac plan` say. Throws Failure. */
export async function planProject(context: Context, given: Given): Promise<Concluded> {
  const renderings = renderingsOf('plan', given.list('format'), context.globals.switch('json'), given.text('json-into'))
  const unread = given.text('refresh') === 'false'
  const options = { ...selectionOf(given, given.switch('destroy')), unread }
  if (unread && options.refreshOnly) throw usageFailure('--refresh-only reads what is live: it excludes --refresh=false')
  const seed = given.text('seed')
  if (seed !== undefined && !context.globals.switch('sandbox')) throw usageFailure('--seed fills the embedded service: it needs --sandbox')
  const out = given.text('out')
  if (given.switch('needs') && (out !== undefined || given.list('format').length > 0 || given.text('json-into') !== undefined))
    throw usageFailure('--needs prints what the plan needs, and no plan: it excludes --out, --format and --json-into')
  await assertMayWrite(context, [...filesOf(renderings), out], [...given.list('policy'), seed ?? ''])
  const key = out === undefined ? undefined : planKeyOf(context.surroundings)
  const { project, diagnostics } = await context.project()
  maskSecrets(context, given, project)
  const policies = await policiesOf(context, given, project)
  const seeded = seed === undefined ? undefined : await (await import('../sandbox/seed.ts')).seededFor(context, project, seed)
  const store = seeded?.store ?? (await context.store(project))
  const run = { ...(await context.run(project, seeded && { at: { sandbox: seeded.place.sandbox } })), seeded: seeded !== undefined }
  seeded?.place.clock.halt()
  const prepared = await preparePlan(run, { project, store, options, diagnostics, preflight: 'plan' })
  const { plan, folded } = prepared
  if (given.switch('needs')) {
    context.print.diagnostics(plan.diagnostics)
    showNeeds(context, prepared)
    return { code: exitCodeOf(plan.diagnostics), isSettled: false }
  }
  const { manifests, maxMonthlyIncrease } = project
  const maxDestroy = given.number('max-destroy') ?? project.maxDestroy
  const guards = { noDestroy: false, maxDestroy, maxMonthlyIncrease, policies, manifests, destroy: options.destroy }
  // What only writes the state destroys nothing.
  const guarded = options.refreshOnly ? [] : guardProblems(prepared, folded.resources, guards)
  const problems = [...plan.diagnostics, ...guarded]
  const report = planReport(context, plan, { project: prepared.input.project, declared: project.resources, guarded })
  await showReport(context, report, renderings)
  context.print.diagnostics(problems)
  noteOtherDocuments(context, project.foreign)
  noteUnknownToken(context, prepared)
  // What a check accepts, a deployment must not refuse.
  const wrong = exitCodeOf(problems)
  if (out !== undefined && wrong === 0) {
    writePrivate(context, out, savedText(plan, key, stateSealing(project.state, context.surroundings)))
    const isOverBudget = guardProblems(prepared, folded.resources, { ...guards, maxDestroy: project.maxDestroy }).some((one) => one.code === 'guard_budget')
    tellLifting(context, given, out, isOverBudget)
    tellUnfinished(context, out, prepared)
  }
  const code = wrong !== 0 ? wrong : given.switch('detailed-exitcode') && report.differs ? 2 : 0
  await tellActions(context, given, report, code, isShown(renderings, 'github'))
  return { code, isSettled: wrong === 0 && !report.differs && report.plan?.lifted === undefined && isTimeless(prepared) }
}

/** What is settled first is not in what the plan was made from: a pipeline knows then why its next job ends with 6, and which one will not. */
function tellUnfinished({ print }: Context, out: string, { folded, input }: Prepared): void {
  const kindOf = kindFinder(input.kinds)
  // What nothing reads stays open, in view of the plan.
  const isSettledFirst = folded.open.some(({ intent }) => !intent.creates || kindOf(intent.kind).readable)
  if (isSettledFirst) print.note(`${out} will be stale: carrying it out settles what an earlier run left, and ends with 6; the next plan is carried out`)
}

/** Guards and policies hold where a saved plan is carried out, too: what lets it pass is not in the file, but said again by who applies. */
function tellLifting({ print, globals }: Context, given: Given, out: string, isOverBudget: boolean): void {
  const reason = given.text('reason')
  const overrides = given.list('override').map((name) => `--override ${shellWord(name)}`)
  const flags = [
    ...given.list('policy').map((file) => `--policy ${shellWord(file)}`),
    ...(isOverBudget ? [`--max-destroy ${given.number('max-destroy') ?? ''}`] : []),
    ...overrides,
    ...(overrides.length > 0 && reason !== undefined ? [`--reason ${shellWord(reason)}`] : []),
  ]
  if (isOverBudget || overrides.length > 0)
    print.note(`Guards and policies are asked again by the apply: ${['iac apply', ...placeFlags(globals), shellWord(out), ...flags].join(' ')}`)
}
