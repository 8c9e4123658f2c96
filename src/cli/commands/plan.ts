// `iac plan`: what would change; writes nothing but what --out and --format name.
import { resolve } from 'node:path'
import { preparePlan } from '../../engine/session.ts'
import { stringifyJson } from '../../json.ts'
import { defineCommand } from '../command.ts'
import { selectionFlags, selectionOf } from '../plan-flags.ts'
import { hasChanges } from '../render/plan-counts.ts'
import { renderingsOf, showPlan } from '../show-plan.ts'
import { usageFailure } from '../usage.ts'
import { writePrivate } from '../write-private.ts'

export const planCommand = defineCommand({
  summary: 'show what would change',
  about: 'Reads live state and shows what apply would do. Takes no lock and writes nothing but what --out and --format name.',
  arguments: [],
  flags: {
    ...selectionFlags,
    out: { type: 'text', value: 'FILE', about: 'save the plan, to be applied as it is' },
    'detailed-exitcode': { type: 'switch', about: 'exit with 2 when there is a difference' },
    destroy: { type: 'switch', about: 'plan the destruction of everything' },
    refresh: { type: 'choice', value: 'BOOL', choices: ['true', 'false'], about: 'whether live state is read (default true)' },
    format: { type: 'list', value: 'F[=FILE]', about: 'text or json, to standard output or a file' },
  },
  examples: [
    { text: 'plan --sandbox', about: 'plan against the embedded service' },
    { text: 'plan --out today.plan --format json=today.json', about: 'save the plan, and a copy for machines' },
    { text: "plan --target 'Instance/web-*'", about: 'only these instances, with what they need' },
  ],
  async run(context, given) {
    const renderings = renderingsOf(given.list('format'), context.globals.switch('json'))
    const options = selectionOf(given, given.switch('destroy'))
    if (given.text('refresh') === 'false') throw usageFailure('--refresh=false is not part of this build')
    const { project, diagnostics } = await context.project()
    const store = await context.store(project)
    const run = await context.run(project)
    const { plan, folded } = await preparePlan(run, { project, store, options, diagnostics })
    await showPlan(context, plan, renderings, folded.outputs)
    context.print.diagnostics(plan.diagnostics)
    const out = given.text('out')
    if (out !== undefined) await writePrivate(resolve(context.surroundings.workingFolder, out), `${stringifyJson(plan, 2)}\n`)
    const differs = options.refreshOnly ? (plan.drift ?? []).length > 0 : hasChanges(plan.changes)
    return given.switch('detailed-exitcode') && differs ? 2 : 0
  },
})
