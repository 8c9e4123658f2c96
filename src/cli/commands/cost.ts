// `iac cost`: what the manifests cost by hour and month, resource by resource, and the difference to what is live.
import { itemised } from '../../engine/appraise.ts'
import { exitCodeOf } from '../../engine/plan/checks/guards.ts'
import { preparePlan } from '../../engine/session.ts'
import { onScreen } from '../apply/renderings.ts'
import { idleFlags } from '../arguments/flags.ts'
import { defineCommand } from '../context/command.ts'
import { costText } from '../render/billing/cost-text.ts'

export const costCommand = defineCommand({
  summary: 'what the manifests cost, and what is live',
  about:
    "Shows the price of each resource by hour and month, as it is live and as the manifests want it, what has no price and why, and the total. A month has the service's 672 hours. Changes nothing.",
  arguments: [],
  flags: {},
  idle: idleFlags.withoutWriting.filter((name) => name === 'lock-timeout' || name === 'no-input'),
  examples: [
    { text: 'cost', about: 'before an apply' },
    { text: 'cost --json', about: "the plan's cost, with a row for each resource, in millionths of a dollar" },
  ],
  async run(context) {
    const { project, diagnostics } = await context.project()
    const store = await context.store(project)
    const run = await context.run(project)
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const { plan, planned, refreshed } = await preparePlan(run, { project, store, options, diagnostics })
    const { cost, rows } = await itemised(run, planned, refreshed)
    const errors = plan.diagnostics.filter((one) => one.severity === 'error')
    context.print.diagnostics(errors)
    if (context.globals.switch('json')) context.print.json({ ...cost, resources: rows })
    else context.print.result(onScreen(context, costText(cost, rows, context.print.palette)))
    return exitCodeOf(errors)
  },
})
