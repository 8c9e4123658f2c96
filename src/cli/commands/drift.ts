// `iac drift`: live against state and manifests; changes nothing.
import { preparePlan } from '../../engine/session.ts'
import { defineCommand } from '../command.ts'
import { driftDocument } from '../render/drift-json.ts'
import { driftText } from '../render/drift-text.ts'
import { outputsOf } from '../show-plan.ts'

export const driftCommand = defineCommand({
  summary: 'what was changed outside of iac',
  about: 'Compares what is live with what the last apply recorded. Exits with 2 when there is a difference. Changes nothing.',
  arguments: [],
  flags: {},
  examples: [
    { text: 'drift', about: 'for people' },
    { text: 'drift --json', about: 'for a nightly job' },
  ],
  async run(context) {
    const { project, diagnostics } = await context.project()
    const store = await context.store(project)
    const run = await context.run(project)
    const options = { destroy: false, refreshOnly: false, targets: [], excludes: [], replace: [] }
    const { plan } = await preparePlan(run, { project, store, options, diagnostics })
    const drift = plan.drift ?? []
    const document = driftDocument(drift, undefined)
    if (context.globals.switch('json')) context.print.json(document)
    else context.print.result(driftText(drift, { palette: context.print.palette, outputsOf }))
    return document.has_drift ? 2 : 0
  },
})
