// `iac plan`: what would change; writes nothing but what --out and --format name.
import { exitCodeOf, guardProblems } from '../../engine/plan/checks/guards.ts'
import { preparePlan } from '../../engine/session.ts'
import { planKeyOf, savedText } from '../apply/plan-file.ts'
import { aroundOf, assertPlaces, formats, renderingsOf, showPlan } from '../apply/show-plan.ts'
import { maxDestroyFlag, selectionFlags, selectionOf } from '../arguments/plan-flags.ts'
import { usageFailure } from '../arguments/usage.ts'
import { defineCommand } from '../context/command.ts'
import { differs } from '../render/plan/output-changes.ts'
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
    'detailed-exitcode': { type: 'switch', about: 'exit with 2 when there is a difference' },
    destroy: { type: 'switch', about: 'plan the destruction of everything' },
    refresh: { type: 'choice', value: 'BOOL', choices: ['true', 'false'], about: 'false plans against the state without reading what is live (default true)' },
    format: { type: 'list', value: 'F[=FILE]', completes: formats, about: 'text or json, to standard output or a file' },
  },
  failsInJson: true,
  examples: [
    { text: 'plan --sandbox', about: 'plan against the embedded service' },
    { text: 'plan --out today.plan --format json=today.json', about: 'save the plan, and a copy for machines' },
    { text: "plan --target 'Instance/web-*'", about: 'only these instances, with what they need' },
  ],
  async run(context, given) {
    const renderings = renderingsOf(given.list('format'), context.globals.switch('json'))
    const unread = given.text('refresh') === 'false'
    const options = { ...selectionOf(given, given.switch('destroy')), unread }
    if (unread && options.refreshOnly) throw usageFailure('--refresh-only reads what is live: it excludes --refresh=false')
    const out = given.text('out')
    assertPlaces(context, renderings, [out])
    const key = out === undefined ? undefined : planKeyOf(context.surroundings)
    const { project, diagnostics } = await context.project()
    const store = await context.store(project)
    const run = await context.run(project)
    const prepared = await preparePlan(run, { project, store, options, diagnostics })
    const { plan, folded } = prepared
    const around = aroundOf(prepared)
    await showPlan(context, plan, renderings, around)
    const guards = { noDestroy: false, maxDestroy: given.number('max-destroy') ?? project.maxDestroy, manifests: project.manifests, destroy: options.destroy }
    // What only writes the state destroys nothing.
    const problems = [...plan.diagnostics, ...(options.refreshOnly ? [] : guardProblems(prepared, folded.resources, guards))]
    context.print.diagnostics(problems)
    // What a check accepts, a deployment must not refuse.
    const wrong = exitCodeOf(problems)
    if (out !== undefined && wrong === 0) writePrivate(context, out, savedText(plan, key, stateSealing(project.state, context.surroundings)))
    const hasDifference = options.refreshOnly ? (plan.drift ?? []).length > 0 : differs(plan, around.recordedOutputs ?? {})
    return wrong !== 0 ? wrong : given.switch('detailed-exitcode') && hasDifference ? 2 : 0
  },
})
