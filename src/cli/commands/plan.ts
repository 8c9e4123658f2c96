// `iac plan`: what would change; writes nothing but what --out and --format name.
import { exitCodeOf, guardProblems } from '../../engine/plan/checks/guards.ts'
import { preparePlan } from '../../engine/session.ts'
import { ciFlag, maskSecrets, tellActions } from '../apply/github-actions.ts'
import { planKeyOf, savedText } from '../apply/plan-file.ts'
import { policiesOf } from '../apply/policies.ts'
import { filesOf, formatFlag, isShown, renderingsOf, showReport } from '../apply/renderings.ts'
import { aroundOf, noteUnknownToken, planReport } from '../apply/show-plan.ts'
import { assertMayWrite } from '../apply/written-files.ts'
import { compatFlag, maxDestroyFlag, policyFlags, selectionFlags, selectionOf } from '../arguments/plan-flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import { showNeeds } from '../export/needed-token.ts'
import { stateSealing } from '../storage/state-sealing.ts'
import { writePrivate } from '../surroundings/write-private.ts'

export const planCommand = defineCommand({
  summary: 'show what would change',
  about:
    'Reads live state and shows what apply would do. Takes no lock and writes nothing but what --out and --format name. What apply would refuse ends with its exit code, and --out writes nothing.',
  arguments: [],
  flags: {
    ...selectionFlags,
    out: { type: 'text', value: 'FILE', about: 'save the plan, to be applied as it is; signed where IAC_PLAN_KEY is set, encrypted where the state is' },
    'max-destroy': maxDestroyFlag,
    ...policyFlags,
    ...ciFlag,
    'detailed-exitcode': { type: 'switch', about: 'exit with 2 when there is a difference' },
    destroy: { type: 'switch', about: 'plan the destruction of everything' },
    refresh: { type: 'choice', value: 'BOOL', choices: ['true', 'false'], about: 'false plans against the state without reading what is live (default true)' },
    seed: {
      type: 'text',
      value: 'PATH',
      about:
        'with --sandbox: plan against a service of its own that first gets what these manifests declare, such as those of the base branch; a file or folder',
    },
    needs: { type: 'switch', about: 'print the smallest API token that carries the plan out, as a manifest; with --json the calls behind it' },
    format: formatFlag('plan'),
    compat: compatFlag,
    'json-into': { type: 'text', value: 'FILE', about: 'write the machine format into a file beside what is shown' },
  },
  failsInJson: true,
  examples: [
    { text: 'plan --sandbox', about: 'plan against the embedded service' },
    { text: 'plan --out today.plan --format json=today.json', about: 'save the plan, and a copy for machines' },
    { text: "plan --target 'Instance/web-*'", about: 'only these instances, with what they need' },
  ],
  async run(context, given) {
    const renderings = renderingsOf('plan', given.list('format'), context.globals.switch('json'), given.text('json-into'))
    const unread = given.text('refresh') === 'false'
    const options = { ...selectionOf(given, given.switch('destroy')), unread }
    if (unread && options.refreshOnly) throw usageFailure('--refresh-only reads what is live: it excludes --refresh=false')
    const seed = given.text('seed')
    if (seed !== undefined && !context.globals.switch('sandbox')) throw usageFailure('--seed fills the embedded service: it needs --sandbox')
    const out = given.text('out')
    if (given.switch('needs') && (out !== undefined || given.list('format').length > 0 || given.text('json-into') !== undefined))
      throw usageFailure('--needs prints what the plan needs, and no plan: it excludes --out, --format and --json-into')
    await assertMayWrite(context, [...filesOf(renderings), out], given.list('policy'))
    const key = out === undefined ? undefined : planKeyOf(context.surroundings)
    const { project, diagnostics } = await context.project()
    maskSecrets(context, given, project)
    const policies = await policiesOf(context, given, project)
    const seeded = seed === undefined ? undefined : await (await import('./sandbox/seed.ts')).seededFor(context, project, seed)
    const store = seeded?.store ?? (await context.store(project))
    const run = { ...(await context.run(project, seeded && { at: { sandbox: seeded.place.sandbox } })), seeded: seeded !== undefined }
    seeded?.place.clock.halt()
    const prepared = await preparePlan(run, { project, store, options, diagnostics, preflight: 'plan' })
    const { plan, folded } = prepared
    if (given.switch('needs')) {
      context.print.diagnostics(plan.diagnostics)
      showNeeds(context, prepared)
      return exitCodeOf(plan.diagnostics)
    }
    const { manifests, maxMonthlyIncrease } = project
    const maxDestroy = given.number('max-destroy') ?? project.maxDestroy
    const guards = { noDestroy: false, maxDestroy, maxMonthlyIncrease, policies, manifests, destroy: options.destroy }
    // What only writes the state destroys nothing.
    const guarded = options.refreshOnly ? [] : guardProblems(prepared, folded.resources, guards)
    const problems = [...plan.diagnostics, ...guarded]
    const report = planReport(context, plan, { ...aroundOf(prepared), declared: project.resources, guarded })
    await showReport(context, report, renderings)
    context.print.diagnostics(problems)
    noteUnknownToken(context, prepared)
    // What a check accepts, a deployment must not refuse.
    const wrong = exitCodeOf(problems)
    if (out !== undefined && wrong === 0) writePrivate(context, out, savedText(plan, key, stateSealing(project.state, context.surroundings)))
    const code = wrong !== 0 ? wrong : given.switch('detailed-exitcode') && report.differs ? 2 : 0
    await tellActions(context, given, report, code, isShown(renderings, 'github'))
    return code
  },
})
